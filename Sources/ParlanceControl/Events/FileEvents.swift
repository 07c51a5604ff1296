package import ParlanceWords

// Events about the files of messages.

/// How far a file has come that is fetched: its state changed, or more of it is here. At most one a second tells of the
/// bytes of a file.
package struct FileEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "file")

    /// The ID of the file.
    package var file: String
    package var conversation: String
    package var state: FileState
    /// Bytes of the file.
    package var size: UInt64
    /// Bytes that are here and verified.
    package var bytes: UInt64
    /// Bytes a second over the last few seconds; 0 if nothing comes.
    package var rate: UInt64
    /// From whom it comes at present.
    package var sources: [Person]
    /// Why it failed; absent otherwise.
    package var why: Phrase?

    package init(file: String, conversation: String, state: FileState, size: UInt64, bytes: UInt64, rate: UInt64 = 0) {
        (self.file, self.conversation, self.state) = (file, conversation, state)
        (self.size, self.bytes, self.rate) = (size, bytes, rate)
        sources = []
    }

    package var conversationID: String? { conversation }
    package var cost: Int { ControlLimits.eventCostBytes + sources.count * ControlLimits.personCostBytes }
}

/// What somebody who fetches a file from this node has of it.
package struct UploadEvent: ControlEvent {
    package static let kind = ControlEventKind(of: "upload")

    /// The ID of the file.
    package var file: String
    package var peer: Person
    /// Bytes that the peer has.
    package var bytes: UInt64
    /// Why the peer fetches no more; absent while it does, and once it has the file.
    package var why: Phrase?

    package init(file: String, peer: Person, bytes: UInt64, why: Phrase? = nil) {
        (self.file, self.peer, self.bytes, self.why) = (file, peer, bytes, why)
    }

    package var cost: Int { ControlLimits.eventCostBytes + ControlLimits.personCostBytes }
}
