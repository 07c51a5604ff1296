import ParlanceWire

/// Where packing for a peer continues: all before it is in earlier parcels (carry.md, "Packing").
package struct ParcelCursor: Comparable, Sendable {
    var conversation: ConversationID
    var step: Step
    /// For `log`.
    var log: LogID?
    /// For `log` the last sequence that is packed, otherwise how many membership events, watermarks, envelopes or files are.
    var done: UInt64

    enum Step: UInt8, Comparable, Sendable {
        case members, receipts, log, envelopes, files

        static func < (a: Step, b: Step) -> Bool { a.rawValue < b.rawValue }
    }

    init(_ conversation: ConversationID, _ step: Step, _ log: LogID? = nil, done: UInt64 = 0) {
        (self.conversation, self.step, self.log, self.done) = (conversation, step, log, done)
    }

    /// Reads `bytes`.
    package init?(_ bytes: [UInt8]) {
        let head = Bytes32.count + 1
        guard bytes.count == head + 8 || bytes.count == head + 8 + Bytes32.count + ReplicaID.count,
            let conversation = ConversationID(bytes[..<Bytes32.count]), let step = Step(rawValue: bytes[Bytes32.count])
        else { return nil }
        let done = bytes[head..<(head + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        let rest = bytes[(head + 8)...]
        let author = PeerID(rest.prefix(Bytes32.count))
        let replica = ReplicaID(rest.dropFirst(Bytes32.count))
        let log = author.flatMap { author in replica.map { LogID(author: author, replica: $0) } }
        guard (log != nil) == (step == .log), done <= Limits.sequence else { return nil }
        self.init(conversation, step, log, done: done)
    }

    /// The cursor for the caller, which returns it with the next request and does not look into it.
    package var bytes: [UInt8] {
        let log = log.map { $0.author.bytes + $0.replica.bytes } ?? []
        return conversation.bytes + [step.rawValue] + done.bigEndianBytes + log
    }

    /// Whether both mean the same list or log.
    func isSamePlace(as other: ParcelCursor) -> Bool {
        conversation == other.conversation && step == other.step && log == other.log
    }

    package static func < (a: ParcelCursor, b: ParcelCursor) -> Bool {
        guard a.conversation == b.conversation else { return a.conversation < b.conversation }
        guard a.step == b.step else { return a.step < b.step }
        if let left = a.log, let right = b.log, left != right { return left < right }
        return a.done < b.done
    }
}
