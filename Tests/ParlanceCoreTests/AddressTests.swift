import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Members of a workspace tell each other where they accept links (workspaces.md, "Addresses").
@Suite struct AddressTests {
    private let bob: RemotePeer
    private let cyd: RemotePeer
    private let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))

    init() throws {
        bob = try RemotePeer()
        cyd = try RemotePeer(3, replica: 0x43)
    }

    private func place(_ last: UInt8, first: UInt8 = 10) throws -> SignedAddresses.Place {
        SignedAddresses.Place(address: try #require(NumericAddress([first, 0, 9, last])), port: 4747)
    }

    /// A bench in the workspace, linked with Bob, who is a member too.
    private func member() throws -> EngineBench {
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key)))
        bench.opened(1, with: bob, workspaceTag: key.tag)
        bench.received(bob.hello(), on: 1)
        _ = bench.takeEffects()
        return bench
    }

    private func entry(_ time: UInt64, _ places: [SignedAddresses.Place], of peer: RemotePeer) -> WireAddresses.Entry {
        SignedAddresses(of: peer.identity, time: time, places: places, with: peer.key).wire
    }

    private func frame(_ entries: [WireAddresses.Entry]) -> WireFrame.OneOf_Kind {
        var frame = WireAddresses()
        frame.entries = entries
        return .addresses(frame)
    }

    private func told(_ bench: inout EngineBench, on link: UInt64 = 1) -> [WireAddresses.Entry] {
        var entries: [WireAddresses.Entry] = []
        for case .addresses(let sent) in bench.takeFrames(on: link) { entries += sent.entries }
        return entries
    }

    @Test func theSignatureIsWhatThePageSays() throws {
        var bench = try member()
        let sixteen: [UInt8] = [0x20, 1] + [UInt8](repeating: 0, count: 13) + [5]
        let own = [try #require(NumericAddress([10, 0, 9, 1])), try #require(NumericAddress(sixteen))]
        bench.feed(.ownAddresses(own + [try #require(NumericAddress([127, 0, 0, 1]))]))
        let entry = try #require(told(&bench).first as WireAddresses.Entry?)
        var signed: [UInt8] = [0x12] + bench.identity.bytes + UInt64(bench.now.wall).bigEndianBytes
        signed += [4, 10, 0, 9, 1, 0x12, 0x8B]
        signed += [16, 0x20, 1] + [UInt8](repeating: 0, count: 13) + [5, 0x12, 0x8B]
        #expect(Ed25519.verify([UInt8](entry.signature), of: signed, by: bench.identity.bytes))
        // The same addresses again are not news; other addresses are, and their entry is newer.
        bench.feed(.ownAddresses(own))
        #expect(told(&bench).isEmpty)
        bench.feed(.ownAddresses([own[0]]))
        let later = try #require(told(&bench).first)
        #expect(later.time > entry.time && later.places.count == 1)
    }

    @Test func aMemberThatOthersTellOfIsDialledAsThatOne() throws {
        var bench = try member()
        bench.received(frame([entry(5, [try place(1), try place(1, first: 127)], of: cyd)]), on: 1)
        bench.pass(0)
        let dials = bench.takeDials()
        #expect(dials.map(\.endpoint) == [Endpoint(host: "10.0.9.1", port: 4747)], "and never this machine itself")
        #expect(dials.map(\.expecting) == [cyd.identity])
        // Cyd moved: the newest entry replaces the earlier ones.
        bench.received(frame([entry(6, [try place(2)], of: cyd)]), on: 1)
        bench.received(frame([entry(4, [try place(3)], of: cyd)]), on: 1)
        bench.feed(.dialFailed(try #require(dials.first).dial, .timedOut))
        bench.pass(1_000)
        #expect(bench.takeDials().map(\.endpoint) == [Endpoint(host: "10.0.9.2", port: 4747)], "the newest counts")
    }

    /// A member tells the address of its bridge for containers, which this machine has too.
    @Test func anAddressOfThisMachineIsNotDialledForAMember() throws {
        var bench = try member()
        let own = try place(1, first: 172)
        bench.feed(.machineAddresses([own.address]))
        bench.received(frame([entry(5, [own, try place(2)], of: cyd)]), on: 1)
        var tried: Set<String> = []
        for _ in 0..<20 {
            bench.pass(5_000)
            for dial in bench.takeDials() {
                // The link to the member who told falls silent meanwhile, and is dialled too.
                if dial.expecting == cyd.identity { tried.insert(dial.endpoint.host) }
                bench.feed(.dialFailed(dial.dial, .timedOut))
            }
        }
        #expect(tried == ["10.0.9.2"])
    }

    /// Nobody passes on an identity that nobody has met; otherwise one member could fill everybody's memory.
    @Test func onlyThoseAcceptedArePassedOn() throws {
        var bench = try member()
        bench.received(frame([entry(5, [try place(1)], of: cyd)]), on: 1)
        let dan = try RemotePeer(4, replica: 0x44)
        bench.opened(2, with: dan, workspaceTag: key.tag)
        bench.received(dan.hello(), on: 2)
        #expect(told(&bench, on: 2).isEmpty)
        bench.opened(3, with: cyd, workspaceTag: key.tag)
        bench.received(cyd.hello(), on: 3)
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(told(&bench, on: 2).map(\.peer) == [Data(cyd.identity.bytes)])
        #expect(told(&bench, on: 1).isEmpty, "who told of it knows")
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5]) func whatIsNotRightCostsTheLink(_ fault: Int) throws {
        var bench = try member()
        var bad = entry(5, [try place(1)], of: cyd)
        var entries = [bad]
        switch fault {
        case 1: bad.signature[0] ^= 1
        case 2: bad.places += Array(repeating: bad.places[0], count: Limits.addressesPerPeer)
        case 3: bad.places[0].address.append(1)
        case 4: bad.peer.removeLast()
        default: break
        }
        entries = [bad]
        if fault == 5 { entries = Array(repeating: bad, count: Limits.addressesPerFrame + 1) }
        bench.received(frame(entries), on: 1)
        #expect(bench.closed.contains(LinkID(1)) == (fault != 0))
        bench.pass(0)
        #expect(bench.takeDials().isEmpty == (fault != 0))
    }

    @Test func atTheLimitsItIsTaken() throws {
        var bench = try member()
        let eight = try (1...UInt8(Limits.addressesPerPeer)).map { try place($0) }
        let entries = Array(repeating: entry(5, eight, of: cyd), count: Limits.addressesPerFrame)
        bench.received(frame(entries), on: 1)
        #expect(bench.closed.isEmpty)
        bench.pass(0)
        #expect(!bench.takeDials().isEmpty)
    }

    @Test(arguments: [0, 1]) func aTimeFarAheadIsPassedOver(_ over: Int64) throws {
        var bench = try member()
        let time = UInt64(bench.now.wall + Limits.aheadMilliseconds + over)
        bench.received(frame([entry(time, [try place(1)], of: cyd)]), on: 1)
        bench.pass(0)
        #expect(bench.takeDials().isEmpty == (over > 0))
        #expect(bench.closed.isEmpty)
    }

    @Test func memoryIsBounded() throws {
        var bench = try member()
        let before = bench.engine.census.dialTargets
        var random = SeededGenerator(seed: 3)
        for _ in 0..<5 {
            let entries = try (0..<Limits.addressesPerFrame).map { _ in
                let seed = (0..<32).map { _ in UInt8(random.below(256)) }
                let key = try SigningKey(seed: SecretBytes(copying: seed))
                let id = try #require(PeerID(key.publicKey))
                return SignedAddresses(of: id, time: 5, places: [try place(1)], with: key).wire
            }
            bench.received(frame(entries), on: 1)
        }
        #expect(bench.closed.isEmpty)
        #expect(bench.engine.census.dialTargets - before <= Limits.addressesHeld)
    }

    @Test func nothingIsToldOrTakenOutsideAWorkspace() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(.ownAddresses([try #require(NumericAddress([10, 0, 9, 1]))]))
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(frame([entry(5, [try place(1)], of: cyd)]), on: 1)
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(told(&bench).isEmpty)
        #expect(bench.takeDials().isEmpty && bench.closed.isEmpty)
    }

    @Test func aRestartKeepsThemAndLeavingDropsThem() throws {
        var bench = try member()
        bench.opened(2, with: cyd, workspaceTag: key.tag)
        bench.received(cyd.hello(port: 0), on: 2)
        bench.received(frame([entry(5, [try place(1)], of: cyd)]), on: 1)
        bench.pass(1_000)
        bench.restart()
        bench.pass(5_000)
        let place = Endpoint(host: "10.0.9.1", port: 4747)
        #expect(bench.takeDials().contains { $0.endpoint == place && $0.expecting == cyd.identity })
        _ = try bench.ask(.workspace(.leave))
        bench.pass(1_000)
        #expect(bench.disk.peers[cyd.identity]?.signedAddresses == nil)
        _ = bench.takeDials()
        bench.pass(600_000)
        #expect(!bench.takeDials().contains { $0.endpoint == place })
    }

    /// Six machines in separate subnets, without discovery: each knows only the address of the first.
    @Test func oneAddressIsEnoughToMeetEverybody() throws {
        let world = try SimulatedWorld(names: ["hub", "ada", "bob", "cyd", "dan", "eve"], seed: 11)
        for index in world.nodes.indices {
            world.start(index, fixed: index == 0 ? [] : [world.nodes[0].endpoint])
            world.give(.workspace(.join(name: "Ship", key)), to: index)
            world.tell(.ownAddresses([try #require(world.nodes[index].address)]), to: index)
        }
        #expect(try world.run(until: { try world.areLinked(0, 1, 2, 3, 4, 5) }, within: 300_000))
        // The first machine stops and comes back at another address; the others still find each other.
        world.stop(0)
        world.stop(3)
        world.run(for: 60_000)
        world.start(3, fixed: [])
        world.tell(.ownAddresses([try #require(world.nodes[3].address)]), to: 3)
        #expect(try world.run(until: { try world.linked(with: 3).count == 4 }, within: 600_000))
    }
}
