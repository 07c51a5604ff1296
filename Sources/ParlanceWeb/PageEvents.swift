import NIOCore
import ParlanceControl
import ParlanceSodium
import Synchronization

/// Hands the node's events to the streams of all pages, numbered without gaps, and keeps the last ones for a page that
/// lost its stream (protocol/page.md, "Events").
final class PageEvents: Sendable {
    /// What goes into a stream.
    enum Item: Sendable {
        case event(number: UInt64, any ControlEvent)
        /// Something is missing before what follows.
        case gap
        /// Nothing has come for a while.
        case beat
    }

    private struct State {
        var last: UInt64 = 0
        var kept: [(number: UInt64, event: any ControlEvent)] = []
        var keptCost = 0
        var streams: [UInt64: AsyncStream<Item>.Continuation] = [:]
        var lastStream: UInt64 = 0
        var token: SubscriptionToken?
        var isStopped = false
    }

    private let node: any NodeControl
    private let state = Mutex(State())
    /// Names this run of the daemon: numbers of another run mean other events.
    let run = Hex.text(RandomBytes.bytes(8))

    init(_ node: any NodeControl) {
        self.node = node
    }

    /// Opens a stream.
    ///
    /// - Parameter last: the ID of the last event that the page has seen, if any.
    /// - Returns: nil if there are too many, or the daemon stops.
    func open(after last: String?) -> (number: UInt64, items: AsyncStream<Item>)? {
        subscribe()
        let (items, continuation) = AsyncStream.makeStream(
            of: Item.self,
            bufferingPolicy: .bufferingOldest(PageLimits.keptEvents + PageLimits.waitingEvents)
        )
        let opened: UInt64? = state.withLock { state -> UInt64? in
            guard !state.isStopped, state.streams.count < PageLimits.streams else { return nil }
            state.lastStream += 1
            state.streams[state.lastStream] = continuation
            if let last {
                guard let seen = number(in: last), let missed = Self.kept(state, after: seen) else {
                    continuation.yield(.gap)
                    return state.lastStream
                }
                for (number, event) in missed { continuation.yield(.event(number: number, event)) }
            }
            return state.lastStream
        }
        return opened.map { ($0, items) }
    }

    func close(_ stream: UInt64) {
        state.withLock { $0.streams.removeValue(forKey: stream) }?.finish()
    }

    func beat(_ stream: UInt64) {
        state.withLock { $0.streams[stream] }?.yield(.beat)
    }

    /// Ends all streams; none begins any more.
    func stop() {
        let (token, streams) = state.withLock { state in
            state.isStopped = true
            defer { (state.token, state.streams) = (nil, [:]) }
            return (state.token, state.streams.values)
        }
        for stream in streams { stream.finish() }
        if let token { node.unsubscribe(token) }
    }

    func id(_ number: UInt64) -> String { "\(run)-\(number)" }

    /// The number in an ID of this run.
    private func number(in id: String) -> UInt64? {
        let parts = id.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == run else { return nil }
        return UInt64(parts[1])
    }

    /// Begins to listen when the first page comes: without one nothing is kept.
    private func subscribe() {
        guard state.withLock({ $0.token == nil && !$0.isStopped }) else { return }
        let token = node.subscribe(SubscriptionFilter()) { [weak self] in self?.take($0) }
        let extra: SubscriptionToken? = state.withLock { state in
            guard state.token == nil, !state.isStopped else { return token }
            state.token = token
            return nil
        }
        if let extra { node.unsubscribe(extra) }
    }

    private func take(_ event: any ControlEvent) {
        let slow = state.withLock { state in
            state.last += 1
            state.kept.append((state.last, event))
            state.keptCost += event.cost
            Self.trim(&state)
            var slow: [UInt64] = []
            for (number, stream) in state.streams {
                if case .dropped = stream.yield(.event(number: state.last, event)) { slow.append(number) }
            }
            return slow
        }
        for stream in slow { close(stream) }
    }

    /// Drops the oldest, half of the room at once, so that this costs little.
    private static func trim(_ state: inout State) {
        guard state.kept.count > PageLimits.keptEvents || state.keptCost > PageLimits.keptBytes else { return }
        var cost = state.keptCost
        var drop = 0
        while drop < state.kept.count,
            state.kept.count - drop > PageLimits.keptEvents / 2 || cost > PageLimits.keptBytes / 2
        {
            cost -= state.kept[drop].event.cost
            drop += 1
        }
        state.kept.removeFirst(drop)
        state.keptCost = cost
    }

    /// What came after an event; nil if not all of it is kept.
    private static func kept(
        _ state: State,
        after seen: UInt64
    ) -> ArraySlice<(number: UInt64, event: any ControlEvent)>? {
        guard seen <= state.last, state.last - seen <= UInt64(state.kept.count) else { return nil }
        return state.kept.suffix(Int(state.last - seen))
    }
}
