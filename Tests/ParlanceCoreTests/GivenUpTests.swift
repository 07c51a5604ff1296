import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What may be in a branch that nobody hands on is not awaited for ever (events.md, "Given up").
@Suite struct GivenUpTests {
    /// Peer 0 has shown an event to peer 1 only, who answered it; this node knows of `count` other branches of that log.
    private func answered(_ count: Int) throws -> (crew: GroupBench, answer: StoredEvent, forger: RemotePeer) {
        var crew = try GroupBench(2)
        for peer in crew.peers.indices { crew.open(peer) }
        let common = crew.write("common", by: 0)
        let before = crew.peers[0]
        let hidden = crew.write("hidden", by: 0)
        let reference = EventReference(log: hidden.log, sequence: hidden.header.sequence, id: hidden.id)
        crew.send([common], by: 0)
        for number in 0..<count {
            var other = before
            let branch = other.write("branch \(number)", to: crew.bench.identity, in: crew.group)
            crew.send([common, branch], by: 0)
        }
        let answer = crew.peers[1].write("answer", to: crew.bench.identity, after: [reference], in: crew.group)
        crew.send([answer], by: 1)
        return (crew, answer, before)
    }

    private func isShown(_ answer: StoredEvent, _ crew: GroupBench) -> Bool {
        crew.bench.disk.history(of: crew.group).contains { $0.id == answer.id }
    }

    @Test func whatNamesAHiddenBranchIsReadWithoutItAfterAMinute() throws {
        var (crew, answer, _) = try answered(Limits.branchesPerLog)
        crew.bench.pass(Limits.provisionalMilliseconds - 1)
        #expect(!isShown(answer, crew))
        crew.bench.pass(1)
        #expect(isShown(answer, crew))
        // The next event names it too, and need not wait again.
        crew.close(1)
        crew.open(1)
        let reference = try #require(answer.header.dependencies.first)
        let next = crew.peers[1].write("next", to: crew.bench.identity, after: [reference], in: crew.group)
        crew.send([next], by: 1)
        #expect(isShown(next, crew))
        crew.bench.restart()
        #expect(isShown(answer, crew) && isShown(next, crew))
    }

    @Test func aNodeThatStartsGivesItUpToo() throws {
        var (crew, answer, _) = try answered(Limits.branchesPerLog)
        crew.bench.restart()
        #expect(!isShown(answer, crew))
        crew.bench.pass(Limits.provisionalMilliseconds)
        #expect(isShown(answer, crew))
    }

    @Test func nothingIsGivenUpOfWhoForkedLess() throws {
        var (crew, answer, _) = try answered(Limits.branchesPerLog - 1)
        crew.bench.pass(10 * Limits.provisionalMilliseconds)
        #expect(!isShown(answer, crew))
        #expect(crew.bench.batches.allSatisfy { $0.givenUp.isEmpty })
    }

    /// The last branch may come when the log has waited already.
    @Test func itIsGivenUpOnceSoManyBranchesAreKnown() throws {
        var (crew, answer, forger) = try answered(Limits.branchesPerLog - 1)
        crew.bench.pass(10 * Limits.provisionalMilliseconds)
        crew.close(0)
        crew.open(0)
        let common = try #require(forger.log.first)
        let branch = forger.write("the last", to: crew.bench.identity, in: crew.group)
        crew.send([common, branch], by: 0)
        crew.bench.pass(Limits.provisionalMilliseconds)
        #expect(isShown(answer, crew))
    }

    /// An event that refers to what was given up has seen nothing of that log, so what is held there is named.
    @Test func whatWasGivenUpCoversNothing() throws {
        var (crew, _, forger) = try answered(Limits.branchesPerLog)
        var second = try RemotePeer(2, replica: 0x43)
        #expect(second.identity == forger.identity)
        let here = second.write("here", to: crew.bench.identity, in: crew.group)
        crew.send([here], by: 0)
        let madeUp = EventReference(log: second.logID, sequence: 99, id: EventID(hashing: [1]))
        for round in 1...2 {
            let event = crew.peers[1].write("round \(round)", to: crew.bench.identity, after: [madeUp], in: crew.group)
            crew.send([event], by: 1)
            crew.bench.pass(2 * Limits.provisionalMilliseconds)
            #expect(isShown(event, crew))
            crew.close(1)
            crew.open(1)
        }
        _ = try crew.bench.ask(.send(who: "Crew", text: "after all of it"))
        let named = try #require(crew.bench.batches.flatMap(\.events).last).header.dependencies
        #expect(named.contains(EventReference(log: second.logID, sequence: 1, id: here.id)))
    }
}
