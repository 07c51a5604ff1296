import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// What one author may write into one conversation in a day (sync.md, "Full").
extension Engine {
    /// When there is room for a run of somebody else that has events not held here, in monotonic milliseconds; `nil`: now.
    func fullUntil(for run: ReceivedRun, _ key: LogKey) -> Int64? {
        guard key.log.author != identity, let last = run.events.last?.header?.sequence,
            last > conversations[key.conversation]?.held(of: key.log).sequence ?? 0
        else { return nil }
        return quotas.fullUntil(place(of: key), at: turn.now.monotonic)
    }

    /// Tells whoever sent events of a log that no more of its author is taken and for how long, and asks nobody for them.
    mutating func tellFull(_ key: LogKey, until end: Int64, on id: LinkID) {
        conversations.dropWant(key)
        var full = WireFull()
        full.conversation = Data(key.conversation.bytes)
        full.author = Data(key.log.author.bytes)
        full.milliseconds = UInt64(max(1, end - turn.now.monotonic))
        send(.full(full), on: id)
    }

    /// Counts what somebody else wrote, once it is on the disk.
    mutating func countWritten(_ events: [StoredEvent], _ filled: [LogKey: Int]) {
        var bytes: [Quotas.Place: Int] = [:]
        for event in events where event.log.author != identity {
            bytes[place(of: LogKey(event.header.conversation, event.log)), default: 0] += event.byteCount
        }
        for (key, count) in filled where key.log.author != identity { bytes[place(of: key), default: 0] += count }
        for (place, count) in bytes.sorted(by: { $0.key < $1.key })
        where quotas.count(count, place, at: turn.now.monotonic) {
            turn.emit(.report(place.author, .quotaUsed))
            tellPeer(place.author)
        }
        scheduleQuotas()
    }

    /// The peer takes no more of what an author writes, until it sends its clock or asks again.
    mutating func fullReceived(_ full: WireFull, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(full.conversation),
            let author = PeerID(full.author), full.milliseconds > 0
        else { throw .fullFields }
        guard admits(conversation, with: link.peer), let session = links.session(of: conversation, on: id),
            session.isOpen
        else { return }
        links.change(conversation, on: id) { $0.refuses(author) }
        if author == identity {
            let pause = Int64(min(full.milliseconds, UInt64(Limits.quotaMilliseconds)))
            let end = turn.now.monotonic + pause
            links.change(conversation, on: id) { $0.becameFull(until: end) }
            if session.fullUntil == nil { tellDelivery(of: conversation) }
        }
        if links[id]?.unacknowledgedBytes != link.unacknowledgedBytes { push(on: id) }
    }

    /// The user lets somebody write as much as in a whole day.
    mutating func allow(_ peer: PeerID, command id: CommandID) {
        for place in quotas.allow(peer) { askAgain(place) }
        scheduleQuotas()
        tellPeer(peer)
        turn.emit(.answer(id, .success(.done)))
    }

    mutating func setQuota(_ limit: UInt64?) {
        let (freed, filled) = quotas.setLimit(limit)
        for place in freed { askAgain(place) }
        scheduleQuotas()
        for author in Set((freed + filled).map(\.author)).sorted() { tellPeer(author) }
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
        for link in links.ids where askForBodies(of: place.conversation, on: link) { break }
        turn.deadlines.advance(
            .heal(place.conversation),
            to: turn.now.monotonic + turn.random.below(Limits.healDelayMilliseconds)
        )
    }

    private func place(of key: LogKey) -> Quotas.Place {
        Quotas.Place(conversation: key.conversation, author: key.log.author)
    }
}
