import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A fork of a log becomes known while the disk is about to answer something about the log.
@Suite struct PartingTests {
    /// The clock entries that the node told, as a peer reads them.
    private func told(_ bench: inout EngineBench) throws -> [Clock] {
        try bench.takeFrames(on: 1).compactMap { frame in
            switch frame {
            case .clock(let clock): try Clock(decoding: clock.entries)
            case .have(let have): try Clock(decoding: have.entries)
            default: nil
            }
        }
    }

    /// The answer to a batch that was written before the fork was known names sequences beyond the base.
    @Test func whatIsMissingGoesWithItsBranch() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let id = bob.conversation(with: bench.identity)
        for number in 1...2 { bob.write("\(number)", to: bench.identity) }
        var (one, other) = (bob, bob)
        for number in 3...5 { one.write("a\(number)", to: bench.identity) }
        for number in 3...5 { other.write("b\(number)", to: bench.identity) }
        let bare = one.log.map { event in
            var bare = event
            if event.header.sequence > 2 { bare.body = nil }
            return bare
        }
        bench.received(bob.events(id, bare), on: 1)
        #expect(try told(&bench).last?.entries[bob.logID]?.missing == [3, 4, 5])

        bench.writesWait = true
        var bodies = WireBodies()
        bodies.conversation = Data(id.bytes)
        bodies.log = bob.logID.wire
        var entry = WireBodies.Entry()
        entry.sequence = 3
        entry.body = Data(try #require(one.log[2].body))
        bodies.entries = [entry]
        bench.received(.bodies(bodies), on: 1)
        bench.received(other.events(id, other.log), on: 1)
        _ = try told(&bench)
        bench.writesWait = false
        bench.settle()
        let clocks = try told(&bench)
        let branch = LogID(branchOf: bob.logID, first: one.log[2].id)
        #expect(clocks.allSatisfy { $0.entries[bob.logID]?.missing ?? [] == [] })
        let root = try #require(clocks.last { $0.entries[bob.logID] != nil })
        #expect(root.entries[bob.logID]?.position == bob.log.last?.position)
        #expect(clocks.last { $0.entries[branch] != nil }?.entries[branch]?.missing == [4, 5])
        #expect(bench.closed.isEmpty)
    }
}
