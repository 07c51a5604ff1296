package import ParlanceRecords
package import ParlanceWire

/// Messages that are held but not applied, at the positions they would have if nothing that is missing arrived. Nothing
/// is stored, so later events are projected as if these had never been shown.
package struct Provisional {
    private let tables: any HistoryReading
    private let reader: MessageReader
    private let isGroup: Bool
    /// The membership of a group, read when a right is first checked.
    private var membership: Membership?
    private var namings = Namings()
    private var logs: [Log] = []
    private var placed: [Place: UInt64] = [:]
    /// Messages that their own authors deleted.
    private var deleted: Set<EventID> = []
    private var found: [ShownMessage] = []
    /// Whether all waiting events were examined.
    package private(set) var isWhole = true

    /// A log with events that are held but not applied.
    private struct Log {
        let row: Int64
        let name: LogID
        let through: UInt64
        let cleared: UInt64
        var before: Projector.Applied?
        var next: UInt64
        var event: StoredEvent?
        /// The held event that the next event waits for.
        var awaited: Place?
    }

    private enum Other {
        case effective(UInt64)
        case held(Place)
        case missing
    }

    package init(_ tables: any HistoryReading, conversation: (row: Int64, isGroup: Bool)) throws {
        self.tables = tables
        reader = try MessageReader(tables, conversation: conversation.row)
        logs = try Self.logs(conversation.row, reader, tables)
        isGroup = conversation.isGroup
    }

    /// - Parameter names: the logs whose messages to return.
    package mutating func messages(of names: Set<LogID>) throws -> [ShownMessage] {
        var count = 0
        var isMoving = true
        while isMoving {
            isMoving = false
            for index in logs.indices {
                while count < Limits.provisionalEvents, try placeNext(of: index, names) {
                    count += 1
                    isMoving = true
                }
            }
        }
        invariant(Set(found.map(\.id)).count == found.count, "what waits is shown once")
        invariant(found.allSatisfy { $0.isProvisional }, "what waits is marked as such")
        isWhole = count < Limits.provisionalEvents || logs.allSatisfy { $0.next > $0.through }
        return found.filter { !deleted.contains($0.id) }
    }

    /// - Returns: whether the next event existed and could be placed.
    private mutating func placeNext(of index: Int, _ names: Set<LogID>) throws -> Bool {
        let log = logs[index]
        if let awaited = log.awaited, placed[awaited] == nil { return false }
        logs[index].awaited = nil
        guard log.next <= log.through,
            let event = try log.event ?? tables.event(log: log.row, sequence: log.next)?.event
        else { return false }
        logs[index].event = event
        var earlier = log.before.map { [$0.effective] } ?? []
        for reference in event.header.references {
            switch try find(reference) {
            case .effective(let effective): earlier.append(effective)
            case .held(let place):
                guard let effective = placed[place] else {
                    logs[index].awaited = place
                    return false
                }
                earlier.append(effective)
            case .missing: break
            }
        }
        let effective = Projector.effective(time: event.header.time, after: earlier)
        invariant(
            log.before.map { $0.effective < effective || effective == Projector.latest } ?? true,
            "what waits stands in the order of its log"
        )
        placed[Place(log: log.row, sequence: log.next)] = effective
        if names.contains(log.name) { try show(event, effective, log) }
        logs[index].before = Projector.Applied(id: event.id, time: event.header.time, effective: effective)
        logs[index].next += 1
        logs[index].event = nil
        return true
    }

    private func find(_ reference: EventReference) throws -> Other {
        guard let other = try reader.named(reference) else { return .missing }
        return other.effective.map { .effective($0) } ?? .held(other.place)
    }

    private mutating func show(_ event: StoredEvent, _ effective: UInt64, _ log: Log) throws {
        let header = event.header
        if header.kind == .delete, let target = header.target, target.log.author == header.log.author {
            deleted.insert(target.id)
        }
        guard header.kind == .message, header.sequence > log.cleared else { return }
        if try tables.withdrawal(log: log.row, sequence: header.sequence) != nil { return }
        var rights = Projector.Rights.direct
        if isGroup { rights = Projector.Rights(isMember: try isMember(header, log.name), isAdmin: false) }
        guard case .message = Projector.judge(event, after: log.before, rights: rights) else { return }
        var line = try reader.line(event, id: event.id, flags: [], effective: effective, log: log.row)
        line.isProvisional = true
        found.append(line)
    }

    private mutating func isMember(_ header: EventHeader, _ log: LogID) throws -> Bool {
        let membership =
            try membership ?? Membership(tables.membership(conversationRow: reader.conversation))
        self.membership = membership
        var failure: (any Error)?
        let allows = membership.allows(.member, header.log.author, in: log, at: header.sequence) { gain in
            do {
                return try namings.hasNamed(gain, by: header, in: log, reader)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return allows
    }

    private static func logs(
        _ conversation: Int64,
        _ reader: MessageReader,
        _ tables: any HistoryReading
    ) throws -> [Log] {
        var found = try tables.waitingLogs(conversationRow: conversation)
            .map { Log(row: $0.row, name: $0.log, through: $0.through, cleared: $0.cleared, next: $0.applied + 1) }
        for index in found.indices {
            let log = found[index]
            // The event at the base of a branch is in a parent.
            let keeper = reader.branches.keeper(of: log.next - 1, log.name)
            guard let last = try reader.held(log.next - 1, keeper), let effective = last.effective else { continue }
            let time = last.event.header.time
            found[index].before = Projector.Applied(id: last.event.id, time: time, effective: effective)
        }
        return found
    }
}
