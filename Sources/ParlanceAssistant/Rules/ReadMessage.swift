/// A message as the rules read it.
package struct ReadMessage: Equatable, Sendable {
    /// The name of the sender, as the list of members spells it.
    package var sender: String
    /// The text of the message. It is untrusted.
    package var text: String
    /// When the message was sent, in milliseconds since 1970.
    package var time: Int64
    /// The offset of the reader's clock, in seconds east of UTC.
    package var offset: Int

    package init(sender: String, text: String, time: Int64, offset: Int) {
        self.sender = sender
        self.text = text
        self.time = time
        self.offset = offset
    }
}
