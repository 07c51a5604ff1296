import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A log that forks at several places, of which a node hears in any order (events.md, "Forks"; sync.md, "Fork").
@Suite struct ForkPlacesTests {
    /// The author has signed "left" and "right" after event 2, and "upper" and "lower" after "left" and one more event.
    private struct Author {
        let bob: RemotePeer
        let id: ConversationID
        let common: [StoredEvent]
        var left: [StoredEvent] = []
        var right: [StoredEvent] = []
        /// After event 2, too.
        var other: [StoredEvent] = []
        var upper: [StoredEvent] = []
        var lower: [StoredEvent] = []

        init(to bench: EngineBench, isSigned: Bool = true) throws {
            var bob = try RemotePeer()
            for number in 1...2 { bob.write("common \(number)", to: bench.identity, isHead: isSigned) }
            id = bob.conversation(with: bench.identity)
            common = bob.log
            var other = bob
            right = [other.write("right", to: bench.identity)]
            other = bob
            self.other = [other.write("other", to: bench.identity)]
            left = [bob.write("left", to: bench.identity), bob.write("left too", to: bench.identity)]
            other = bob
            upper = [bob.write("upper", to: bench.identity)]
            lower = [other.write("lower", to: bench.identity)]
            self.bob = bob
        }

        var root: LogID { bob.logID }

        func name(_ branch: [StoredEvent]) -> LogID { LogID(branchOf: root, first: branch[0].id) }

        func proof(_ log: LogID, _ branches: [StoredEvent]...) -> WireFrame.OneOf_Kind {
            var fork = WireFork()
            fork.conversation = Data(id.bytes)
            fork.log = log.wire
            fork.branches = branches.map { events in
                var branch = WireFork.Branch()
                branch.events = events.prefix(1).map(\.wire).map { event in
                    var bare = event
                    bare.clearBody()
                    return bare
                }
                return branch
            }
            return .fork(fork)
        }

        func run(_ events: [StoredEvent], of branch: LogID? = nil) -> WireFrame.OneOf_Kind {
            var frame = WireEvents()
            frame.conversation = Data(id.bytes)
            frame.events = events.map(\.wire)
            if let branch { frame.log = branch.wire }
            return .events(frame)
        }
    }

    private func bench(isSigned: Bool = true) throws -> (EngineBench, Author) {
        var bench = try EngineBench(peers: [RemotePeer().record()])
        let author = try Author(to: bench, isSigned: isSigned)
        bench.open(1, with: author.bob)
        // The conversation exists.
        var other = try RemotePeer(replica: 0x43)
        other.write("here", to: bench.identity)
        bench.received(author.run(other.log), on: 1)
        return (bench, author)
    }

    private func texts(_ bench: EngineBench, _ author: Author) -> Set<String> {
        Set(bench.disk.history(of: author.id).filter { $0.note == nil }.map(\.text)).subtracting(["here"])
    }

    private func parents(_ bench: EngineBench) -> [LogID: LogID] {
        Dictionary(bench.disk.snapshot.branches.map { ($0.log, $0.parent) }) { first, _ in first }
    }

    /// The later place is heard of first, and nothing of the log beyond the earlier one is held: until more is known, both
    /// seem to fork from the root. Whoever is told gets a proof of each place, since a proof of two would be a breach.
    @Test func eachPlaceIsProvenByItself() throws {
        var (bench, author) = try bench()
        bench.received(author.run(author.common), on: 1)
        bench.received(author.proof(author.root, author.upper, author.lower), on: 1)
        bench.received(author.proof(author.root, author.left, author.right), on: 1)
        #expect(bench.closed.isEmpty && bench.disk.snapshot.branches.count == 4)
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = bench.takeEffects()
        bench.opened(2, with: author.bob)
        bench.received(author.bob.hello(), on: 2)
        bench.received(author.bob.clock(author.id, Clock()), on: 2)
        let proofs = bench.takeFrames(on: 2).compactMap { if case .fork(let fork) = $0 { fork } else { nil } }
        #expect(proofs.count == 2)
        for proof in proofs {
            let bases = proof.branches.map { branch in
                branch.events.first.flatMap { ReceivedEvent($0).header?.previous }
            }
            #expect(bases.count == 2 && Set(bases).count == 1)
        }
    }

    /// A proof that names the branch from which others fork puts them there, and then all of it can be applied.
    @Test func aProofPutsBranchesWhereTheyBelong() throws {
        var (bench, author) = try bench()
        bench.received(author.run(author.common), on: 1)
        bench.received(author.proof(author.root, author.upper, author.lower), on: 1)
        bench.received(author.proof(author.root, author.left, author.right), on: 1)
        bench.received(author.proof(author.name(author.left), author.upper, author.lower), on: 1)
        for name in [author.upper, author.lower].map({ author.name($0) }) {
            #expect(parents(bench)[name] == author.name(author.left))
        }
        for branch in [author.left, author.right, author.upper, author.lower] {
            bench.received(author.run(branch, of: author.name(branch)), on: 1)
        }
        let all: Set = ["common 1", "common 2", "left", "left too", "right", "upper", "lower"]
        #expect(texts(bench, author) == all && bench.closed.isEmpty)
        bench.restart()
        #expect(texts(bench, author) == all)
    }

    /// A run from a peer that knows of no fork may lead through a branch into one of its branches. Each part goes where it
    /// belongs, whether or not the branches are known.
    @Test(arguments: [false, true])
    func aRunThroughABranchIsParted(isKnown: Bool) throws {
        var (bench, author) = try bench()
        bench.received(author.run(author.common), on: 1)
        if isKnown {
            bench.received(author.proof(author.root, author.left, author.right), on: 1)
            bench.received(author.proof(author.name(author.left), author.upper, author.lower), on: 1)
        } else {
            // "left" is in no proof, so "upper" and "lower" seem to fork from the root.
            bench.received(author.proof(author.root, author.upper, author.lower), on: 1)
            bench.received(author.run(author.right), on: 1)
            bench.received(author.proof(author.root, author.right, author.other), on: 1)
        }
        for _ in 1...2 { bench.received(author.run(author.common + author.left + author.upper), on: 1) }
        for branch in [author.left, author.upper] {
            let key = LogKey(author.id, author.name(branch))
            #expect(bench.disk.position(of: key) == branch.last?.position)
        }
        #expect(parents(bench)[author.name(author.upper)] == author.name(author.left))
        #expect(bench.closed.isEmpty)
    }

    /// Somebody who knows of more forks may prove one of a branch that is not known here. That is no breach.
    @Test func aProofAboutAnUnknownBranchIsIgnored() throws {
        var (bench, author) = try bench()
        bench.received(author.run(author.common), on: 1)
        bench.received(author.proof(author.name(author.left), author.upper, author.lower), on: 1)
        #expect(bench.closed.isEmpty && bench.disk.snapshot.branches.isEmpty)
        // Of a log that is known it is one.
        let other = try RemotePeer(replica: 0x43)
        var second = other
        second.write("here", to: bench.identity)
        bench.received(author.run(second.log), on: 1)
        bench.received(author.proof(other.logID, author.left, author.right), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    // An author that signs nothing before it forks its log. What the branches have in common is proved by what follows it.

    /// The branches that a node has heard of prove what they have in common.
    @Test func whatLeadsToAKnownForkIsTakenThoughUnsigned() throws {
        var (bench, author) = try bench(isSigned: false)
        bench.received(author.proof(author.root, author.left, author.right), on: 1)
        bench.received(author.run(Array(author.common.prefix(1))), on: 1)
        #expect(texts(bench, author).isEmpty, "it does not lead to the fork")
        bench.received(author.run(author.common), on: 1)
        bench.received(author.run(author.left, of: author.name(author.left)), on: 1)
        #expect(texts(bench, author) == ["common 1", "common 2", "left", "left too"] && bench.closed.isEmpty)
        bench.restart()
        #expect(texts(bench, author) == ["common 1", "common 2", "left", "left too"])
    }

    @Test func whatLeadsToNoKnownForkIsNotTakenUnsigned() throws {
        var (bench, author) = try bench(isSigned: false)
        bench.received(author.run(author.common), on: 1)
        #expect(bench.closed == [LinkID(1)] && texts(bench, author).isEmpty)
    }

    /// A peer that has not heard of the fork sends both parts at once.
    @Test func aRunAcrossAnUnsignedForkIsTaken() throws {
        var (bench, author) = try bench(isSigned: false)
        bench.received(author.proof(author.root, author.left, author.right), on: 1)
        bench.received(author.run(author.common + author.right), on: 1)
        #expect(texts(bench, author) == ["common 1", "common 2", "right"] && bench.closed.isEmpty)
    }

    /// Whoever knows of the fork hands on what leads to it, after the proof.
    @Test func whatLeadsToAForkIsHandedOnAfterItsProof() throws {
        var (bench, author) = try bench(isSigned: false)
        bench.received(author.run(author.common + author.left), on: 1)
        bench.received(author.proof(author.root, author.left, author.right), on: 1)
        bench.received(author.run(author.right, of: author.name(author.right)), on: 1)
        #expect(texts(bench, author).count == 5 && bench.closed.isEmpty)
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = bench.takeEffects()
        bench.opened(2, with: author.bob)
        bench.received(author.bob.hello(), on: 2)
        bench.received(author.bob.clock(author.id, Clock()), on: 2)
        bench.received(author.bob.want(author.id, author.root, after: 0), on: 2)
        let frames = bench.takeFrames(on: 2)
        let proof = try #require(frames.firstIndex { if case .fork = $0 { true } else { false } })
        let run = try #require(frames.firstIndex { if case .events = $0 { true } else { false } })
        #expect(proof < run)
        guard case .events(let events) = frames[run] else { return }
        #expect(events.events.map { ReceivedEvent($0).id } == author.common.map(\.id))
        #expect(events.events.last?.signature.isEmpty == true && !events.hasLog)
        // Whoever has heard of nothing takes both in this order.
        var (other, _) = try self.bench(isSigned: false)
        for frame in frames.filter({ if case .fork = $0 { true } else if case .events = $0 { true } else { false } }) {
            other.received(frame, on: 1)
        }
        #expect(texts(other, author) == ["common 1", "common 2"] && other.closed.isEmpty)
    }
}
