package import ParlanceWire

/// How far a file has come, as people are told.
package struct TransferView: Equatable, Sendable {
    package var record: TransferRecord
    /// Bytes of it that are verified and written.
    package var bytes: UInt64
    /// Bytes a second over the last few seconds; 0 if nothing comes.
    package var rate: UInt64
    /// From whom it comes at present.
    package var sources: [PeerID]
    /// Whether it is to be fetched and nobody sends it at present: nobody who has it is linked, or others come first.
    package var waits: Bool

    package init(
        _ record: TransferRecord,
        bytes: UInt64 = 0,
        rate: UInt64 = 0,
        sources: [PeerID] = [],
        isUnderWay: Bool = false
    ) {
        waits = record.state == .wanted && !isUnderWay
        self.record = record
        self.bytes = bytes
        self.rate = rate
        self.sources = sources
    }
}

/// What a peer that fetches a file from this node has told of it.
package struct UploadView: Equatable, Sendable {
    package var file: FileID
    package var peer: PeerID
    /// Bytes of it that the peer holds.
    package var bytes: UInt64
    /// Why it fetches no more; `nil` while it does, and once it has the file.
    package var trouble: Trouble?

    package enum Trouble: Equatable, Sendable {
        /// The peer's disk has no room.
        case noRoom
        /// Its user stopped it.
        case stopped
    }

    package init(file: FileID, peer: PeerID, bytes: UInt64, trouble: Trouble? = nil) {
        self.file = file
        self.peer = peer
        self.bytes = bytes
        self.trouble = trouble
    }
}
