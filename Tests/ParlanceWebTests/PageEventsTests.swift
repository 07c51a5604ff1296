import ParlanceControl
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceWeb

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

    func openFace() -> @Sendable (FaceReport?) -> Void { { _ in } }

    func tell(_ count: Int) {
        let deliver = deliver.withLock { $0 }
        for _ in 0..<count { deliver?(StoppingEvent(why: "It stops.")) }
    }
}

@Suite struct PageEventsTests {
    private let node = TellingNode()

    /// What is in a stream that has ended.
    private func items(_ stream: (number: UInt64, items: AsyncStream<PageEvents.Item>)) async -> [UInt64?] {
        var numbers: [UInt64?] = []
        for await item in stream.items {
            switch item {
            case .event(let number, _): numbers.append(number)
            case .gap: numbers.append(nil)
            case .beat: numbers.append(0)
            }
        }
        return numbers
    }

    @Test func numbersAreConsecutive() async throws {
        let events = PageEvents(node)
        #expect(!node.isHeard)
        let first = try #require(events.open(after: nil))
        node.tell(2)
        let second = try #require(events.open(after: nil))
        node.tell(1)
        events.beat(second.number)
        events.stop()
        #expect(!node.isHeard)
        #expect(await items(first) == [1, 2, 3])
        #expect(await items(second) == [3, 0])
        #expect(events.open(after: nil) == nil)
    }

    @Test func aLostStreamGoesOnWhereItWas() async throws {
        let events = PageEvents(node)
        let first = try #require(events.open(after: nil))
        node.tell(3)
        events.close(first.number)
        node.tell(2)
        let again = try #require(events.open(after: events.id(2)))
        node.tell(1)
        let upToDate = try #require(events.open(after: events.id(6)))
        events.stop()
        #expect(await items(again) == [3, 4, 5, 6])
        #expect(await items(upToDate) == [])
    }

    @Test(arguments: ["", "x", "1", "-", "other-1", "9"])
    func whatIsNotKeptIsAGap(_ last: String) async throws {
        let events = PageEvents(node)
        _ = try #require(events.open(after: nil))
        node.tell(1)
        let again = try #require(events.open(after: last == "9" ? events.id(9) : last))
        node.tell(1)
        events.stop()
        #expect(await items(again) == [nil, 2])
    }

    @Test func onlySoMuchIsKept() async throws {
        let events = PageEvents(node)
        _ = try #require(events.open(after: nil))
        node.tell(2 * PageLimits.keptEvents)
        let late = try #require(events.open(after: events.id(1)))
        let recent = try #require(events.open(after: events.id(UInt64(2 * PageLimits.keptEvents - 100))))
        events.stop()
        #expect(await items(late) == [nil])
        #expect(await items(recent).count == 100)
    }

    @Test func aSlowPageLosesItsStreamAndMissesNothing() async throws {
        let events = PageEvents(node)
        let slow = try #require(events.open(after: nil))
        let room = PageLimits.keptEvents + PageLimits.waitingEvents
        node.tell(room + 1)
        let seen = await items(slow)
        #expect(seen.count == room)
        let again = try #require(events.open(after: events.id(UInt64(room))))
        events.stop()
        #expect(await items(again) == [UInt64(room + 1)])
    }

    @Test func onlySoManyTabsAreServed() {
        let events = PageEvents(node)
        for _ in 0..<PageLimits.streams { #expect(events.open(after: nil) != nil) }
        #expect(events.open(after: nil) == nil)
        events.close(1)
        #expect(events.open(after: nil) != nil)
    }
}
