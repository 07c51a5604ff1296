import Synchronization

/// The replies and events that wait to be written to one connection, in order; any thread may add to it.
///
/// The caller that adds the first item after a drain is told to wake the event loop; later callers are not, so that a
/// burst of replies costs one wake-up and one write. The connection's limit of unanswered requests bounds the replies,
/// `ControlLimits.subscriberBufferBytes` the events of each subscription.
final class OutgoingQueue: Sendable {
    /// Where a reply goes.
    enum Slot: Sendable {
        case single(RPCID)
        case batch(number: Int, id: RPCID?)
        /// The reply to a notification: nobody sees it, but it makes room for the next request.
        case unseen
    }

    enum Item: Sendable {
        case reply(Slot, ControlMethods.Answer)
        case event(subscription: Int, any ControlEvent)
    }

    private struct State {
        var items: [Item] = []
        /// The estimated bytes that wait for each open subscription.
        var waiting: [Int: Int] = [:]
        var isWakeUpUnderWay = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let eventLimit: Int

    init(eventLimit: Int) {
        self.eventLimit = eventLimit
    }

    /// Adds a reply; returns true if the event loop must be woken.
    func add(_ slot: Slot, _ result: ControlMethods.Answer) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            state.items.append(.reply(slot, result))
            return Self.wakes(&state)
        }
    }

    func open(subscription: Int) {
        state.withLock { $0.waiting[subscription] = 0 }
    }

    /// Takes no more events of a subscription. The connection skips those in the queue.
    func close(subscription: Int) {
        state.withLock { $0.waiting[subscription] = nil }
    }

    /// Adds an event; returns true if the event loop must be woken.
    ///
    /// A subscription whose buffer is full loses its waiting events, gets `lagged`, and ends.
    func add(_ event: any ControlEvent, subscription: Int) -> Bool {
        state.withLock { state in
            guard !state.isClosed, let waiting = state.waiting[subscription] else { return false }
            guard waiting + event.cost > eventLimit else {
                state.waiting[subscription] = waiting + event.cost
                state.items.append(.event(subscription: subscription, event))
                return Self.wakes(&state)
            }
            let before = state.items.count
            state.items.removeAll { item in
                if case .event(subscription, _) = item { true } else { false }
            }
            state.waiting[subscription] = nil
            let dropped = before - state.items.count + 1
            state.items.append(.event(subscription: subscription, LaggedEvent(dropped: dropped)))
            return Self.wakes(&state)
        }
    }

    /// Removes and returns all items.
    func drain() -> [Item] {
        state.withLock { state in
            state.isWakeUpUnderWay = false
            let items = state.items
            state.items = []
            state.items.reserveCapacity(min(items.count, 256))
            for subscription in state.waiting.keys { state.waiting[subscription] = 0 }
            return items
        }
    }

    /// Handles a wake-up while the socket cannot be written: items stay, and the next item need not wake the loop
    /// again.
    func hold() {
        state.withLock { $0.isWakeUpUnderWay = true }
    }

    /// Drops all items, now and later.
    func shut() {
        state.withLock { state in
            state.isClosed = true
            state.items = []
            state.waiting = [:]
        }
    }

    private static func wakes(_ state: inout State) -> Bool {
        defer { state.isWakeUpUnderWay = true }
        return !state.isWakeUpUnderWay
    }
}
