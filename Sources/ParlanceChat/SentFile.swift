package import ParlanceControl
package import ParlanceWords

/// A file of the user that was sent.
package struct SentFile: Sendable {
    package var reply: SendReply
    /// What the user has to know of it, in whole sentences.
    package var notes: [Phrase]

    package init(_ reply: SendReply, notes: [Phrase]) {
        (self.reply, self.notes) = (reply, notes)
    }
}
