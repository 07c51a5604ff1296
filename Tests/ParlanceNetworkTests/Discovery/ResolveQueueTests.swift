import Testing

@testable import ParlanceNetwork

@Suite struct ResolveQueueTests {
    private func place(_ name: String) -> ServiceRecord.Place {
        ServiceRecord.Place(instance: name, interface: 1, family: 0)
    }

    @Test func asksAFewAtATimeInOrder() {
        var queue = ResolveQueue(parallel: 2, capacity: 10, attempts: 2)
        for name in ["a", "b", "c", "a"] { queue.appeared(place(name)) }
        #expect(queue.next() == place("a"))
        #expect(queue.next() == place("b"))
        #expect(queue.next() == nil)
        #expect(queue.ended(place("a"), wasAnswered: true) == true)
        #expect(queue.next() == place("c"))
        #expect(queue.next() == nil, "a is known and not asked for again")
    }

    @Test func asksAgainButNotForEver() {
        var queue = ResolveQueue(parallel: 1, capacity: 10, attempts: 2)
        queue.appeared(place("a"))
        for _ in 0..<2 {
            #expect(queue.next() == place("a"))
            #expect(queue.ended(place("a"), wasAnswered: false) == false)
        }
        #expect(queue.next() == nil)
        queue.vanished(place("a"))
        queue.appeared(place("a"))
        #expect(queue.next() == place("a"), "a new announcement is a new chance")
    }

    @Test func anAnswerForWhatVanishedIsNotWanted() {
        var queue = ResolveQueue(parallel: 1, capacity: 10, attempts: 2)
        queue.appeared(place("a"))
        _ = queue.next()
        queue.vanished(place("a"))
        #expect(queue.ended(place("a"), wasAnswered: true) == false)
        queue.appeared(place("b"))
        queue.vanished(place("b"))
        #expect(queue.next() == nil)
        queue.appeared(place("c"))
        #expect(queue.next() == place("c"), "the question of a left its place free")
    }

    @Test func aFloodIsNotRemembered() {
        var queue = ResolveQueue(parallel: 4, capacity: 100, attempts: 2)
        for index in 0..<10_000 { queue.appeared(place("n\(index)")) }
        var asked = 0
        while let next = queue.next() {
            _ = queue.ended(next, wasAnswered: true)
            asked += 1
        }
        #expect(asked == 100)
    }
}
