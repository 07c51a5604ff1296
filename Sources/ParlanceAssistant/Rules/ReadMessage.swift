/// A message as the rules read it.
package struct ReadMessage: Equatable, Sendable {
    /// The name of the sender, as the list of members spells it.
    package var sender: String
    /// The text of the message. It is untrusted.
    package var text: String
    /// The names of the members whom the message mentions, as its sender's node found them. An `@` before another name means
    /// nobody.
    package var mentions: [String]
    /// When the message was sent, in milliseconds since 1970.
    package var time: Int64
    /// The offset of the reader's clock, in seconds east of UTC.
    package var offset: Int

    package init(sender: String, text: String, mentions: [String], time: Int64, offset: Int) {
        self.sender = sender
        self.text = text
        self.mentions = mentions
        self.time = time
        self.offset = offset
    }
}
