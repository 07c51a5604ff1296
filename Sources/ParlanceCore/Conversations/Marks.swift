import ParlanceRecords
import ParlanceSodium
import ParlanceWire

/// How far members have received and read the logs of one conversation (sync.md, "Watermarks").
///
/// A mark only goes up, with two exceptions: its log was split below it, or the disk failed before our own read mark
/// was written. Each change of a mark goes into the batch as a row.
struct Marks: Equatable, Sendable {
    private let conversation: ConversationID
    /// By log: what all marks of a log have in common is kept once.
    private var marks: SortedTable<LogID, SortedTable<Maker, Mark>> = [:]

    /// Whose mark of a log it is, and of what.
    private struct Maker: Comparable {
        var member: PeerID
        var replica: ReplicaID
        var level: WatermarkLevel

        init(_ key: WatermarkRecord.Key) { (member, replica, level) = (key.member, key.replica, key.level) }

        static func < (a: Maker, b: Maker) -> Bool { (a.member, a.replica, a.level) < (b.member, b.replica, b.level) }
    }

    private struct Mark: Equatable {
        var position: LogPosition
        var signature: [UInt8]?
        var learnt: Int64
        var via: PeerID?

        init(_ record: WatermarkRecord) {
            (position, signature) = (record.position, record.signature)
            (learnt, via) = (record.learnt, record.via)
        }
    }

    init(in conversation: ConversationID) {
        self.conversation = conversation
    }

    var count: Int { marks.values.reduce(0) { $0 + $1.count } }

    /// All marks, those of each log in order.
    var values: [WatermarkRecord] {
        marks.flatMap { log, marks in marks.map { record(of: $0.value, by: $0.key, about: log) } }
    }

    private func record(of mark: Mark, by maker: Maker, about log: LogID) -> WatermarkRecord {
        let key = WatermarkRecord.Key(
            conversation: conversation,
            member: maker.member,
            replica: maker.replica,
            log: log,
            level: maker.level
        )
        var record = WatermarkRecord(
            key: key,
            position: mark.position,
            signature: mark.signature,
            learnt: mark.learnt
        )
        record.via = mark.via
        return record
    }

    /// The marks of one log and one member, in order.
    func of(_ log: LogID, by member: PeerID) -> [WatermarkRecord] {
        guard let marks = marks[log] else { return [] }
        let start = marks.keys.first { !($0.member < member) }
        return marks[start...].prefix { $0.key.member == member }
            .map { record(of: $0.value, by: $0.key, about: log) }
    }

    subscript(key: WatermarkRecord.Key) -> WatermarkRecord? {
        let maker = Maker(key)
        return marks[key.log]?[maker].map { record(of: $0, by: maker, about: key.log) }
    }

    /// The signed ones of these marks, in wire form.
    func wire(of keys: [WatermarkRecord.Key]) -> [WireWatermark] { keys.compactMap { self[$0]?.wire } }

    /// How far a mark says that its member has the log; 0 if there is no such mark.
    func through(_ key: WatermarkRecord.Key) -> UInt64 { marks[key.log]?[Maker(key)]?.position.sequence ?? 0 }

    /// How far a member has a log, at a level or above; any of its replicas counts.
    func reached(_ log: LogID, by member: PeerID, at level: WatermarkLevel) -> LogPosition {
        guard let marks = marks[log] else { return .start }
        var most = LogPosition.start
        for place in marks.keys.first(where: { !($0.member < member) })..<marks.count {
            let maker = marks.keys[place]
            guard maker.member == member else { break }
            let position = marks.values[place].position
            if maker.level >= level && position.sequence > most.sequence { most = position }
        }
        return most
    }

    private mutating func put(_ record: WatermarkRecord) {
        marks[record.key.log, default: [:]][Maker(record.key)] = Mark(record)
    }

    private mutating func remove(_ key: WatermarkRecord.Key) {
        let isLast = marks.change(key.log) { makers in
            makers[Maker(key)] = nil
            return makers.isEmpty
        }
        if isLast == true { marks[key.log] = nil }
    }

    /// Takes a mark from the store at start.
    mutating func restore(_ record: WatermarkRecord) { put(record) }

    /// Merges a mark by maximum.
    ///
    /// - Parameter via: the peer that passed it on; `nil` if its member sent it.
    /// - Returns: whether it went up.
    mutating func raise(
        _ key: WatermarkRecord.Key,
        to position: LogPosition,
        signature: [UInt8]?,
        via: PeerID? = nil,
        _ turn: inout Turn
    ) -> Bool {
        guard position.sequence > through(key), makeRoom(for: key, at: position, &turn) else { return false }
        invariant(key.conversation == conversation, "a watermark is kept in its conversation")
        defer { invariant(through(key) == position.sequence, "a watermark that goes up is kept") }
        var record = WatermarkRecord(key: key, position: position, signature: signature, learnt: turn.now.wall)
        record.via = via
        if key.member == turn.own.identity, key.level == .read, turn.batch.readBefore[key] == nil {
            turn.batch.readBefore.updateValue(self[key], forKey: key)
        }
        set(record, &turn)
        return true
    }

    /// Makes room for a mark among those of one member's replicas for a log and level. Keeps the furthest marks, and
    /// among equal ones those of the greater replicas. Only a member's furthest mark counts, so no status goes back.
    /// The mark of this replica is always kept.
    ///
    /// - Returns: whether there is room for the mark.
    private mutating func makeRoom(
        for key: WatermarkRecord.Key,
        at position: LogPosition,
        _ turn: inout Turn
    ) -> Bool {
        guard self[key] == nil else { return true }
        let others = of(key.log, by: key.member).map(\.key).filter { $0.level == key.level }
        guard others.count >= Limits.copiesPerMember else { return true }
        let own = turn.own
        func isOwn(_ key: WatermarkRecord.Key) -> Bool { key.member == own.identity && key.replica == own.replica }
        func rank(_ key: WatermarkRecord.Key, _ sequence: UInt64) -> (UInt64, ReplicaID) { (sequence, key.replica) }
        let ranks = others.filter { !isOwn($0) }.map { rank($0, through($0)) }
        guard let least = ranks.min(by: <) else { return true }
        guard isOwn(key) || least < rank(key, position.sequence) else { return false }
        var gone = key
        gone.replica = least.1
        remove(gone)
        // A position at the start of the log tells the store to delete the row.
        turn.batch.watermarks[gone] = WatermarkRecord(key: gone, position: .start, signature: nil, learnt: 0)
        return true
    }

    /// Lowers marks to the base at which a log turned out to split. What a member had beyond the base may be another
    /// branch, so it has to be learnt again.
    ///
    /// - Parameter moving: the branch that took our held events: our own read marks move to it.
    mutating func clamp(_ log: LogID, to base: LogPosition, moving: LogID?, _ turn: inout Turn) {
        for (mark, record) in values.map({ ($0.key, $0) })
        where mark.log == log && record.position.sequence > base.sequence {
            let isOwn = mark.member == turn.own.identity && mark.replica == turn.own.replica
            replace(mark, by: base, isOwn: isOwn, learnt: record.learnt, &turn)
            guard let moving, isOwn, mark.level == .read else { continue }
            var moved = mark
            moved.log = moving
            replace(moved, by: record.position, isOwn: true, learnt: record.learnt, &turn)
        }
    }

    /// Signs our own mark anew. The signature of another member does not cover the new position, so it is dropped.
    private mutating func replace(
        _ key: WatermarkRecord.Key,
        by position: LogPosition,
        isOwn: Bool,
        learnt: Int64,
        _ turn: inout Turn
    ) {
        let isSigned = isOwn && position.sequence > 0
        let signature = isSigned ? turn.own.signer.sign(WatermarkSeal.bytes(key, position)) : nil
        set(WatermarkRecord(key: key, position: position, signature: signature, learnt: learnt), &turn)
    }

    private mutating func set(_ record: WatermarkRecord, _ turn: inout Turn) {
        put(record)
        turn.batch.watermarks[record.key] = record
    }

    // When the disk fails.

    /// Restores a read mark of this node from before the failed batch.
    mutating func takeBack(_ key: WatermarkRecord.Key, to before: WatermarkRecord?) {
        if let before { put(before) } else { remove(key) }
    }

    /// Whether memory agrees with the row of a mark. A row at the start of a log means that there is no mark.
    func agrees(with row: WatermarkRecord) -> Bool {
        guard let current = self[row.key] else { return row.position == .start }
        return current == row
    }
}
