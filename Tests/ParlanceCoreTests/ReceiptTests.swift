import Foundation
import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// What one says to have got of somebody who is away.
@Suite struct ReceiptTests {
    /// The marks in the frames that were sent on a link.
    private func marks(_ bench: inout EngineBench, on link: UInt64) -> [WireWatermark] {
        bench.takeFrames(on: link).flatMap { kind -> [WireWatermark] in
            if case .watermarks(let marks) = kind { marks.entries } else { [] }
        }
    }

    /// What lacks a text is not said to be held, and is once the text is here.
    @Test func aReceiptWaitsForBodies() throws {
        let bob = try RemotePeer()
        var cleo = try RemotePeer(3)
        var bench = try EngineBench(peers: [bob.record(), cleo.record(name: "Cleo")])
        let nonce = [UInt8](repeating: 7, count: 16)
        let who = [bob.identity.grouped, cleo.identity.grouped]
        guard case .success(.group(let view)) = try bench.ask(.createGroup(title: "Trio", who: who, nonce: nonce))
        else { throw EngineBench.Unexpected(what: "no group") }
        let group = view.conversation
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.summary(of: [(group, Clock())]), on: 1)
        bench.received(bob.clock(group, Clock()), on: 1)
        let event = cleo.write("hello", to: bench.identity, in: group)
        var bare = event
        bare.body = nil
        bench.received(bob.events(group, [bare]), on: 1)
        bench.pass(3_000)
        #expect(marks(&bench, on: 1).isEmpty)

        var entry = WireBodies.Entry()
        entry.sequence = 1
        entry.body = Data(try #require(event.body))
        var bodies = WireBodies()
        bodies.conversation = Data(group.bytes)
        bodies.log = cleo.logID.wire
        bodies.entries = [entry]
        bench.received(.bodies(bodies), on: 1)
        bench.pass(3_000)
        let said = marks(&bench, on: 1)
        #expect(said.map(\.sequence) == [1] && said.first?.head == Data(event.id.bytes))
    }
}
