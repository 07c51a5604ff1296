import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A store that cannot be read for a moment: the work that needed the read goes on by itself, on the same link.
@Suite struct ReadFailureTests {
    private static let patience = Limits.rereadMilliseconds + 1

    @Test func eventsGoOut() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        for number in 0..<3 { _ = try bench.ask(.send(who: "Bob", text: "\(number)")) }
        bench.failedReads = 2
        bench.open(1, with: bob)
        bench.pass(2 * Self.patience)
        let sent = bench.takeFrames(on: 1).compactMap {
            if case .events(let run) = $0 { run.events.count } else { nil }
        }
        #expect(sent == [3] && bench.failedReads == 0 && bench.closed.isEmpty)
    }

    @Test func aRequestGoesOut() throws {
        let dan = try RemotePeer()
        var bench = try EngineBench(peers: [dan.record(.unknown, name: "Dan")])
        _ = try bench.ask(.send(who: "Dan", text: "hello"))
        bench.failedReads = 1
        bench.opened(1, with: dan)
        bench.received(dan.hello("Dan"), on: 1)
        bench.received(dan.summary(of: []), on: 1)
        #expect(bench.failedReads == 0)
        bench.pass(Self.patience)
        let asked = bench.takeFrames(on: 1).compactMap {
            if case .contactRequest(let request) = $0 { request.preview } else { nil }
        }
        #expect(asked == ["hello"] && bench.closed.isEmpty)
    }

    @Test func bodiesAreGivenWhenTheyAreAskedForAgain() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        bench.open(1, with: bob)
        var wanted = WireBodiesWanted()
        wanted.conversation = Data(bob.conversation(with: bench.identity).bytes)
        wanted.log = LogID(author: bench.identity, replica: EngineBench.ownReplica).wire
        wanted.sequences = [1]
        bench.failedReads = 1
        func bodies() -> Int {
            bench.received(.bodiesWanted(wanted), on: 1)
            return bench.takeFrames(on: 1).count { if case .bodies = $0 { true } else { false } }
        }
        #expect(bodies() == 0)
        #expect(bodies() == 1 && bench.closed.isEmpty)
    }

    /// A courier that keeps an envelope.
    private func courier() throws -> (bench: EngineBench, bob: RemotePeer, fay: RemotePeer) {
        let (bob, fay) = (try RemotePeer(2), try RemotePeer(6, replica: 0x46))
        var record = bob.record()
        record.isCourier = true
        var known = fay.record(name: "Fay")
        var keys = WirePrekeys()
        keys.daily = Data(try X25519KeyPair(secret: SecretBytes(copying: [UInt8](repeating: 9, count: 32))).publicKey)
        keys.made = UInt64(EngineBench.start.wall)
        known.prekeys = keys.encodedBytes()
        var bench = try EngineBench(peers: [record, known])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        return (bench, bob, fay)
    }

    @Test func anEnvelopeIsHandedOver() throws {
        var (bench, _, fay) = try courier()
        var deposit = WireDeposit()
        deposit.envelope.recipient = Data(fay.identity.bytes)
        deposit.envelope.prekey = Data(repeating: 1, count: 32)
        deposit.envelope.ephemeral = Data(repeating: 2, count: 32)
        deposit.envelope.expires = UInt64(bench.now.wall + Limits.prekeyMilliseconds)
        deposit.envelope.sealed = Data(repeating: 3, count: 100)
        bench.received(.deposit(deposit), on: 1)
        #expect(bench.disk.envelopes.count == 1)
        bench.opened(2, with: fay)
        bench.received(fay.hello("Fay"), on: 2)
        bench.failedReads = 2
        bench.pass(Limits.courierDelayMilliseconds)
        func given() -> Int { bench.takeFrames(on: 2).count { if case .handOver = $0 { true } else { false } } }
        #expect(given() == 0 && bench.failedReads == 1)
        bench.pass(2 * Self.patience)
        #expect(given() == 1)
        #expect(bench.disk.envelopes.count == 1, "it is kept until it is taken")
    }

    @Test func whatWaitsIsLeftWithACourier() throws {
        var (bench, _, _) = try courier()
        _ = try bench.ask(.send(who: "Fay", text: "the pump is dry"))
        bench.failedReads = 2
        bench.pass(3 * Self.patience)
        #expect(bench.failedReads == 0)
        #expect(bench.takeFrames(on: 1).count { if case .deposit = $0 { true } else { false } } == 1)
    }

    private func forks(_ bench: inout EngineBench) throws -> Int {
        guard case .success(.forks(let branches)) = try bench.ask(.listForks) else { return 0 }
        return branches.count
    }

    /// Two branches of Bob's log, after their common events.
    private func branches(_ bench: EngineBench) throws -> (one: RemotePeer, other: RemotePeer) {
        var one = try RemotePeer()
        one.write("common", to: bench.identity)
        var other = one
        one.write("here", to: bench.identity)
        other.write("there", to: bench.identity)
        return (one, other)
    }

    @Test func aForkIsFound() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let (one, other) = try branches(bench)
        let id = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        bench.received(one.events(id, one.log), on: 1)
        bench.failedReads = 1
        bench.received(other.events(id, other.log[1...]), on: 1)
        #expect(try forks(&bench) == 0)
        bench.pass(Self.patience)
        #expect(try forks(&bench) == 2 && bench.closed.isEmpty)
    }

    @Test func theProofOfAForkIsTaken() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let (one, other) = try branches(bench)
        let id = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        bench.received(one.events(id, one.log), on: 1)
        var fork = WireFork()
        fork.conversation = Data(id.bytes)
        fork.log = bob.logID.wire
        fork.branches = [one.log[1], other.log[1]].map { event in
            var branch = WireFork.Branch()
            branch.events = [event.wire]
            branch.events[0].clearBody()
            return branch
        }
        bench.failedReads = 1
        bench.received(.fork(fork), on: 1)
        #expect(try forks(&bench) == 0)
        bench.pass(Self.patience)
        #expect(try forks(&bench) == 2 && bench.closed.isEmpty)
    }
}
