import Foundation
import ParlanceWire

// What others say that they hold of the own logs. It names a position and the ID of the event there, and counts only once that
// is the event which stands there: a store that was rolled back may have had another one, and others still have that.
extension Engine {
    /// How a position that somebody names compares with the log as it is durable here.
    enum Standing {
        /// That event stands there.
        case held
        /// Another event stands there.
        case other
        /// The log does not reach so far.
        case ahead
        /// What stands there has to be read.
        case unread
    }

    func standing(of position: LogPosition, in key: LogKey) -> Standing {
        guard let conversation = conversations[key.conversation], let state = conversation.logs[key.log],
            position.sequence <= state.durable.position.sequence
        else { return .ahead }
        // What others wrote is theirs to check.
        guard key.log.author == identity else { return .held }
        let start = conversation.start(of: key.log)
        for known in [state.durable.position, start] where known.sequence == position.sequence {
            return known == position ? .held : .other
        }
        guard position.sequence > start.sequence else { return .other }
        if let head = conversation.ownHeads.head(at: position.sequence, of: key.log) {
            return head == position.head ? .held : .other
        }
        // A branch that is not on disk yet cannot be read by its name.
        let new = turn.batch.branches + (turn.writing?.branches ?? [])
        return new.contains { $0.log == key.log && $0.conversation == key.conversation } ? .ahead : .unread
    }

    /// The clock that a peer tells on its own authenticated link is evidence enough for `delivered`.
    mutating func recordDelivered(of conversation: ConversationID, on id: LinkID) {
        guard let link = links[id], let theirs = link.sessions[conversation]?.theirs,
            let own = conversations[conversation]?.logs.keys.filter({ $0.author == identity }).sorted()
        else { return }
        var changed = false
        for log in own {
            guard let entry = theirs.entries[log] else { continue }
            let (key, mark) = (LogKey(conversation, log), delivered(log, to: link, in: conversation))
            guard through(entry, of: key) > conversations[conversation]?.marks.through(mark) ?? 0 else {
                continue
            }
            switch standing(of: entry.position, in: key) {
            case .held: changed = credit(entry, of: key, to: link) || changed
            case .unread: lookUp(entry.position.sequence, of: key, on: id)
            case .other, .ahead: break
            }
        }
        // Found out again from the peer's clock if it is lost, so it need not be synced by itself.
        if changed { turn.saveLazily() }
        if changed { tellDelivery(of: conversation) }
    }

    /// A peer has the events of an own log that its clock says.
    @discardableResult
    mutating func credit(_ entry: Clock.Entry, of key: LogKey, to link: Link) -> Bool {
        let through = through(entry, of: key)
        let head = through == entry.position.sequence ? entry.position.head : EventID(value: .zero)
        let mark = delivered(key.log, to: link, in: key.conversation)
        return conversations.raise(mark, to: LogPosition(sequence: through, head: head), signature: nil, &turn)
    }

    /// Through where a peer has everything, bodies too; those that are gone here are missed by nobody.
    private func through(_ entry: Clock.Entry, of key: LogKey) -> UInt64 {
        let gone = key.log == ownLog ? conversations[key.conversation]?.logs[key.log]?.durable.missing ?? [] : []
        return entry.completeThrough(besides: gone)
    }

    private func delivered(_ log: LogID, to link: Link, in conversation: ConversationID) -> WatermarkRecord.Key {
        WatermarkRecord.Key(
            conversation: conversation,
            member: link.peer,
            replica: link.replica,
            log: log,
            level: .delivered
        )
    }

    /// Reads what stands at a place of an own log: one at a time for each link and log. What is claimed meanwhile is looked
    /// at when it comes.
    private mutating func lookUp(_ sequence: UInt64, of key: LogKey, on id: LinkID) {
        let isReading = turn.reads.contains { if case .claim(id, key, _) = $0 { true } else { false } }
        guard !isReading else { return }
        let request = ReadRequest(
            conversation: key.conversation,
            log: key.log,
            from: sequence,
            through: sequence,
            byteLimit: 1
        )
        turn.read(request, for: .claim(id, key, sequence))
    }

    mutating func claimRead(_ event: StoredEvent?, at sequence: UInt64, of key: LogKey, on id: LinkID) {
        guard let conversation = conversations[key.conversation] else { return }
        if let event, event.header.sequence == sequence {
            conversations[key.conversation]?.noteHead(event.position, of: key.log)
        } else if sequence > conversation.start(of: key.log).sequence,
            sequence <= conversation.logs[key.log]?.durable.position.sequence ?? 0
        {
            // What is durable can be read; if it was not, a fresh link tries again.
            return close(id, .unspecified)
        }
        recordDelivered(of: key.conversation, on: id)
        takeWaitingMarks(of: key.conversation, on: id)
    }

    /// Logs have become durable further, or were read: marks that waited for it may count now.
    mutating func takeWaitingMarks(of id: ConversationID, on link: LinkID) {
        guard let waiting = links.session(of: id, on: link)?.marksInOrder, !waiting.isEmpty else { return }
        var raised: [WatermarkRecord.Key] = []
        for mark in waiting {
            let key = LogKey(id, mark.key.log)
            let standing = standing(of: mark.position, in: key)
            if standing == .unread { lookUp(mark.position.sequence, of: key, on: link) }
            guard standing == .held || standing == .other else { continue }
            links.change(id, on: link) { $0.drop(mark.key) }
            // Others of this member may have come meanwhile.
            guard standing == .held, let open = links[link],
                conversations.maySpeak(mark.key, in: id, on: open, turn.own)
            else { continue }
            let via = mark.key.member == open.peer ? nil : open.peer
            if conversations.raise(mark.key, to: mark.position, signature: mark.signature, via: via, &turn) {
                raised.append(mark.key)
            }
        }
        countMarks(raised, of: id)
    }
}
