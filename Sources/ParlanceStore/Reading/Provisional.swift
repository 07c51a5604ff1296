import GRDB
import ParlanceCore
import ParlanceWire

/// Messages that are held and not applied, in the places they would have if nothing came that they lack: a reading, which
/// leaves no trace, so that what comes later finds everything as it was.
struct Provisional {
    private let db: Database
    private let reader: MessageReader
    /// `nil` in a direct conversation.
    private let membership: Membership?
    private var logs: [Log] = []
    private var placed: [Place: UInt64] = [:]
    /// Messages that their own authors have deleted.
    private var deleted: Set<EventID> = []
    private var found: [ShownMessage] = []

    /// More than these are not looked at: what waits that long in such numbers is a whole history on its way.
    private static let limit = 1_000

    /// A log that holds more than is applied.
    private struct Log {
        let row: Int64
        let name: LogID
        let through: UInt64
        var before: Projector.Applied?
        var next: UInt64
        var event: StoredEvent?
        /// What its next event waits for, which is held too.
        var awaited: Place?
    }

    private enum Other {
        case effective(UInt64)
        case held(Place)
        case missing
    }

    init(_ db: Database, conversation: (row: Int64, isGroup: Bool)) throws {
        self.db = db
        reader = try MessageReader(db, conversation: conversation.row)
        logs = try Self.logs(conversation.row, reader, db)
        let isAsked = conversation.isGroup && !logs.isEmpty
        membership = isAsked ? Membership(try MembershipTable.events(conversationRow: conversation.row, db)) : nil
    }

    /// - Parameter names: the logs whose messages are wanted.
    mutating func messages(of names: Set<LogID>) throws -> [ShownMessage] {
        var count = 0
        var isMoving = true
        while isMoving, count < Self.limit {
            isMoving = false
            for index in logs.indices {
                while count < Self.limit, try placeNext(of: index, names) {
                    count += 1
                    isMoving = true
                }
            }
        }
        return found.filter { !deleted.contains($0.id) }
    }

    /// - Returns: whether there was a next one that could be placed.
    private mutating func placeNext(of index: Int, _ names: Set<LogID>) throws -> Bool {
        let log = logs[index]
        if let awaited = log.awaited, placed[awaited] == nil { return false }
        logs[index].awaited = nil
        guard log.next <= log.through,
            let event = try log.event ?? EventTable.find(log: log.row, sequence: log.next, db)?.event
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
        placed[Place(log: log.row, sequence: log.next)] = effective
        if names.contains(log.name) { try show(event, effective, log) }
        logs[index].before = Projector.Applied(id: event.id, time: event.header.time, effective: effective)
        logs[index].next += 1
        logs[index].event = nil
        return true
    }

    private func find(_ reference: EventReference) throws -> Other {
        guard reference.sequence <= UInt64(Int64.max) else { return .missing }
        for name in [reference.log] + reader.branches.below(reference.log) {
            guard let row = try LogTable.row(of: name, conversationRow: reader.conversation, db),
                let other = try EventTable.find(log: row, sequence: reference.sequence, db),
                other.event.id == reference.id
            else { continue }
            return other.effective.map { .effective($0) } ?? .held(Place(log: row, sequence: reference.sequence))
        }
        return .missing
    }

    private mutating func show(_ event: StoredEvent, _ effective: UInt64, _ log: Log) throws {
        let header = event.header
        if header.kind == .delete, let target = header.target, target.log.author == header.log.author {
            deleted.insert(target.id)
        }
        guard header.kind == .message else { return }
        if try isWithdrawn(log.row, header.sequence) { return }
        var rights = Projector.Rights.direct
        if let membership {
            let isMember = try allows(membership, header.log.author, log, header.sequence)
            rights = Projector.Rights(isMember: isMember, isAdmin: false)
        }
        guard case .message = Projector.judge(event, after: log.before, rights: rights) else { return }
        var line = try reader.line(event, id: event.id, flags: [], effective: effective, log: log.row)
        line.isProvisional = true
        found.append(line)
    }

    private func isWithdrawn(_ log: Int64, _ sequence: UInt64) throws -> Bool {
        let sql = "SELECT 1 FROM withdrawal WHERE log = ? AND sequence = ?"
        let statement = Prepared(try db.cachedStatement(sql: sql))
        statement.bind(1, log)
        statement.bind(2, bits: sequence)
        defer { statement.reset() }
        return try statement.next()
    }

    private func allows(_ membership: Membership, _ author: PeerID, _ log: Log, _ sequence: UInt64) throws -> Bool {
        var failure: (any Error)?
        let allows = membership.allows(.member, author, in: log.name, at: sequence) { gain in
            do {
                return try hasNamed(gain.log, gain.sequence, log.row, by: sequence)
            } catch {
                failure = error
                return false
            }
        }
        if let failure { throw failure }
        return allows
    }

    private func hasNamed(_ other: LogID, _ place: UInt64, _ log: Int64, by sequence: UInt64) throws -> Bool {
        let sql = "SELECT header FROM event WHERE log = ? AND sequence <= ? ORDER BY sequence DESC"
        let statement = Prepared(try db.cachedStatement(sql: sql))
        statement.bind(1, log)
        statement.bind(2, bits: sequence)
        defer { statement.reset() }
        while try statement.next() {
            guard let header = try? EventHeader(decoding: statement.bytes(0)) else {
                throw StoreError.damaged("event row")
            }
            if header.references.contains(where: { $0.log == other && $0.sequence >= place }) { return true }
        }
        return false
    }

    private static func logs(_ conversation: Int64, _ reader: MessageReader, _ db: Database) throws -> [Log] {
        let sql = """
            SELECT id, author, replica, sequence, applied FROM log
            WHERE conversation = ? AND applied < sequence ORDER BY id
            """
        let statement = Prepared(try db.cachedStatement(sql: sql))
        statement.bind(1, conversation)
        var found: [Log] = []
        while try statement.next() {
            guard let name = LogID(statement, at: 1) else { throw StoreError.damaged("log row") }
            let applied = statement.bits(4)
            found.append(Log(row: statement.integer(0), name: name, through: statement.bits(3), next: applied + 1))
        }
        statement.reset()
        for index in found.indices {
            let log = found[index]
            // What a branch parts from is kept in the log above it.
            for name in [log.name] + reader.branches.above(log.name) where found[index].before == nil {
                guard let row = try LogTable.row(of: name, conversationRow: conversation, db),
                    let last = try EventTable.find(log: row, sequence: log.next - 1, db), let effective = last.effective
                else { continue }
                let time = last.event.header.time
                found[index].before = Projector.Applied(id: last.event.id, time: time, effective: effective)
            }
        }
        return found
    }
}

extension Store {
    /// Whether an event is held and not applied whose ID begins as typed.
    package func isWaiting(idPrefix typed: String) throws(StoreError) -> Bool {
        guard let range = Self.range(ofPrefix: typed) else { return false }
        return try read { db in
            let sql = """
                SELECT 1 FROM log CROSS JOIN event ON event.log = log.id AND event.sequence > log.applied
                WHERE log.applied < log.sequence AND event.id BETWEEN ? AND ?
                """
            let statement = Prepared(try db.cachedStatement(sql: sql))
            statement.bind(1, copying: range.lowerBound.bytes)
            statement.bind(2, copying: range.upperBound.bytes)
            defer { statement.reset() }
            return try statement.next()
        }
    }
}
