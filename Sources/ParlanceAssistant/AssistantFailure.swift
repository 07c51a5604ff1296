/// What the assistant could not do, for the log of its node.
package enum AssistantFailure: Sendable {
    /// Its file could not be opened, read or written.
    case file
    /// A conversation could not be read.
    case conversation
}
