import Foundation
import ParlanceCore
import ParlanceRecords
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

    /// At first everybody goes by the login name, and changes it while the others look.
    @Test func isShownByTheNameThatItHasJustChosen() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench()
        bench.opened(1, with: bob)
        bench.received(bob.hello("root"), on: 1)
        let batches = bench.batches.count
        bench.received(bob.hello("Bob").asHeartbeat, on: 1)
        #expect(try bench.view(of: bob.identity).displayName == "Bob")
        #expect(bench.batches.count == batches, "nothing of a stranger is stored")
        // It makes no show of changing it.
        for number in 2...Limits.strangerNames { bench.received(bob.hello("Bob \(number)").asHeartbeat, on: 1) }
        let last = "Bob \(Limits.strangerNames)"
        #expect(try bench.view(of: bob.identity).displayName == last)
        bench.received(bob.hello("Bobby").asHeartbeat, on: 1)
        #expect(try bench.view(of: bob.identity).displayName == last)
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

    /// Somebody who has just left can still be written to; later nothing of a stranger is kept.
    @Test func isKeptForAWhileAfterItLeft() throws {
        var bench = try EngineBench()
        let (bob, eve) = (try RemotePeer(), try RemotePeer(3, replica: 0x43))
        for (link, peer) in [(UInt64(1), bob), (2, eve)] {
            bench.opened(link, with: peer)
            bench.received(peer.hello(peer.identity == bob.identity ? "Bob" : "Eve"), on: link)
            bench.feed(.linkClosed(LinkID(link), .closed))
        }
        let left = bench.now.wall
        bench.pass(Limits.offlineGraceMilliseconds + Limits.strangerKeptMilliseconds - 1)
        #expect(try bench.view(of: bob.identity).presence.lastSeen == left)
        #expect(bench.batches.allSatisfy { $0.peers.isEmpty })
        // What is written to one of them keeps that one, and is tried at the address that worked.
        guard case .success(.sent) = try bench.ask(.send(who: "Bob", text: "still there?")) else {
            throw EngineBench.Unexpected(what: "not sent")
        }
        bench.pass(1)
        #expect(bench.takeDials().map(\.endpoint.host) == [bob.host])
        #expect(bench.takeEffects().contains(.notify(.gone(eve.identity))))
        #expect(try bench.view(of: bob.identity).record.trust == .accepted)
        #expect(bench.engine.census.peers == 1)
    }

    @Test func isKeptAsOneOfSoMany() throws {
        var bench = try EngineBench()
        for number in 0...Limits.strangersKept {
            let peer = try RemotePeer(UInt8(2 + number), replica: UInt8(100 + number))
            bench.opened(UInt64(number), with: peer)
            bench.received(peer.hello(), on: UInt64(number))
            bench.feed(.linkClosed(LinkID(UInt64(number)), .closed))
            bench.pass(Limits.offlineGraceMilliseconds)
        }
        #expect(bench.engine.census.peers == Limits.strangersKept)
        #expect(bench.takeEffects().contains(.notify(.gone(try RemotePeer(2).identity))))
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
