package import ParlanceWire

/// An event as the store keeps it: the bytes that were hashed, and their decoded form.
package struct StoredEvent: Equatable, Sendable {
    package var id: EventID
    package var header: EventHeader
    /// The header's bytes as received; the ID is their hash.
    package var headerBytes: [UInt8]
    /// `nil` if a withdrawal or deletion removed it, or it never came.
    package var body: [UInt8]?
    /// The author's signature if this event is a head.
    package var signature: [UInt8]?
    /// The branch that contains it, if its log was forked before it; `nil` if it is in the log that its header names.
    package var branch: LogID?
    /// The peer that sent it, if that was not its author.
    package var via: PeerID?
    /// When it came, in milliseconds since 1970, if its time of writing was more than a day ahead of that.
    package var arrived: Int64?

    package init(id: EventID, header: EventHeader, headerBytes: [UInt8], body: [UInt8]?, signature: [UInt8]?) {
        self.id = id
        self.header = header
        self.headerBytes = headerBytes
        self.body = body
        self.signature = signature
    }

    /// The log in which it is kept.
    package var log: LogID { branch ?? header.log }

    package var position: LogPosition { LogPosition(sequence: header.sequence, head: id) }

    package var writtenTime: WrittenTime { WrittenTime(header, arrived: arrived) }

    /// Records the time of arrival if it may have to be shown instead of the time of writing.
    package mutating func arrive(at wall: Int64) {
        if writtenTime.isFarAhead(of: wall) { arrived = max(0, wall) }
    }

    /// Its size for windows and buffers.
    package var byteCount: Int { headerBytes.count + (body?.count ?? 0) + (signature?.count ?? 0) + 16 }
}
