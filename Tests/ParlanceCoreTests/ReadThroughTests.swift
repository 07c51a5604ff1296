import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Reading a conversation up to what a page has shown.
@Suite struct ReadThroughTests {
    /// The sequences through which Bob is told that his log was read.
    private func told(_ bench: inout EngineBench) -> [UInt64] {
        bench.takeFrames(on: 1).compactMap(\.asWatermarks).flatMap(\.entries).filter { $0.level == .read }
            .map(\.sequence)
    }

    private func read(_ bob: RemotePeer, through position: LogPosition?, _ bench: inout EngineBench) throws -> [UInt64]
    {
        let positions = position.map { [bob.logID: $0] } ?? [:]
        #expect(try bench.ask(.read(who: "Bob", through: positions)) == .success(.done))
        return told(&bench)
    }

    @Test func nothingBeyondThePageIsRead() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        for text in ["one", "two", "three"] { bob.write(text, to: bench.identity) }
        bench.received(bob.events(bob.conversation(with: bench.identity), bob.log), on: 1)
        _ = bench.takeEffects()
        #expect(try read(bob, through: nil, &bench) == [], "the page shows nothing of the log")
        #expect(try read(bob, through: bob.log[1].position, &bench) == [2])
        #expect(try read(bob, through: bob.log[0].position, &bench) == [], "it was read further before")
    }

    /// The store may show more than it has reported: then everything that it has reported is read.
    @Test func aPositionFartherThanIsKnownCountsAsTheKnownEnd() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        for text in ["one", "two"] { bob.write(text, to: bench.identity) }
        bench.received(bob.events(bob.conversation(with: bench.identity), bob.log), on: 1)
        _ = bench.takeEffects()
        let third = bob.write("three", to: bench.identity)
        #expect(try read(bob, through: third.position, &bench) == [2])
    }
}
