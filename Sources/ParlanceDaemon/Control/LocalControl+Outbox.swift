import ParlanceControl
import ParlanceCore
import ParlanceStore
import ParlanceWire

// The outbox is no second copy: it is what the own logs hold beyond what recipients have.
extension LocalControl {
    /// Own messages that have not reached everybody, the oldest first, with where they wait.
    private func waiting(_ places: [Place], limit: Int) throws(StoreError) -> [(message: ShownMessage, place: Place)] {
        var items: [(message: ShownMessage, place: Place)] = []
        for place in places {
            for log in place.delivery.logs {
                guard let settled = place.delivery.settledThrough(log) else { continue }
                let messages = try store.ownMessages(place.conversation, log: log.log, after: settled, limit: limit)
                items += messages.map { ($0, place) }
            }
        }
        return items.sorted { ($0.message.time, $0.message.id) < ($1.message.time, $1.message.id) }
    }

    /// How many own messages wait in all.
    func waitingCount(_ places: [Place]) throws(StoreError) -> Int {
        var count = 0
        for place in places {
            for log in place.delivery.logs {
                guard let settled = place.delivery.settledThrough(log) else { continue }
                count += try store.waitingCount(place.conversation, log: log.log, after: settled)
            }
        }
        return count
    }

    func outbox(_ reply: @escaping Reply) {
        askAll(reply) { [self] places throws(StoreError) in
            let now = Moment.now()
            let waiting = try waiting(places, limit: Self.outboxLimit)
            let items = waiting.prefix(Self.outboxLimit).map { item($0.message, $0.place, now) }
            return .success(.outbox(OutboxReply(items: Array(items), total: try waitingCount(places))))
        }
    }

    private func item(_ message: ShownMessage, _ place: Place, _ now: Moment) -> OutboxItem {
        let lacking = place.delivery.lacking(message)
        let people = lacking.prefix(ControlLimits.peopleListed).map { newsroom.person($0.peer) }
        var item = OutboxItem(
            id: message.id.text,
            conversation: message.conversation.text,
            recipients: people.map { OutboxItem.Recipient(id: $0.id, displayName: $0.displayName) },
            since: ControlTime(milliseconds: message.time.milliseconds),
            status: place.delivery.status(of: message) ?? .staged,
            why: place.delivery.why(message) { newsroom.name(of: $0) } ?? "",
            nextTry: place.delivery.nextTry.map { now.time(ofMonotonic: $0) },
            preview: String(message.text.prefix(80))
        )
        if place.isGroup {
            item.group = place.title
            item.waitsFor = lacking.count
        }
        return item
    }

    /// Items of the outbox told at once: more than anybody reads.
    private static var outboxLimit: Int { 1_000 }

    /// Finds a waiting message by its ID, gives the command about it, and answers with the message as it is then.
    func changeWaiting(
        _ typed: String,
        _ reply: @escaping Reply,
        _ command: @escaping @Sendable (ShownMessage) -> Command
    ) {
        askAll(reply) { [self] places throws(StoreError) in
            let found = try waiting(places, limit: .max).filter { $0.message.id.text.hasPrefix(typed.lowercased()) }
            guard let item = found.first, typed.utf8.count >= PeerID.shortestPrefix else {
                return .failure(.notWaiting)
            }
            guard found.count == 1 else { return .failure(.severalMessages) }
            inbox.offer(command(item.message)) { [self] result in
                if case .failure = result { return give(result, reply) { _ in nil } }
                give(.findConversation(who: item.place.who), reply) { [newsroom] answer in
                    guard let place = Place(answer) else { return nil }
                    return .message(MessageTeller(newsroom: newsroom, place: place).info(item.message))
                }
            }
            return nil
        }
    }
}

extension ControlError {
    fileprivate static let notWaiting = ControlError(
        .notWaiting,
        "No message of that ID is waiting.",
        advice: "See \"parlance outbox\" for what waits; give at least 8 characters of the ID."
    )
}
