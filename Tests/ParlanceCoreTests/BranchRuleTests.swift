import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Which branches of a log are synced, and which runs begin one (events.md, "Forks").
@Suite struct BranchRuleTests {
    /// An author that has written one event, and then several different events at the next position.
    private struct Forger {
        let id: ConversationID
        let root: LogID
        /// A whole log for each branch: the common event and the branch's own.
        var logs: [[StoredEvent]] = []

        init(_ author: RemotePeer, _ count: Int, to bench: EngineBench, after: [EventReference] = []) {
            var author = author
            author.write("common", to: bench.identity)
            id = author.conversation(with: bench.identity)
            root = author.logID
            for number in 0..<count {
                var other = author
                other.write("\(number)", to: bench.identity, after: after)
                logs.append(other.log)
            }
        }

        func name(_ number: Int) -> LogID { LogID(branchOf: root, first: logs[number][1].id) }

        /// The branches in the order of their names, the smallest first.
        var order: [Int] { logs.indices.sorted { name($0) < name($1) } }

        func proof(_ numbers: some Sequence<Int>) -> WireFrame.OneOf_Kind {
            var fork = WireFork()
            fork.conversation = Data(id.bytes)
            fork.log = root.wire
            fork.branches = numbers.map { number in
                var wire = logs[number][1].wire
                wire.clearBody()
                var branch = WireFork.Branch()
                branch.events = [wire]
                return branch
            }
            return .fork(fork)
        }

        func run(_ number: Int) -> WireFrame.OneOf_Kind {
            var frame = WireEvents()
            frame.conversation = Data(id.bytes)
            frame.events = [logs[number][1].wire]
            frame.log = name(number).wire
            return .events(frame)
        }
    }

    private func texts(_ bench: EngineBench, _ id: ConversationID) -> Set<String> {
        Set(bench.disk.history(of: id).filter { $0.note == nil }.map(\.text))
    }

    /// The logs in the clock that the bench tells, and the hash of that clock.
    private func clock(_ bench: inout EngineBench, _ author: RemotePeer) throws -> (logs: [LogID], hash: Data) {
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(1, with: author)
        bench.received(author.hello(), on: 1)
        let conversation = author.conversation(with: bench.identity)
        bench.received(author.clock(conversation, Clock()), on: 1)
        var (logs, hash): ([LogID], Data?) = ([], nil)
        for frame in bench.takeFrames(on: 1) {
            if case .summary(let summary) = frame { hash = summary.entries.first?.clockHash }
            if case .clock(let clock) = frame { logs = clock.entries.compactMap { LogID($0.log) } }
        }
        return (logs, try #require(hash))
    }

    private func bench(_ author: RemotePeer) throws -> EngineBench {
        var bench = try EngineBench(peers: [author.record()])
        bench.open(1, with: author)
        return bench
    }

    /// The clock has the same branches whatever came first, and nothing that was shown disappears.
    @Test func theSmallestNamesAreSyncedWhateverCameFirst() throws {
        let author = try RemotePeer()
        let count = Limits.branchesPerLog + 5
        let forger = Forger(author, count, to: try bench(author))
        let smallest = forger.order.prefix(Limits.branchesPerLog)
        let expected = ([forger.root] + smallest.map { forger.name($0) }).sorted()
        var hashes: Set<Data> = []
        for order in [Array(0..<count), (0..<count).reversed(), forger.order, forger.order.reversed()] {
            var bench = try bench(author)
            var shown: Set<String> = []
            for number in order {
                bench.received(author.events(forger.id, forger.logs[number]), on: 1)
                let now = texts(bench, forger.id)
                #expect(shown.isSubset(of: now))
                shown = now
            }
            #expect(shown.isSuperset(of: smallest.map { "\($0)" }))
            let told = try clock(&bench, author)
            #expect(told.logs == expected)
            hashes.insert(told.hash)
            // A start does not change that.
            bench.restart()
            #expect(texts(bench, forger.id) == shown)
            #expect(bench.closed.isEmpty)
        }
        #expect(hashes.count == 1)
    }

    /// What an event in a branch refers to is not named by naming that branch: others may displace it.
    @Test func whatADisplacedBranchRefersToIsNamed() throws {
        let author = try RemotePeer()
        var other = try RemotePeer(replica: 0x43)
        var bench = try bench(author)
        let first = other.write("before", to: bench.identity)
        bench.received(author.events(first.header.conversation, other.log), on: 1)
        let reference = EventReference(log: other.logID, sequence: 1, id: first.id)
        let forger = Forger(author, Limits.branchesPerLog + 1, to: bench, after: [reference])
        let last = try #require(forger.order.last)
        bench.received(author.events(forger.id, forger.logs[last]), on: 1)
        bench.received(forger.proof(forger.order.prefix(Limits.branchesPerLog)), on: 1)
        #expect(texts(bench, forger.id) == ["before", "common", "\(last)"])
        _ = try bench.ask(.send(who: "Bob", text: "after all of it"))
        let named = try #require(bench.batches.flatMap(\.events).last).header.dependencies
        #expect(named.contains(reference) && !named.map(\.log).contains(forger.name(last)))
    }

    /// Branches that proofs bring follow the same rule. What is held of a log stays, but is not synced if its name is
    /// too great.
    @Test func proofsCountToo() throws {
        let author = try RemotePeer()
        let count = Limits.branchesPerLog + 3
        let forger = Forger(author, count, to: try bench(author))
        let order = forger.order
        var bench = try bench(author)
        let last = try #require(order.last)
        bench.received(author.events(forger.id, forger.logs[last]), on: 1)
        bench.received(forger.proof(order.suffix(4).prefix(3)), on: 1)
        bench.received(forger.proof(order.prefix(Limits.branchesPerLog)), on: 1)
        for number in order { bench.received(forger.run(number), on: 1) }
        let smallest = order.prefix(Limits.branchesPerLog)
        #expect(texts(bench, forger.id) == Set(["common"] + (smallest + [last]).map { "\($0)" }))
        let told = try clock(&bench, author)
        #expect(told.logs == ([forger.root] + smallest.map { forger.name($0) }).sorted())

        // A branch that is not synced is not sent, and no peer is told to wait for it.
        _ = bench.takeFrames(on: 1)
        bench.received(author.want(forger.id, forger.name(last), after: 1), on: 1)
        #expect(!bench.takeFrames(on: 1).contains { if case .events = $0 { true } else { false } })
        _ = try bench.ask(.send(who: "Bob", text: "which of them?"))
        let named = try #require(bench.batches.flatMap(\.events).last).header.dependencies.map(\.log)
        #expect(!named.isEmpty && Set(named).isSubset(of: told.logs))
        #expect(bench.closed.isEmpty)
    }

    @Test func theRunOfAThirdBranchIsKept() throws {
        let author = try RemotePeer()
        var bench = try bench(author)
        let forger = Forger(author, 3, to: bench)
        for number in 0..<3 {
            bench.received(author.events(forger.id, forger.logs[number]), on: 1)
            #expect(texts(bench, forger.id).contains("\(number)"))
        }
        #expect(bench.closed.isEmpty)
    }

    /// A differing run that ends below the last position held counts as held; it is compared only if it reaches that
    /// position.
    @Test func aRunBelowWhatIsHeldIsNotCompared() throws {
        var author = try RemotePeer()
        var bench = try bench(author)
        let id = author.conversation(with: bench.identity)
        author.write("common", to: bench.identity)
        var (one, other) = (author, author)
        for number in 2...6 { one.write("a\(number)", to: bench.identity) }
        for number in 2...6 { other.write("b\(number)", to: bench.identity) }
        bench.received(author.events(id, one.log), on: 1)
        _ = bench.takeFrames(on: 1)
        let reads = bench.reads.count
        bench.received(author.events(id, other.log[...4]), on: 1)
        #expect(bench.reads.count == reads)
        #expect(bench.disk.snapshot.branches.isEmpty)
        let answer = bench.takeFrames(on: 1).compactMap(\.asHave).flatMap(\.entries)
        #expect(answer.map(\.sequence) == [6] && answer.first?.head == one.log.last.map { Data($0.id.bytes) })

        bench.received(author.events(id, other.log[1...]), on: 1)
        #expect(bench.disk.snapshot.branches.count == 2)
        #expect(texts(bench, id).count == 11)
        #expect(bench.closed.isEmpty)
    }
}
