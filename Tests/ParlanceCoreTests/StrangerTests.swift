import Foundation
import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// A peer that is not accepted: one request is kept, and nothing else is stored, shown or answered.
@Suite struct StrangerTests {
    @Test func sendsAFrameOfALaterProgramAndNothingHappens() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        _ = bench.takeEffects()
        let batches = bench.batches.count
        bench.feed(.frameReceived(LinkID(1), WireFrame(), bytes: 2))
        bench.pass(1_000)
        #expect(bench.batches.count == batches)
        #expect(bench.takeEffects().isEmpty)
    }

    @Test func isShownTheDoorAfterAMinute() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        for _ in 0..<5 {
            bench.pass(11_999)
            bench.received(bob.hello().asHeartbeat, on: 1)
        }
        #expect(bench.closed.isEmpty)
        bench.pass(5)
        #expect(bench.closed == [LinkID(1)])
        #expect(
            bench.takeFrames(on: 1).contains { if case .bye(let bye) = $0 { bye.reason == .limit } else { false } }
        )
    }

    @Test func staysIfItIsAcceptedInTime() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.pass(50_000)
        _ = try bench.ask(.accept(who: "Bob"))
        #expect(bench.takeEffects().contains(.admit(LinkID(1), accepted: true)))
        bench.received(bob.hello().asHeartbeat, on: 1)
        bench.pass(59_000)
        #expect(bench.closed.isEmpty)
    }

    /// Frames of an accepted peer about a conversation that it is not in.
    @Test func anAcceptedPeerSeesNothingOfOtherConversations() throws {
        var (bob, eve) = (try RemotePeer(), try RemotePeer(3, replica: 0x43))
        var bench = try EngineBench(peers: [bob.record(), eve.record(name: "Eve")])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Eve", text: "not for Bob"))
        _ = bench.takeEffects()
        let secret = eve.conversation(with: bench.identity)
        let event = eve.write("from Eve", to: bench.identity)
        bench.received(bob.summary(of: [(secret, Clock())]), on: 1)
        bench.received(bob.clock(secret, Clock()), on: 1)
        bench.received(bob.have(secret, Clock()), on: 1)
        bench.pass(5_000)
        for frame in bench.takeFrames(on: 1) {
            #expect(!"\(frame)".contains("not for Bob"))
            switch frame {
            case .events, .clock: throw EngineBench.Unexpected(what: "\(frame)")
            default: break
            }
        }
        bench.received(bob.events(secret, [event]), on: 1)
        #expect(bench.disk.history(of: secret).map(\.text) == ["not for Bob"])
    }
}
