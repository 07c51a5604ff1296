import Foundation
import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Both users are told when one side sends more than the other handles at once (sync.md, "Behind").
@Suite struct BacklogTests {
    private func scene(trust: Trust = .accepted) throws -> (bench: EngineBench, bob: RemotePeer) {
        let bob = try RemotePeer()
        var record = bob.record()
        record.trust = trust
        var bench = try EngineBench(peers: [record])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        return (bench, bob)
    }

    private static func behind(_ milliseconds: UInt64) -> WireFrame.OneOf_Kind {
        var behind = WireBehind()
        behind.milliseconds = milliseconds
        return .behind(behind)
    }

    private func told(_ effects: [Effect]) -> [PeerView] {
        effects.compactMap { if case .notify(.peer(let view)) = $0 { view } else { nil } }
    }

    @Test func whoSendsTooMuchIsToldAndShown() throws {
        var (bench, bob) = try scene()
        bench.feed(.behind(bob.identity))
        var effects = bench.takeEffects()
        #expect(told(effects).map(\.outpacesUs) == [true])
        let reports = effects.compactMap { if case .report(let peer, let report) = $0 { (peer, report) } else { nil } }
        #expect(reports.map(\.0) == [bob.identity] && reports.map(\.1) == [.behind])
        let frames = effects.compactMap { if case .send(_, let frame) = $0 { frame.asBehind } else { nil } }
        #expect(frames.map(\.milliseconds) == [UInt64(Limits.behindHeldMilliseconds)])
        // It goes on: the peer is told again, and nobody else.
        bench.pass(Limits.behindMilliseconds)
        _ = bench.takeEffects()
        bench.feed(.behind(bob.identity))
        effects = bench.takeEffects()
        #expect(told(effects).isEmpty)
        #expect(effects.count { if case .send(_, let frame) = $0 { frame.asBehind != nil } else { false } } == 1)
        bench.pass(Limits.behindHeldMilliseconds - 1)
        #expect(try bench.view(of: bob.identity).outpacesUs)
        bench.pass(1)
        #expect(try !bench.view(of: bob.identity).outpacesUs)
        #expect(told(bench.takeEffects()).last?.outpacesUs == false)
    }

    @Test func whoIsToldSaysSoForThatTime() throws {
        var (bench, bob) = try scene()
        bench.received(Self.behind(20_000), on: 1)
        #expect(told(bench.takeEffects()).map(\.outpacedByUs) == [true])
        // A shorter time takes nothing back, and nobody makes it flicker.
        for _ in 0..<100 { bench.received(Self.behind(1), on: 1) }
        #expect(told(bench.takeEffects()).isEmpty)
        bench.pass(19_999)
        #expect(try bench.view(of: bob.identity).outpacedByUs)
        bench.pass(1)
        #expect(told(bench.takeEffects()).last?.outpacedByUs == false)
        // No peer says so for longer than the limit.
        bench.received(Self.behind(.max), on: 1)
        bench.pass(Limits.behindHeldMilliseconds)
        #expect(try !bench.view(of: bob.identity).outpacedByUs)
        #expect(bench.closed.isEmpty)
        bench.received(Self.behind(1), on: 1)
        bench.pass(Limits.behindMilliseconds - 1)
        #expect(try bench.view(of: bob.identity).outpacedByUs)
        bench.feed(.behind(bob.identity))
        bench.feed(.linkClosed(LinkID(1), .cutOff))
        let view = try bench.view(of: bob.identity)
        #expect(!view.outpacedByUs && !view.outpacesUs)
    }

    @Test func aTimeOfNothingIsABreach() throws {
        var (bench, _) = try scene()
        bench.received(Self.behind(0), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test func strangersAreNotToldAndNotHeard() throws {
        var (bench, bob) = try scene(trust: .unknown)
        bench.received(Self.behind(5_000), on: 1)
        bench.feed(.behind(bob.identity))
        let effects = bench.takeEffects()
        #expect(told(effects).isEmpty)
        #expect(!effects.contains { if case .send(_, let frame) = $0 { frame.asBehind != nil } else { false } })
    }

    private static func frame(_ kind: WireFrame.OneOf_Kind) -> WireFrame {
        var frame = WireFrame()
        frame.kind = kind
        return frame
    }

    /// The cost of a frame grows with what it makes this node do, and is the same on every machine.
    @Test func whatMakesWorkCosts() {
        var wanted = WireBodiesWanted()
        let cheap = Self.frame(.typing(WireTyping())).cost(bytes: 40)
        #expect((40...200).contains(cheap))
        wanted.sequences = (1...UInt64(Limits.bodiesPerRequest)).map { $0 }
        let reads = Self.frame(.bodiesWanted(wanted)).cost(bytes: 200)
        #expect(reads > 1_000 * Limits.bodiesPerRequest)
        var have = WireHave()
        have.entries = Array(repeating: WireClockEntry(), count: 2_000)
        #expect(Self.frame(.have(have)).cost(bytes: 100_000) > 200_000)
        var addresses = WireAddresses()
        addresses.entries = Array(repeating: WireAddresses.Entry(), count: 256)
        #expect(Self.frame(.addresses(addresses)).cost(bytes: 30_000) > 1_000_000)
        var charter = WireCharterEvents()
        charter.events = [WireEvent()]
        #expect(Self.frame(.charterEvents(charter)).cost(bytes: 300) == 1_024 * 1_024)
        charter.more = true
        #expect((4_000...5_000).contains(Self.frame(.charterEvents(charter)).cost(bytes: 300)))
        // What has come is evaluated before the sender goes on.
        charter.waits = true
        #expect(Self.frame(.charterEvents(charter)).cost(bytes: 300) == 1_024 * 1_024)
        // More than a frame may have is refused at once.
        addresses.entries = Array(repeating: WireAddresses.Entry(), count: 100_000)
        #expect(Self.frame(.addresses(addresses)).cost(bytes: 200_000) == 1_024 * 1_024)
    }
}

extension WireFrame {
    fileprivate var asBehind: WireBehind? { if case .behind(let behind) = kind { behind } else { nil } }
}
