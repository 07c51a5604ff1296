import ParlanceRecords
import ParlanceWire

/// Whether logs had named the gains that brought their authors back (groups.md, "Rights of what is written"). A gain
/// is a membership event that gave somebody a right, perhaps again. Results are cached.
struct Namings {
    /// A log and a gain.
    private struct Key: Hashable {
        let log: Int64
        let gain: EventID
    }

    /// The first event that named the gain, and how far the log was searched.
    private struct Naming {
        var first: UInt64?
        var lookedThrough: UInt64 = 0
    }

    private var known: [Key: Naming] = [:]

    /// Whether a log had named a gain up to an event. What a branch has in common with its parents counts as its own.
    ///
    /// - Parameter log: the log that contains the event.
    mutating func hasNamed(
        _ gain: Membership.Gain,
        by header: EventHeader,
        in log: LogID,
        _ reader: MessageReader
    ) throws -> Bool {
        if gain.log == header.log {
            guard gain.sequence < header.sequence else { return false }
            return try reader.event(at: gain.sequence, of: log)?.id == gain.id
        }
        var (log, last) = (log, header.sequence)
        while true {
            if try hasNamed(gain, log, through: last, reader) { return true }
            guard let branch = reader.branches[log] else { return false }
            (log, last) = (branch.parent, branch.base.sequence)
        }
    }

    /// Whether one of a log's own events names the gain.
    private mutating func hasNamed(
        _ gain: Membership.Gain,
        _ log: LogID,
        through sequence: UInt64,
        _ reader: MessageReader
    ) throws -> Bool {
        guard let row = try reader.row(of: log) else { return false }
        let key = Key(log: row, gain: gain.id)
        var naming = known[key] ?? Naming()
        if naming.first == nil, naming.lookedThrough < sequence {
            naming.first = try reader.first(in: row, after: naming.lookedThrough, through: sequence) { header in
                try header.references.contains { try Self.isFrom(gain, $0, reader) }
            }
            invariant(
                naming.first.map { naming.lookedThrough < $0 && $0 <= sequence } ?? true,
                "the first event that names somebody is found where it was looked for"
            )
            naming.lookedThrough = sequence
            known[key] = naming
        }
        return naming.first.map { $0 <= sequence } ?? false
    }

    /// Whether a reference names the gain, or a later event of the log that contains it.
    private static func isFrom(
        _ gain: Membership.Gain,
        _ named: EventReference,
        _ reader: MessageReader
    ) throws -> Bool {
        guard named.log.author == gain.log.author, named.sequence >= gain.sequence,
            let held = try reader.named(named), held.event.header.log == gain.log
        else { return false }
        return try reader.event(at: gain.sequence, of: held.name)?.id == gain.id
    }
}
