import ParlanceControl
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceWeb

private struct TestEvent: ControlEvent {
    static let kind = StoppingEvent.kind
    var cost = 1
}

/// A node that tells only what a test gives it.
private final class TellingNode: NodeControl {
    private let deliver = Mutex<(@Sendable (any ControlEvent) -> Void)?>(nil)
    let methods = ControlMethods()

    var isHeard: Bool { deliver.withLock { $0 != nil } }

    func subscribe(
        _ filter: SubscriptionFilter,
        deliver: @escaping @Sendable (any ControlEvent) -> Void
    ) -> SubscriptionToken {
        self.deliver.withLock { $0 = deliver }
        return SubscriptionToken(rawValue: 1)
    }

    func unsubscribe(_ token: SubscriptionToken) { deliver.withLock { $0 = nil } }

    func registerClient() -> @Sendable (ClientReport?) -> Void { { _ in } }

    func tell(_ count: Int, _ event: any ControlEvent = TestEvent()) {
        let deliver = deliver.withLock { $0 }
        for _ in 0..<count { deliver?(event) }
    }
}

@Suite struct PageEventsTests {
    private let node = TellingNode()

    /// Reads a stream until it ends, and says which events it had: 0 for a beat, nil for a gap.
    private func read(_ stream: PageEvents.Opened, of events: PageEvents) async -> [UInt64?] {
        var numbers: [UInt64?] = []
        for await _ in stream.wakes {
            while let item = events.next(stream.number) {
                switch item {
                case .event(let number, _): numbers.append(number)
                case .gap: numbers.append(nil)
                case .beat: numbers.append(0)
                }
            }
        }
        return numbers
    }

    private func open(_ events: PageEvents, after last: String? = nil) throws -> PageEvents.Opened {
        try #require(events.open(after: last) {})
    }

    @Test func numbersAreConsecutive() async throws {
        let events = PageEvents(node)
        #expect(!node.isHeard)
        let first = try open(events)
        node.tell(2)
        let second = try open(events)
        node.tell(1)
        events.beat(second.number)
        events.stop()
        #expect(!node.isHeard)
        // The last one says that the daemon stops.
        #expect(await read(first, of: events) == [1, 2, 3, 4])
        #expect(await read(second, of: events) == [3, 4, 0])
        #expect(events.open(after: nil) {} == nil)
    }

    @Test func aPageIsToldThatTheDaemonStops() async throws {
        let events = PageEvents(node)
        let stream = try open(events)
        events.stop()
        for await _ in stream.wakes {
            guard case .event(1, let event) = events.next(stream.number) else { continue }
            #expect(event is StoppingEvent)
            return
        }
        Issue.record("nothing was told")
    }

    @Test func aLostStreamGoesOnWhereItWas() async throws {
        let events = PageEvents(node)
        let first = try open(events)
        node.tell(3)
        events.close(first.number)
        #expect(events.next(first.number) == nil)
        node.tell(2)
        let again = try open(events, after: events.id(2))
        node.tell(1)
        let upToDate = try open(events, after: events.id(6))
        events.stop()
        #expect(await read(again, of: events) == [3, 4, 5, 6, 7])
        #expect(await read(upToDate, of: events) == [7])
    }

    @Test(arguments: ["", "x", "1", "-", "other-1", "9", "18446744073709551615"])
    func whatIsNotKeptIsAGap(_ last: String) async throws {
        let events = PageEvents(node)
        _ = try open(events)
        node.tell(1)
        let again = try open(events, after: UInt64(last).map { $0 > 1 ? events.id($0) : last } ?? last)
        node.tell(1)
        events.stop()
        #expect(await read(again, of: events) == [nil, 2, 3])
    }

    @Test func onlySoMuchIsKept() async throws {
        let events = PageEvents(node)
        _ = try open(events)
        node.tell(2 * PageLimits.keptEvents)
        let late = try open(events, after: events.id(1))
        let recent = try open(events, after: events.id(UInt64(2 * PageLimits.keptEvents - 100)))
        events.stop()
        #expect(await read(late, of: events).count == 2)
        #expect(await read(recent, of: events).count == 101)
    }

    /// By the number of events or by their bytes.
    @Test(arguments: [1, PageLimits.keptBytes / 16])
    func aPageThatIsTooSlowLosesItsConnection(_ cost: Int) async throws {
        let events = PageEvents(node)
        let dropped = Mutex(0)
        let slow = try #require(events.open(after: nil) { dropped.withLock { $0 += 1 } })
        let room = cost == 1 ? PageLimits.keptEvents : 16
        node.tell(room, TestEvent(cost: cost))
        #expect(dropped.withLock { $0 } == 0)
        let quick = try open(events)
        node.tell(1, TestEvent(cost: cost))
        #expect(dropped.withLock { $0 } == 1)
        #expect(events.next(slow.number) == nil)
        let again = try open(events, after: events.id(UInt64(room)))
        events.stop()
        #expect(await read(slow, of: events) == [])
        #expect(await read(quick, of: events) == [UInt64(room + 1), UInt64(room + 2)])
        #expect(await read(again, of: events) == [UInt64(room + 1), UInt64(room + 2)])
    }

    @Test func onlySoManyTabsAreServed() throws {
        let events = PageEvents(node)
        let first = try open(events)
        for _ in 1..<PageLimits.streams { _ = try open(events) }
        #expect(events.open(after: nil) {} == nil)
        events.close(first.number)
        _ = try open(events)
    }
}
