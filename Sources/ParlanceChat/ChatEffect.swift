package import ParlanceControl

/// What the chat screen wants done.
package enum ChatEffect: Sendable {
    /// Performs an operation, and gives its reply back with the purpose.
    case call(any ControlOperation, ChatPurpose)
    /// Writes the whole screen, which something else has overwritten.
    case redraw
    /// Stops the program, as Ctrl-Z does.
    case suspend
    case leave
}
