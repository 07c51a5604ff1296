package import ParlanceControl

/// What the chat screen wants done.
package enum ChatEffect: Sendable {
    /// Performs an operation, and gives its reply back with the purpose.
    case call(any ControlOperation, ChatPurpose)
    /// Sends a file or folder of the user; the purpose gets a `SentFile`.
    case sendFile(path: String, who: String, ChatPurpose)
    /// Lists what a path that is being typed may become; `pathsListed` answers.
    case listPaths(typed: String)
    /// Writes the whole screen, which something else has overwritten.
    case redraw
    /// Stops the program, as Ctrl-Z does.
    case suspend
    /// Reads what was begun at earlier screens of the node with this ID.
    case readDrafts(of: String)
    /// Keeps what was begun; an empty draft is removed.
    case keepDrafts([KeptDraft])
    case leave
}
