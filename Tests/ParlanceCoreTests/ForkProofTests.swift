import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Nodes that know different positions at which a log forks end in the same state.
@Suite struct ForkProofTests {
    private static func fork(_ id: ConversationID, _ log: LogID, _ events: [StoredEvent]) -> WireFrame.OneOf_Kind {
        var fork = WireFork()
        fork.conversation = Data(id.bytes)
        fork.log = log.wire
        fork.branches = events.map { event in
            var wire = event.wire
            wire.clearBody()
            var branch = WireFork.Branch()
            branch.events = [wire]
            return branch
        }
        return .fork(fork)
    }

    private static func events(_ id: ConversationID, _ run: [StoredEvent], _ log: LogID) -> WireFrame.OneOf_Kind {
        var frame = WireEvents()
        frame.conversation = Data(id.bytes)
        frame.events = run.map(\.wire)
        frame.log = log.wire
        return .events(frame)
    }

    /// What a node holds in the end after it has heard of both forks, with or without an earlier proof of the later
    /// fork.
    private func outcome(proofOfTheLaterFork: Bool) throws -> (branches: [LogID], texts: [String]) {
        var author = try RemotePeer()
        var bench = try EngineBench(peers: [author.record()])
        bench.open(1, with: author)
        let (id, root) = (author.conversation(with: bench.identity), author.logID)
        for number in 1...2 { author.write("\(number)", to: bench.identity) }
        var common = author
        for number in 3...4 { common.write("a\(number)", to: bench.identity) }
        var (one, other, early) = (common, common, author)
        one.write("x5", to: bench.identity)
        for number in 5...6 { other.write("y\(number)", to: bench.identity) }
        for number in 3...7 { early.write("b\(number)", to: bench.identity) }
        bench.received(author.events(id, one.log), on: 1)
        bench.received(author.events(id, early.log), on: 1)
        if proofOfTheLaterFork {
            bench.received(Self.fork(id, root, [one.log[4], other.log[4]]), on: 1)
            let name = LogID(branchOf: root, first: other.log[4].id)
            bench.received(Self.events(id, Array(other.log[4...]), name), on: 1)
        }
        bench.received(author.events(id, other.log), on: 1)
        #expect(bench.closed.isEmpty)
        let shown = bench.disk.history(of: id).filter { $0.note == nil }
        return (bench.disk.snapshot.branches.map(\.log).sorted(), shown.map(\.text))
    }

    /// Each frame proves a fork by itself and fits, and together they name all branches (sync.md, "Fork").
    @Test func longProofsGoInSeveralFrames() {
        func proof(_ number: UInt8, _ bytes: Int) -> [UInt8] { [UInt8](repeating: number, count: bytes) }
        let few = (1...3).map { proof($0, 50_000) }
        #expect(Links.portions(of: few) == [few])
        let many = [proof(1, 200_000), proof(2, 40_000), proof(3, 190_000), proof(4, 20_000), proof(5, 240_000)]
        let portions = Links.portions(of: many)
        #expect(portions.allSatisfy { $0.count > 1 && $0.reduce(0) { $0 + $1.count } <= Limits.runBytes })
        #expect(portions.allSatisfy { $0.first == many[3] }, "the shortest is in each")
        #expect(Set(portions.flatMap { $0 }) == Set(many))
        #expect(Links.portions(of: [proof(1, 200_000), proof(2, 200_000)]).isEmpty, "no peer has sent both in a frame")
    }

    /// A proof is sent once on a link. If the disk returns nothing for an event that is held, the link ends, and the next one
    /// tries again.
    @Test func aProofThatCannotBeJudgedEndsTheLink() throws {
        var author = try RemotePeer()
        var bench = try EngineBench(peers: [author.record()])
        bench.open(1, with: author)
        let (id, root) = (author.conversation(with: bench.identity), author.logID)
        author.write("1", to: bench.identity)
        var (one, other) = (author, author)
        one.write("a2", to: bench.identity)
        other.write("b2", to: bench.identity)
        bench.received(author.events(id, one.log), on: 1)
        let proof = Self.fork(id, root, [one.log[1], other.log[1]])
        bench.readsFail = true
        bench.received(proof, on: 1)
        #expect(bench.closed == [LinkID(1)] && bench.disk.snapshot.branches.isEmpty)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.readsFail = false
        bench.open(2, with: author)
        bench.received(proof, on: 2)
        #expect(bench.closed == [LinkID(1)] && bench.disk.snapshot.branches.count == 2)
    }

    /// The store does not know a branch by its name until it is written: a proof about it waits, and the link stays.
    @Test func aProofAboutABranchThatIsBeingWrittenWaits() throws {
        var author = try RemotePeer()
        var bench = try EngineBench(peers: [author.record()])
        bench.open(1, with: author)
        let (id, root) = (author.conversation(with: bench.identity), author.logID)
        author.write("1", to: bench.identity)
        var (one, other) = (author, author)
        for number in 2...3 { one.write("a\(number)", to: bench.identity) }
        other.write("b2", to: bench.identity)
        var (x, y) = (one, one)
        x.write("x4", to: bench.identity)
        y.write("y4", to: bench.identity)
        bench.received(author.events(id, x.log), on: 1)
        bench.writesWait = true
        bench.received(Self.fork(id, root, [x.log[1], other.log[1]]), on: 1)
        let branch = LogID(branchOf: root, first: x.log[1].id)
        bench.received(Self.fork(id, branch, [x.log[3], y.log[3]]), on: 1)
        #expect(bench.closed.isEmpty)
        bench.writesWait = false
        bench.settle()
        #expect(bench.closed.isEmpty && bench.disk.snapshot.branches.count == 4)
    }

    @Test func aProofBeyondAKnownForkChangesNothing() throws {
        let (without, with) = (
            try outcome(proofOfTheLaterFork: false), try outcome(proofOfTheLaterFork: true)
        )
        #expect(without.branches == with.branches && without.branches.count == 4)
        #expect(without.texts == with.texts)
        #expect(Set(with.texts) == ["1", "2", "a3", "a4", "x5", "y5", "y6", "b3", "b4", "b5", "b6", "b7"])
    }
}
