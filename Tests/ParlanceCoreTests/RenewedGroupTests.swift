import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// The replica is renewed while a member joins: what memory holds of the recipients stays what is on disk.
@Suite struct RenewedGroupTests {
    private let dan: RemotePeer
    private let eve: RemotePeer

    init() throws {
        dan = try RemotePeer(4, replica: 0x44)
        eve = try RemotePeer(5, replica: 0x45)
    }

    private func bench(_ bob: RemotePeer) throws -> EngineBench {
        var bench = try EngineBench(peers: [bob.record(), dan.record(name: "Dan"), eve.record(name: "Eve")])
        let nonce = [UInt8](repeating: 7, count: 16)
        _ = try bench.ask(.createGroup(title: "Crew", who: ["Bob"], nonce: nonce)).get()
        _ = try bench.ask(.send(who: "Crew", text: "hello")).get()
        return bench
    }

    /// A peer has seen a later epoch of this replica.
    private func renew(_ bob: RemotePeer, _ bench: inout EngineBench) {
        bench.opened(1, with: bob)
        bench.received(bob.bye(.stale), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
    }

    private func expectSame(_ bench: EngineBench) {
        let (kept, disk) = (bench.engine.kept.recipients, bench.disk.snapshot.recipients)
        #expect(Set(kept.map(\.peer)) == Set(disk.map(\.peer)))
        #expect(kept.allSatisfy { $0.after == 0 } && disk.allSatisfy { $0.after == 0 })
    }

    @Test func aRowThatIsBeingWrittenIsZero() throws {
        let bob = try RemotePeer()
        var bench = try bench(bob)
        bench.diskWaits = true
        bench.give(.changeGroup(who: "Crew", .add(["Dan"])))
        renew(bob, &bench)
        bench.diskWaits = false
        bench.settle()
        expectSame(bench)
        // A batch that fails later does not bring the old position back.
        bench.diskFails = true
        bench.give(.changeGroup(who: "Crew", .add(["Eve"])))
        bench.diskFails = false
        bench.pass(10_000)
        expectSame(bench)
    }

    @Test func aRowThatWasNotWrittenGoes() throws {
        let bob = try RemotePeer()
        var bench = try bench(bob)
        bench.diskWaits = true
        bench.give(.setAlias(who: "Eve", alias: "Evelyn"))
        bench.give(.changeGroup(who: "Crew", .add(["Dan"])))
        renew(bob, &bench)
        (bench.diskFails, bench.goodBatches) = (true, 1)
        bench.diskWaits = false
        bench.settle()
        bench.diskFails = false
        bench.pass(10_000)
        expectSame(bench)
        #expect(!bench.engine.kept.recipients.contains { $0.peer == dan.identity })
    }
}
