import Foundation
import ParlanceWire

// What one author may write into one conversation in a day (sync.md, "Full").
extension Engine {
    /// Whether a run of somebody else has events that are not held here, and no room.
    func hasNoRoom(for run: ReceivedRun, _ key: LogKey) -> Bool {
        guard key.log.author != identity, quotas.fullUntil(place(of: key), at: turn.now.monotonic) != nil,
            let last = run.events.last?.header?.sequence
        else { return false }
        return last > conversations[key.conversation]?.held(of: key.log).sequence ?? 0
    }

    /// Tells the author, on its link, that no more of its log is taken and for how long. Others are not asked for it.
    mutating func tellFull(_ key: LogKey, on id: LinkID) {
        conversations.dropWant(key)
        guard let end = quotas.fullUntil(place(of: key), at: turn.now.monotonic),
            links[id]?.peer == key.log.author
        else { return }
        var full = WireFull()
        full.conversation = Data(key.conversation.bytes)
        full.milliseconds = UInt64(max(1, end - turn.now.monotonic))
        send(.full(full), on: id)
    }

    /// Counts events that somebody else wrote and that are new here.
    mutating func countWritten(_ bytes: Int, _ key: LogKey) {
        guard key.log.author != identity, quotas.count(bytes, place(of: key), at: turn.now.monotonic) else { return }
        scheduleQuotas()
        turn.emit(.report(key.log.author, .quotaUsed))
        tellPeer(key.log.author)
    }

    /// The peer takes no more of what this node writes, until it sends its clock again.
    mutating func fullReceived(_ full: WireFull, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(full.conversation), full.milliseconds > 0 else {
            return breakLink(id, .fullFields)
        }
        guard admits(conversation, with: link.peer), links.session(of: conversation, on: id)?.isOpen == true else {
            return
        }
        let pause = Int64(min(full.milliseconds, UInt64(Limits.quotaMilliseconds)))
        let (log, end) = (ownLog, turn.now.monotonic + pause)
        links.change(conversation, on: id) { $0.becameFull(log, until: end) }
        turn.emit(.notify(.delivery(deliveryView(of: conversation))))
        push(on: id)
    }

    /// The user lets somebody write as much as in a whole day.
    mutating func allow(_ peer: PeerID, command id: CommandID) {
        for place in quotas.allow(peer) { askAgain(place) }
        scheduleQuotas()
        tellPeer(peer)
        turn.emit(.answer(id, .success(.done)))
    }

    mutating func setQuota(_ limit: UInt64?) {
        for place in quotas.setLimit(limit) { askAgain(place) }
        scheduleQuotas()
    }

    mutating func quotasDue() {
        for place in quotas.dropOver(at: turn.now.monotonic) {
            askAgain(place)
            tellPeer(place.author)
        }
        scheduleQuotas()
    }

    /// Until when no more is taken of what a peer writes somewhere, in wall-clock milliseconds; `nil` if it is.
    func fullUntil(_ peer: PeerID) -> Int64? {
        quotas.fullUntil(peer, at: turn.now.monotonic).map { turn.now.wall + ($0 - turn.now.monotonic) }
    }

    private mutating func scheduleQuotas() { turn.deadlines[.quotas] = quotas.nextEnd }

    /// There is room again: the author goes on when it gets the clock, and others are asked for what it has not sent.
    private mutating func askAgain(_ place: Quotas.Place) {
        for link in links.open(in: place.conversation) where link.peer == place.author {
            sendClock(of: place.conversation, on: link.id, again: true)
        }
        turn.deadlines.advance(
            .heal(place.conversation),
            to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds)
        )
    }

    private func place(of key: LogKey) -> Quotas.Place {
        Quotas.Place(conversation: key.conversation, author: key.log.author)
    }
}
