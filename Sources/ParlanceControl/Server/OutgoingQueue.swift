import Synchronization

/// What waits to be written to one connection: replies and events, in order, handed over from any thread.
///
/// Whoever adds the first item after a drain is told to wake the event loop; the others ride along, so that a burst
/// of replies costs one wake-up and one write. Replies are bounded by the connection's limit of unanswered requests,
/// events by `ControlLimits.subscriberBufferBytes` for each subscription.
final class OutgoingQueue: Sendable {
    /// Where a reply belongs.
    enum Slot: Sendable {
        case single(RPCID)
        case batch(number: Int, id: RPCID?)
        /// A notification's reply, which nobody sees but which makes room for the next request.
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

    /// Adds a reply; true if the event loop has to be woken.
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

    /// Ends a subscription; false if it was not open. What already waits is still written.
    func close(subscription: Int) -> Bool {
        state.withLock { $0.waiting.removeValue(forKey: subscription) != nil }
    }

    /// Adds an event; true if the event loop has to be woken.
    ///
    /// A subscription whose buffer is full loses what waits, gets `lagged`, and ends.
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

    /// Takes everything that waits.
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

    /// A wake-up came while the socket could not be written: the items wait, and the next item need not wake again.
    func hold() {
        state.withLock { $0.isWakeUpUnderWay = true }
    }

    /// Drops everything, now and later.
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
