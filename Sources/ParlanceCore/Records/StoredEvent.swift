package import ParlanceWire

/// An event as the store keeps it: the bytes that were hashed, and their reading.
package struct StoredEvent: Equatable, Sendable {
    package var id: EventID
    package var header: EventHeader
    /// The header's bytes as they came; the ID is their hash.
    package var headerBytes: [UInt8]
    /// `nil` if it was dropped by a withdrawal, or never came.
    package var body: [UInt8]?
    /// The author's signature if this event is a head.
    package var signature: [UInt8]?
    /// The branch it stands in, if its log was forked before it; `nil`: the log that its header names.
    package var branch: LogID?
    /// Who brought it, if that was not its author.
    package var via: PeerID?
    /// When it came, in milliseconds since 1970, if its own time was more than a day ahead of that.
    package var arrived: Int64?

    package init(id: EventID, header: EventHeader, headerBytes: [UInt8], body: [UInt8]?, signature: [UInt8]?) {
        self.id = id
        self.header = header
        self.headerBytes = headerBytes
        self.body = body
        self.signature = signature
    }

    /// The log it is kept in.
    package var log: LogID { branch ?? header.log }

    package var position: LogPosition { LogPosition(sequence: header.sequence, head: id) }

    package var writtenTime: WrittenTime { WrittenTime(header.time, arrived: arrived) }

    /// Notes when it came, if that may have to be shown instead of its own time.
    mutating func arrive(at wall: Int64) {
        if header.time.isFarAhead(of: wall) { arrived = max(0, wall) }
    }

    /// What it counts against windows and buffers.
    package var byteCount: Int { headerBytes.count + (body?.count ?? 0) + (signature?.count ?? 0) + 16 }
}
