package import ParlanceWire

/// A file that somebody else has sent and about which nothing was decided yet: it has no `TransferRecord`.
package struct FileOffer: Equatable, Sendable {
    package var conversation: ConversationID
    package var file: FileID
    /// Bytes.
    package var size: UInt64
    /// Who wrote the message that names it.
    package var sender: PeerID

    package init(conversation: ConversationID, file: FileID, size: UInt64, sender: PeerID) {
        self.conversation = conversation
        self.file = file
        self.size = size
        self.sender = sender
    }
}
