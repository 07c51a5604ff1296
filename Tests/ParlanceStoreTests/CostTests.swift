import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// The number of pages that a message writes to disk. `contrib/bench` measures the bytes with real daemons.
@Suite struct CostTests {
    /// SQLite writes whole pages of 2 KiB: one of each table that a message changes, and sometimes more when one is full.
    @Test(arguments: [true, false]) func shortMessageWritesAtMostSevenPages(isOwn: Bool) throws {
        var office = try Office(seed: 401)
        for number in 0..<400 {
            let own = office.mine.say("mine \(number)", after: office.theirs.reference.map { [$0] } ?? [])
            let theirs = office.theirs.say("theirs \(number)", after: [own.reference])
            try office.test.persist([own, theirs])
        }
        let text = "a text as short as most of them are..."
        #expect(text.utf8.count == 38)
        let messages = 50
        let before = try written(office.test.store)
        for _ in 0..<messages {
            let event =
                isOwn
                ? office.mine.say(text, after: [try #require(office.theirs.reference)])
                : office.theirs.say(text, after: [try #require(office.mine.reference)])
            try office.test.persist([event])
        }
        let bytes = (try written(office.test.store) - before) / messages
        #expect(bytes > 3 * 2048 && bytes <= 7 * 2048, "\(bytes) bytes a message")
    }

    /// The bytes of the pages that were written since the write-ahead log was last emptied.
    private func written(_ store: Store) throws -> Int {
        try store.write { writer, _ in writer.gauge.bytes }
    }
}
