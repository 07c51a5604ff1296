package import ParlanceControl
package import ParlanceTerminal

/// What happened to the chat screen.
package enum ChatInput: Sendable {
    case pressed(Key)
    case resized(height: Int, width: Int)
    /// A daemon answers; all events come from now on.
    case connected
    /// The daemon went away; the screen waits for the next. Or it runs and has not answered since a time.
    case disconnected(silentSince: ControlTime? = nil)
    case event(any ControlEvent)
    /// The reply to an effect `call`: its operation's reply.
    case replied(ChatPurpose, Result<any Sendable, ControlFailure>)
    /// What the path in the line may become, each as a whole.
    case pathsListed(typed: String, [String])
    /// What was begun at earlier screens.
    case draftsRead([KeptDraft])
    /// These could not be kept.
    case draftsFailed(ControlFailure, [KeptDraft])
    /// The moment of `deadline` has come.
    case timePassed
}
