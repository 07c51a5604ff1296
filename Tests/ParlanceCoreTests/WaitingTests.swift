import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A message that refers to something that does not arrive is shown after a while, and at its position once that has
/// arrived.
@Suite struct WaitingTests {
    /// Bob has sent a message that names one of another replica of his, which the bench does not have.
    private func lacking() throws -> (bench: EngineBench, bob: RemotePeer, missing: RemotePeer) {
        var other = try RemotePeer(replica: 0x43)
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let first = other.write("question", to: bench.identity)
        let reference = EventReference(log: other.logID, sequence: 1, id: first.id)
        bob.write("answer", to: bench.identity, after: [reference])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        bench.received(bob.events(bob.conversation(with: bench.identity), bob.log), on: 1)
        return (bench, bob, other)
    }

    private func notices(_ bench: inout EngineBench) -> [Notice] {
        bench.takeEffects().compactMap { if case .notify(let notice) = $0 { notice } else { nil } }
    }

    private func shown(_ notices: [Notice]) -> [String] {
        notices.compactMap { if case .message(let message) = $0 { message.text } else { nil } }
    }

    private func waiting(_ notices: [Notice]) -> [Set<LogID>] {
        notices.compactMap { if case .waiting(_, let logs) = $0 { logs } else { nil } }
    }

    /// Nobody is sent the log of somebody who has left: an invitation says it, and those who watch are told, once.
    @Test func aDepartureIsToldThoughItsLogDoesNotCome() throws {
        var crew = try GroupBench(2)
        let creation = try #require(crew.bench.batches.flatMap(\.events).first { $0.header.kind == .create })
        for peer in 0...1 { crew.open(peer) }
        var bob = crew.peers[0]
        let departure = bob.change(.leave, after: [creation], in: crew.group)
        _ = crew.bench.takeEffects()
        func told() -> [[EventID]] {
            notices(&crew.bench).compactMap { if case .departed(crew.group, let events) = $0 { events } else { nil } }
        }
        for _ in 0...1 { crew.bench.received(bob.invite(crew.group, [departure]), on: 0) }
        #expect(told() == [[departure.id]])
        guard case .success = try crew.bench.ask(.changeGroup(who: "Crew", .add(["Peer 0"]))) else {
            throw EngineBench.Unexpected(what: "Bob is not added")
        }
        crew.bench.restart()
        crew.open(1)
        #expect(told().isEmpty, "what came before a start is in the history")
    }

    @Test func itIsToldAfterAMinuteAndNoMoreOnceAllIsThere() throws {
        var (bench, bob, other) = try lacking()
        bench.pass(Limits.provisionalMilliseconds - 1)
        #expect(try bench.view(of: bob.identity).overdue.isEmpty)
        #expect(waiting(notices(&bench)).isEmpty)
        bench.pass(1)
        #expect(waiting(notices(&bench)) == [[bob.logID]])
        #expect(try bench.view(of: bob.identity).overdue == [bob.logID])
        // A message that comes after it is told at once.
        bench.open(3, with: bob)
        _ = notices(&bench)
        bob.write("and more", to: bench.identity)
        bench.received(bob.events(bob.conversation(with: bench.identity), bob.log.suffix(1)), on: 3)
        let later = notices(&bench)
        #expect(waiting(later) == [[bob.logID]] && shown(later).isEmpty)

        bench.open(2, with: other)
        _ = notices(&bench)
        bench.received(other.events(other.conversation(with: bench.identity), other.log), on: 2)
        let last = notices(&bench)
        #expect(shown(last) == ["question", "answer", "and more"])
        // Told once more, so that a screen can take back messages that never got their position.
        #expect(waiting(last) == [[]])
        #expect(try bench.view(of: bob.identity).overdue.isEmpty)
        bench.pass(120_000)
        #expect(waiting(notices(&bench)).isEmpty)
    }

    @Test func whatComesInTimeIsNeverToldAsWaiting() throws {
        var (bench, _, other) = try lacking()
        bench.pass(50_000)
        bench.open(2, with: other)
        bench.received(other.events(other.conversation(with: bench.identity), other.log), on: 2)
        bench.pass(120_000)
        let all = notices(&bench)
        #expect(waiting(all).isEmpty && shown(all) == ["question", "answer"])
    }

    @Test func aStartDoesNotHideItAgain() throws {
        let (bench, bob, _) = try lacking()
        var snapshot = bench.disk.snapshot
        snapshot.peers = [bob.record()]
        var engine = Engine(
            snapshot: snapshot,
            signer: bench.key,
            identity: bench.identity,
            replica: EngineBench.ownReplica,
            listeningPort: 0,
            fixed: [],
            entropy: SecretBytes(copying: [UInt8](repeating: 7, count: 32)),
            seed: 1,
            at: bench.now
        )
        var found: Set<LogID>?
        for case .answer(_, .success(.peer(let view))) in engine.handle(
            .commandGiven(CommandID(1), .find(who: bob.identity.grouped)),
            at: bench.now
        ) { found = view.overdue }
        #expect(found == [bob.logID])
    }
}
