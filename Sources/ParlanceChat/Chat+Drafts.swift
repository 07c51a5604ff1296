package import ParlanceControl
import ParlanceTerminal

// What is begun in each conversation, and is kept when the screen is left.
extension Chat {
    /// The conversation to which the line belongs: its ID, or what the user typed until that is known. Nothing if none is
    /// open; then the line goes on to the next conversation that is opened.
    var draftKey: String { open.flatMap { $0.failure == nil ? $0.who : nil } ?? "" }

    /// Asks which node this is, since each has its drafts.
    func askForDrafts() -> [ChatEffect] { composer.wantsKept ? [.call(IDOperation(), .identity)] : [] }

    /// Something may have changed.
    mutating func noteDrafts() {
        composer.noteChange(own: draftKey, at: clock.now)
    }

    mutating func draftsFailed(_ failure: ControlFailure, _ changes: [KeptDraft]) {
        tell(said(failure), .bad, stays: true)
        composer.failedToKeep(changes, at: clock.now)
    }

    /// What has to be kept before the screen is left. Drafts that are gone are empty ones.
    package mutating func unkeptDrafts() -> [KeptDraft] { composer.unkept(own: draftKey) }
}
