import ParlanceControl
import ParlanceSodium
import ParlanceWords
import Synchronization

/// Hands the node's events to the streams of all pages, numbered without gaps (protocol/page.md, "Events"). The last ones are
/// kept once for all: a stream is a place among them, so slow pages take no memory, and a page that lost its stream finds
/// what it missed.
final class PageEvents: Sendable {
    /// What goes into a stream.
    enum Item: Sendable {
        case event(number: UInt64, any ControlEvent)
        /// Something is missing before what follows.
        case gap
        /// A while has passed.
        case beat
    }

    /// A stream, by its number.
    struct Opened: Sendable {
        let number: UInt64
        /// Something may be there for `next`; ends with the stream.
        let wakes: AsyncStream<Void>
    }

    private struct Stream {
        /// The last event that it was given.
        var seen: UInt64
        var hasGap = false
        var isBeatDue = false
        let wake: AsyncStream<Void>.Continuation
        /// Closes its connection.
        let drop: @Sendable () -> Void
    }

    private struct State {
        var kept = KeptEvents()
        var streams: [UInt64: Stream] = [:]
        var lastStream: UInt64 = 0
        var isHeard = false
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
    /// - Parameters:
    ///   - last: the ID of the last event that the page has seen, if any.
    ///   - drop: closes the connection of a page that is so slow that what it has not read is not kept any more.
    /// - Returns: nil if there are too many, or the daemon stops.
    func open(after last: String?, drop: @escaping @Sendable () -> Void) -> Opened? {
        subscribe()
        return state.withLock { state -> Opened? in
            guard !state.isStopped, state.streams.count < PageLimits.streams else { return nil }
            let (wakes, wake) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            var stream = Stream(seen: state.kept.last, wake: wake, drop: drop)
            if let last {
                let seen = number(in: last).flatMap { state.kept.holdsAll(after: $0) ? $0 : nil }
                stream.seen = seen ?? state.kept.last
                stream.hasGap = seen == nil
                wake.yield()
            }
            state.lastStream += 1
            state.streams[state.lastStream] = stream
            return Opened(number: state.lastStream, wakes: wakes)
        }
    }

    /// What comes next in a stream; nil if nothing is there yet, or it was closed.
    func next(_ number: UInt64) -> Item? {
        state.withLock { state in
            guard var stream = state.streams[number] else { return nil }
            defer { state.streams[number] = stream }
            if stream.hasGap {
                stream.hasGap = false
                return .gap
            }
            if let event = state.kept.event(after: stream.seen) {
                stream.seen += 1
                return .event(number: stream.seen, event)
            }
            defer { stream.isBeatDue = false }
            return stream.isBeatDue ? .beat : nil
        }
    }

    func close(_ stream: UInt64) {
        state.withLock { $0.streams.removeValue(forKey: stream) }?.wake.finish()
    }

    func beat(_ stream: UInt64) {
        state.withLock { state in
            state.streams[stream]?.isBeatDue = true
            state.streams[stream]?.wake.yield()
        }
    }

    /// Tells all pages that the daemon stops, and ends their streams once they have what was there; none begins any more.
    func stop() {
        take(StoppingEvent(why: Phrase("The daemon stops.")))
        let (token, streams) = state.withLock { state in
            state.isStopped = true
            defer { state.token = nil }
            return (state.token, state.streams.values.map(\.wake))
        }
        for wake in streams { wake.finish() }
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
        let isFirst = state.withLock { state in
            defer { state.isHeard = true }
            return !state.isHeard && !state.isStopped
        }
        guard isFirst else { return }
        // Some kinds come only to those who name them.
        let everything = SubscriptionFilter(events: Set(ControlEventKind.allCases))
        let token = node.subscribe(everything) { [weak self] in self?.take($0) }
        let isLate = state.withLock { state in
            if !state.isStopped { state.token = token }
            return state.isStopped
        }
        if isLate { node.unsubscribe(token) }
    }

    private func take(_ event: any ControlEvent) {
        let dropped: [Stream] = state.withLock { state in
            guard !state.isStopped else { return [] }
            state.kept.add(event)
            var dropped: [Stream] = []
            for (number, stream) in state.streams {
                if state.kept.holdsAll(after: stream.seen) {
                    stream.wake.yield()
                } else {
                    dropped.append(stream)
                    state.streams[number] = nil
                }
            }
            return dropped
        }
        for stream in dropped {
            stream.wake.finish()
            stream.drop()
        }
    }
}
