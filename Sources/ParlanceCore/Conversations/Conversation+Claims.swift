import ParlanceRecords
import ParlanceWire

// Claims of peers to hold our logs. A claim names a position and the ID of the event there. It counts only if our
// log has that event at that position: a store that was rolled back may have had another one, which peers still hold.
extension Conversation {
    /// How a position that a peer names compares with the log as it is durable here.
    enum Claim: Equatable {
        /// Our log has that event at that position.
        case held
        /// Our log has another event at that position.
        case other
        /// Our log ends before that position.
        case ahead
        /// The event at that position has to be read from the store first.
        case unread
    }

    func claim(of position: LogPosition, in log: LogID, _ turn: Turn) -> Claim {
        guard let state = logs[log], position.sequence <= state.durable.position.sequence else { return .ahead }
        // Only the author of a log checks claims about it.
        guard log.author == turn.own.identity else { return .held }
        let start = start(of: log)
        for known in [state.durable.position, start] where known.sequence == position.sequence {
            return known == position ? .held : .other
        }
        guard position.sequence > start.sequence else { return .other }
        if let head = ownHeads.head(at: position.sequence, of: log) { return head == position.head ? .held : .other }
        // The store does not know a branch by its name until the branch is on disk.
        let new = turn.batch.rows.branches + (turn.writing?.rows.branches ?? [])
        return new.contains { $0.log == log && $0.conversation == id } ? .ahead : .unread
    }

    /// Takes what the peer of a link holds of our logs as delivered: the clock that it tells on its own authenticated
    /// link is sufficient evidence.
    ///
    /// - Returns: whether any mark went up.
    mutating func recordDelivered(to link: Link, _ turn: inout Turn) -> Bool {
        guard let theirs = link.sessions[id]?.theirs else { return false }
        var changed = false
        for log in logs(of: turn.own.identity) {
            guard let entry = theirs.entries[log],
                through(entry, of: log, turn.own) > marks.through(delivered(log, to: link))
            else { continue }
            switch claim(of: entry.position, in: log, turn) {
            case .held: changed = credit(entry, of: log, to: link, &turn) || changed
            case .unread: lookUp(entry.position.sequence, of: log, on: link.id, &turn)
            case .other, .ahead: break
            }
        }
        return changed
    }

    /// Records that a peer has the events of one of our logs that its clock names.
    @discardableResult
    mutating func credit(_ entry: Clock.Entry, of log: LogID, to link: Link, _ turn: inout Turn) -> Bool {
        let through = through(entry, of: log, turn.own)
        let head = through == entry.position.sequence ? entry.position.head : EventID(value: .zero)
        let position = LogPosition(sequence: through, head: head)
        return marks.raise(delivered(log, to: link), to: position, signature: nil, &turn)
    }

    /// Through where a peer has everything, including bodies. Bodies that are gone here do not count as missing.
    private func through(_ entry: Clock.Entry, of log: LogID, _ own: OwnNode) -> UInt64 {
        guard let state = logs[log] else { return entry.toldCompleteThrough(besides: nil) }
        var written = state.durable
        // What an earlier replica wrote may only not have come back yet.
        written.missing = log == own.log ? written.missing + state.gone : []
        return entry.toldCompleteThrough(besides: written)
    }

    private func delivered(_ log: LogID, to link: Link) -> WatermarkRecord.Key {
        WatermarkRecord.Key(
            conversation: id,
            member: link.peer,
            replica: link.replica,
            log: log,
            level: .delivered
        )
    }

    /// Reads the event at a position of one of our logs, one read at a time for each link and log. Claims that come
    /// during a read are examined after it.
    func lookUp(_ sequence: UInt64, of log: LogID, on link: LinkID, _ turn: inout Turn) {
        let key = LogKey(id, log)
        let isReading = turn.reads.contains { if case .claim(link, key, _) = $0 { true } else { false } }
        guard !isReading else { return }
        let request = ReadRequest(conversation: id, log: log, from: sequence, through: sequence, byteLimit: 1)
        turn.read(request, for: .claim(link, key, sequence))
    }

    /// Takes the event that was read at a position.
    ///
    /// - Returns: whether the store could answer. An event that is durable can be read.
    mutating func claimRead(_ event: StoredEvent?, at sequence: UInt64, of log: LogID) -> Bool {
        if let event, event.header.sequence == sequence {
            noteHead(event.position, of: log)
            return true
        }
        return sequence <= start(of: log).sequence || sequence > logs[log]?.durable.position.sequence ?? 0
    }
}
