import ParlanceSodium
import ParlanceWire

/// How far members have received and read the logs of one conversation (sync.md, "Watermarks").
///
/// A mark only goes up. It goes back in two cases: the log parted below it, or the disk failed before our own read mark was on it.
/// Each change of a mark goes into the batch as a row.
struct Marks: Equatable, Sendable {
    private var records: [WatermarkRecord.Key: WatermarkRecord] = [:]

    var count: Int { records.count }

    /// All marks, in no order.
    var values: some Collection<WatermarkRecord> { records.values }

    /// The keys of all marks, in no order.
    var keys: some Collection<WatermarkRecord.Key> { records.keys }

    /// All marks, in order.
    var inOrder: [WatermarkRecord] { records.values.sorted { $0.key.rank < $1.key.rank } }

    subscript(key: WatermarkRecord.Key) -> WatermarkRecord? { records[key] }

    /// Those of the marks that are signed, as they travel.
    func wire(of keys: [WatermarkRecord.Key]) -> [WireWatermark] { keys.compactMap { records[$0]?.wire } }

    /// Through where a mark says that its member has the log; 0 if there is none.
    func through(_ key: WatermarkRecord.Key) -> UInt64 { records[key]?.position.sequence ?? 0 }

    /// Through where a member has a log, at a level or above; any of its replicas counts.
    func reached(_ log: LogID, by member: PeerID, at level: WatermarkLevel) -> LogPosition {
        // A large group has many marks, and few are of one log and one member: these alone are looked at whole.
        var most = LogPosition.start
        for key in records.keys where key.log == log && key.member == member && key.level >= level {
            guard let position = records[key]?.position else { continue }
            if position.sequence > most.sequence { most = position }
        }
        return most
    }

    /// Takes a mark from the store at start.
    mutating func restore(_ record: WatermarkRecord) { records[record.key] = record }

    /// Merges a mark by maximum.
    ///
    /// - Parameter via: who passed it on, if its member did not tell it.
    /// - Returns: whether it went up.
    mutating func raise(
        _ key: WatermarkRecord.Key,
        to position: LogPosition,
        signature: [UInt8]?,
        via: PeerID? = nil,
        _ turn: inout Turn
    ) -> Bool {
        guard position.sequence > through(key), makeRoom(for: key, at: position, &turn) else { return false }
        var record = WatermarkRecord(key: key, position: position, signature: signature, learnt: turn.now.wall)
        record.via = via
        if key.member == turn.own.identity, key.level == .read, turn.batch.readBefore[key] == nil {
            turn.batch.readBefore.updateValue(records[key], forKey: key)
        }
        set(record, &turn)
        return true
    }

    /// Of the marks of one member's copies so many are kept for a log and level: those that are furthest, and of equal ones
    /// those of the greater copies. What counts for a member is its furthest mark, so no status goes back; the mark of
    /// this copy itself always has its place.
    ///
    /// - Returns: whether a mark is among them.
    private mutating func makeRoom(
        for key: WatermarkRecord.Key,
        at position: LogPosition,
        _ turn: inout Turn
    ) -> Bool {
        guard records[key] == nil else { return true }
        let others = records.keys.filter { $0.member == key.member && $0.log == key.log && $0.level == key.level }
        guard others.count >= Limits.copiesPerMember else { return true }
        let own = turn.own
        func isOwn(_ key: WatermarkRecord.Key) -> Bool { key.member == own.identity && key.replica == own.replica }
        func rank(_ key: WatermarkRecord.Key, _ sequence: UInt64) -> (UInt64, ReplicaID) { (sequence, key.replica) }
        let ranks = others.filter { !isOwn($0) }.map { rank($0, through($0)) }
        guard let least = ranks.min(by: <) else { return true }
        guard isOwn(key) || least < rank(key, position.sequence) else { return false }
        var gone = key
        gone.replica = least.1
        records[gone] = nil
        // At the start of a log there is no mark: the row goes.
        turn.batch.watermarks[gone] = WatermarkRecord(key: gone, position: .start, signature: nil, learnt: 0)
        return true
    }

    /// A log turns out to part at a base. What somebody was said to have of it beyond that may have been another branch: it is
    /// found out anew.
    ///
    /// - Parameter moving: the branch that the events held here went to: what this node has read of them it has read.
    mutating func clamp(_ log: LogID, to base: LogPosition, moving: LogID?, _ turn: inout Turn) {
        for (mark, record) in records where mark.log == log && record.position.sequence > base.sequence {
            let isOwn = mark.member == turn.own.identity && mark.replica == turn.own.replica
            replace(mark, by: base, isOwn: isOwn, learnt: record.learnt, &turn)
            guard let moving, isOwn, mark.level == .read else { continue }
            var moved = mark
            moved.log = moving
            replace(moved, by: record.position, isOwn: true, learnt: record.learnt, &turn)
        }
    }

    /// What this node says itself is signed; what others said of another place is not what they signed.
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
        records[record.key] = record
        turn.batch.watermarks[record.key] = record
    }

    // When the disk fails.

    /// How far this node had read is what it was before the batch that failed.
    mutating func takeBack(_ key: WatermarkRecord.Key, to before: WatermarkRecord?) { records[key] = before }

    /// Whether memory says the same as the row of a mark. A row at the start of a log says that there is no mark.
    func agrees(with row: WatermarkRecord) -> Bool {
        guard let current = records[row.key] else { return row.position == .start }
        return current == row
    }
}
