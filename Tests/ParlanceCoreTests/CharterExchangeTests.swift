import Foundation
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// A workspace with admins between nodes: its charter, its keys, who is excluded and who is let in.
@Suite struct CharterExchangeTests {
    private static let day: Int64 = 86_400_000

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    private func workspace(_ world: SimulatedWorld, _ node: Int) -> Workspace? {
        world.nodes[node].disk.snapshot.workspace
    }

    private func charter(_ world: SimulatedWorld, _ node: Int) -> Charter? { workspace(world, node)?.charter }

    private func id(_ world: SimulatedWorld, _ node: Int) -> PeerID { world.nodes[node].identity }

    private func change(_ world: SimulatedWorld, _ node: Int, _ change: CharterCommand, _ who: String...) {
        world.give(.workspace(.change(change, who: who)), to: node)
    }

    /// What a person types who was given the code of a node's workspace.
    private func join(_ world: SimulatedWorld, _ node: Int, by other: Int) throws {
        let workspace = try #require(self.workspace(world, other))
        let code = InvitationCode(
            name: workspace.name,
            secret: try #require(workspace.newest?.secret),
            charter: workspace.charter.map { CharterPrefix(of: $0.id) }
        )
        let read = try #require(InvitationCode(text: code.text))
        world.give(.workspace(.join(name: read.name, read.key, read.charter)), to: node)
    }

    /// Ada founds the workspace; the others join by her code, and all are linked and hold the same charter.
    private func world(_ names: [String], seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: names, seed: seed)
        for node in names.indices { world.start(node) }
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: 0)
        world.run(for: 1_000)
        for node in names.indices.dropFirst() { try join(world, node, by: 0) }
        #expect(try world.run(until: { try world.areLinked(Array(names.indices)) }, within: 300_000))
        #expect(world.run(until: { self.agree(world, names.indices) }, within: 60_000))
        #expect(charter(world, 0)?.admins == [id(world, 0)])
        return world
    }

    private func agree(_ world: SimulatedWorld, _ nodes: some Sequence<Int>) -> Bool {
        let states = nodes.map { [charter(world, $0)?.hash ?? [], workspace(world, $0)?.newest?.hash.bytes ?? []] }
        return Set(states).count == 1 && states.first?.contains([]) == false
    }

    @Test func whoJoinsByTheCodeFollowsTheAdmins() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 1)
        let told = charter(world, 2)?.rotations.map(\.number)
        #expect(told == [1])
        #expect(workspace(world, 2)?.newest?.number == 1, "the charter tells the number that a code lacks")
        world.stop(2)
        world.start(2)
        world.run(for: 1_000)
        #expect(agree(world, [0, 1, 2]), "it is on the disk")
    }

    @Test func whoJoinedWithoutTheNameOfTheCharterIsAsked() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 2)
        for node in 0...1 { world.start(node) }
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: 0)
        world.give(.workspace(.join(name: "Ship", key(1))), to: 1)
        #expect(try world.run(until: { try world.isLinked(1, with: 0) }, within: 120_000))
        world.run(for: 10_000)
        #expect(workspace(world, 1)?.charter == nil)
        guard case .workspace(let shown?) = try world.ask(.workspace(.show), of: 1) else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        let own = try #require(charter(world, 0)?.id)
        #expect(shown.met == [PeerCharterState(id: own, peer: id(world, 0), isOffered: true)])
        world.give(.workspace(.adopt()), to: 1)
        #expect(world.run(until: { self.agree(world, [0, 1]) }, within: 60_000))
        world.give(.workspace(.adopt()), to: 1)
        world.run(for: 1_000)
        #expect(agree(world, [0, 1]))
    }

    @Test func anotherCharterIsNeverAdopted() throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: 3)
        for node in 0...1 { world.start(node) }
        for node in 0...1 {
            let nonce = [UInt8](repeating: UInt8(node), count: 16)
            world.give(.workspace(.found(name: "Ship", key(1), nonce: nonce)), to: node)
        }
        #expect(try world.run(until: { try world.isLinked(1, with: 0) }, within: 120_000))
        world.run(for: 60_000)
        #expect(charter(world, 0)?.id != charter(world, 1)?.id)
        #expect(charter(world, 0)?.events.count == 2)
        guard case .workspace(let shown?) = try world.ask(.workspace(.show), of: 1) else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(shown.met.map(\.isOffered) == [false])
    }

    @Test func theExcludedGetNeitherLinkNorKeyAndAreTold() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 4)
        change(world, 0, .exclude(key(2)), "cyd")
        #expect(
            world.run(
                until: { self.agree(world, [0, 1]) && self.workspace(world, 1)?.keys.count == 2 },
                within: 60_000
            )
        )
        #expect(workspace(world, 1)?.newest?.hash == key(2).hash)
        #expect(world.run(until: { self.charter(world, 2)?.isExcluded(self.id(world, 2)) == true }, within: 60_000))
        world.run(for: 600_000)
        #expect(try !world.isLinked(2, with: 0) && !world.isLinked(2, with: 1))
        #expect(workspace(world, 2)?.keys.map(\.hash) == [key(1).hash])
        guard case .workspace(let shown?) = try world.ask(.workspace(.show), of: 2) else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(shown.charter?.excludedBy == id(world, 0))
    }

    /// For as long as the link lasted, the excluded would read that they are connected, and that messages are on their way.
    @Test func theExcludedLoseTheirLinksAtOnce() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 14)
        change(world, 0, .exclude(key(2)), "cyd")
        #expect(world.run(until: { self.charter(world, 2)?.isExcluded(self.id(world, 2)) == true }, within: 2_000))
        #expect(
            try world.run(until: { try !world.isLinked(2, with: 0) && !world.isLinked(2, with: 1) }, within: 2_000)
        )
    }

    @Test func whoWasExcludedWhileAwayIsToldWithTheOldKey() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 5)
        world.stop(2)
        world.run(for: 1_000)
        change(world, 0, .exclude(key(2)), "cyd")
        #expect(world.run(until: { self.workspace(world, 1)?.keys.count == 2 }, within: 60_000))
        world.skew = world.skew.map { $0 + 10 * Self.day }
        world.start(2)
        #expect(world.run(until: { self.charter(world, 2)?.isExcluded(self.id(world, 2)) == true }, within: 600_000))
        world.run(for: 600_000)
        #expect(workspace(world, 2)?.keys.count == 1)
        #expect(try !world.isLinked(2, with: 0) && !world.isLinked(2, with: 1))
    }

    @Test func whoWasAwayGetsTheNewKeyWithTheOldOne() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 6)
        world.stop(2)
        world.run(for: 1_000)
        change(world, 0, .rotate(key(2)))
        world.run(for: 60_000)
        world.skew = world.skew.map { $0 + 10 * Self.day }
        world.start(2)
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) }, within: 600_000))
        #expect(try world.run(until: { try world.isLinked(2, with: 0, 1) }, within: 600_000))
    }

    @Test func onlyAdminsDecide() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 7)
        let before = charter(world, 0)?.hash
        for command in [CharterCommand.exclude(key(2)), .appoint, .readmit] { change(world, 1, command, "cyd") }
        change(world, 1, .rotate(key(3)))
        world.run(for: 60_000)
        #expect(charter(world, 0)?.hash == before && charter(world, 1)?.hash == before)
        change(world, 0, .appoint, "bob")
        #expect(world.run(until: { self.charter(world, 1)?.admins.count == 2 }, within: 60_000))
        // Nobody takes anything from a senior.
        change(world, 1, .exclude(key(2)), "ada")
        world.run(for: 10_000)
        #expect(charter(world, 1)?.excluded == [])
        change(world, 1, .exclude(key(2)), "cyd")
        #expect(world.run(until: { self.charter(world, 0)?.isExcluded(self.id(world, 2)) == true }, within: 60_000))
        #expect(world.run(until: { self.agree(world, [0, 1]) }, within: 60_000))
    }

    /// Ada and Bob, both admins, exclude somebody each while they are apart: neither key may stay in use, for each of the
    /// two excluded may have one of them.
    @Test func twoHalvesComeTogetherWithAKeyThatNoneOfTheExcludedHas() throws {
        let world = try world(["ada", "bob", "cyd", "dan", "eve"], seed: 8)
        change(world, 0, .appoint, "bob")
        #expect(world.run(until: { (0...4).allSatisfy { self.charter(world, $0)?.admins.count == 2 } }, within: 60_000))
        // Dan stays with Bob, and Eve with Ada.
        world.network.part = [0, 1, 1, 1, 0]
        world.run(for: 120_000)
        change(world, 0, .exclude(key(2)), "dan")
        change(world, 1, .exclude(key(3)), "eve")
        world.run(for: 60_000)
        #expect(workspace(world, 3)?.newest?.hash == key(3).hash)
        #expect(workspace(world, 4)?.newest?.hash == key(2).hash)
        world.network.part = [0, 0, 0, 0, 0]
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) && self.isUnexposed(world, 0) }, within: 900_000))
        let newest = try #require(workspace(world, 0)?.newest?.hash)
        #expect(![key(1), key(2), key(3)].map(\.hash).contains(newest))
        #expect(charter(world, 0)?.rotations.last?.isAutomatic == true)
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 600_000))
        world.run(for: 4_000_000)
        #expect([3, 4].allSatisfy { workspace(world, $0)?.keys.contains { $0.hash == newest } == false })
        #expect(charter(world, 0)?.rotations.filter(\.isAutomatic).count == 1, "one of the two was enough")
        #expect([3, 4].allSatisfy { charter(world, $0)?.isExcluded(id(world, $0)) == true }, "both are told")
    }

    private func isUnexposed(_ world: SimulatedWorld, _ node: Int) -> Bool {
        guard let key = workspace(world, node)?.newest else { return false }
        return charter(world, node)?.exposed(by: key.hash) == []
    }

    @Test func whoIsSeniorStaysIfTwoExcludeEachOther() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 9)
        change(world, 0, .appoint, "bob")
        change(world, 0, .appoint, "cyd")
        #expect(world.run(until: { (0...2).allSatisfy { self.charter(world, $0)?.admins.count == 3 } }, within: 60_000))
        world.network.part = [0, 1, 2]
        world.run(for: 120_000)
        change(world, 0, .dismiss, "bob")
        change(world, 1, .exclude(key(2)), "cyd")
        change(world, 2, .rotate(key(3)))
        world.run(for: 10_000)
        world.network.part = [0, 0, 0]
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) }, within: 900_000))
        #expect(charter(world, 0)?.admins == [id(world, 0), id(world, 2)])
        #expect(charter(world, 0)?.excluded == [])
    }

    @Test func whoIsReadmittedComesInByTheNewCode() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 10)
        change(world, 0, .exclude(key(2)), "cyd")
        #expect(world.run(until: { self.workspace(world, 1)?.keys.count == 2 }, within: 60_000))
        change(world, 0, .readmit, "cyd")
        #expect(world.run(until: { self.agree(world, [0, 1]) }, within: 60_000))
        world.give(.workspace(.leave), to: 2)
        world.run(for: 1_000)
        try join(world, 2, by: 1)
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) }, within: 900_000))
        #expect(try world.run(until: { try world.isLinked(2, with: 0, 1) }, within: 900_000))
    }

    @Test func anAdminLetsMembersInIfThatIsThePolicy() throws {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd"], seed: 11)
        for node in 0...2 { world.start(node) }
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: 0)
        world.run(for: 1_000)
        change(world, 0, .policy(name: "admission", value: "approve"))
        world.run(for: 1_000)
        for node in 1...2 { try join(world, node, by: 0) }
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) }, within: 300_000))
        world.run(for: 60_000)
        #expect(world.nodes[0].disk.peers[id(world, 1)]?.trust ?? .unknown == .unknown)
        guard case .workspace(let shown?) = try world.ask(.workspace(.show), of: 0) else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(shown.charter?.waiting == [id(world, 1), id(world, 2)].sorted())
        change(world, 0, .admit, "bob", "cyd")
        let areFriends = {
            [(0, 1), (1, 0), (1, 2), (2, 0)].allSatisfy {
                world.nodes[$0].disk.peers[self.id(world, $1)]?.trust == .accepted
            }
        }
        #expect(world.run(until: areFriends, within: 300_000))
        // A new key reaches those who were let in.
        change(world, 0, .rotate(key(2)))
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) }, within: 300_000))
    }

    /// Whoever waits while the key is rotated came with the older one. An admin that lets them in means them by name.
    @Test func whoeverWaitedDuringARotationIsLetIn() throws {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd"], seed: 12)
        for node in 0...2 { world.start(node) }
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: 0)
        world.run(for: 1_000)
        try join(world, 1, by: 0)
        #expect(world.run(until: { self.agree(world, [0, 1]) }, within: 300_000))
        change(world, 0, .policy(name: "admission", value: "approve"))
        world.run(for: 60_000)
        try join(world, 2, by: 0)
        world.run(for: 60_000)
        change(world, 0, .rotate(key(2)))
        world.run(for: 60_000)
        change(world, 0, .admit, "cyd")
        let areFriends = {
            [(0, 2), (1, 2), (2, 0), (2, 1)].allSatisfy {
                world.nodes[$0].disk.peers[self.id(world, $1)]?.trust == .accepted
            }
        }
        #expect(world.run(until: areFriends, within: 60_000))
        #expect(world.run(until: { self.agree(world, [0, 1, 2]) }, within: 300_000))
    }

    @Test func aKeyThatNoRotationNamesIsNotTaken() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))))
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        var frame = WireWorkspaceKey()
        frame.key = key(9).secret.withBytes { Data($0) }
        frame.number = 2
        frame.removed = [Data(bob.identity.bytes)]
        bench.received(.workspaceKey(frame), on: 1)
        #expect(bench.disk.snapshot.workspace?.keys.map(\.hash) == [key(1).hash])
        #expect(bench.disk.snapshot.workspace?.leftOut == [])
        #expect(bench.closed.isEmpty)
    }

    // Bounds.

    /// A workspace of Ada's, in which Bob is an admin too.
    private func twoAdmins() throws -> (bench: EngineBench, bob: RemotePeer) {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))))
        _ = try bench.ask(.workspace(.change(.appoint, who: [bob.identity.text])))
        return (bench, bob)
    }

    private func frame(_ charter: Charter, _ events: [StoredEvent], more: Bool = false) -> WireFrame.OneOf_Kind {
        var frame = WireCharterEvents()
        (frame.charter, frame.hash, frame.more) = (Data(charter.id.bytes), Data(count: 8), more)
        frame.events = events.map(\.wire)
        return .charterEvents(frame)
    }

    /// Bob excludes somebody and names no new key: Ada's node makes one within a minute, and no other for an hour.
    @Test func anotherKeyIsMadeOnceAnHour() throws {
        var (bench, bob) = try twoAdmins()
        func keys() -> Int { bench.disk.snapshot.workspace?.keys.count ?? 0 }
        for number in 1...2 {
            // A link that says nothing ends after a minute.
            bench.opened(UInt64(number), with: bob, workspaceTag: key(1).tag)
            bench.received(bob.hello(), on: UInt64(number))
            let charter = try #require(bench.disk.snapshot.workspace?.charter)
            let whom = PeerID(value: Bytes32(hashing: [UInt8(number)], domain: 0))
            let exclusion = bob.charterEvent(.exclude, [whom], in: charter, sequence: UInt64(number))
            bench.received(frame(charter, [exclusion]), on: UInt64(number))
            #expect(bench.disk.snapshot.workspace?.charter?.isExcluded(whom) == true)
            bench.pass(Limits.charterRotationDelayMilliseconds)
            #expect(keys() == 2, "the second exclusion came within the hour")
        }
        bench.pass(Limits.charterRotationMilliseconds - 3 * Limits.charterRotationDelayMilliseconds)
        #expect(keys() == 2)
        bench.pass(3 * Limits.charterRotationDelayMilliseconds)
        #expect(keys() == 3)
    }

    /// Frames that say that others follow are kept, but not without end.
    @Test func partsAreInsertedOnceThereIsNoRoomForMore() throws {
        var (bench, bob) = try twoAdmins()
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        let charter = try #require(bench.disk.snapshot.workspace?.charter)
        let people = (0..<Limits.charterPeople).map { PeerID(value: Bytes32(hashing: [UInt8($0)], domain: 0)) }
        var (bytes, sequence) = (0, UInt64(0))
        func held() -> Int { bench.disk.snapshot.workspace?.charter?.events.count ?? 0 }
        let before = held()
        while bytes < Limits.charterPartBytes {
            #expect(held() == before, "nothing is inserted before there is no room")
            sequence += 1
            let event = bob.charterEvent(.admit, people, in: charter, sequence: sequence)
            bytes += event.byteCount
            bench.received(frame(charter, [event], more: true), on: 1)
        }
        #expect(held() > before)
        #expect(bench.closed.isEmpty)
    }
}

extension RemotePeer {
    /// A change of a charter that it signs after everything that counts there.
    fileprivate func charterEvent(
        _ action: WireMemberAction,
        _ who: [PeerID],
        in charter: Charter,
        sequence: UInt64
    ) -> StoredEvent {
        let body = WireMembersBody(action, who, after: charter.frontier).encodedBytes()
        let header = EventHeader(
            conversation: charter.id,
            log: logID,
            sequence: sequence,
            previous: sequence == 1 ? nil : EventID(value: .zero),
            time: EventTime(raw: sequence << 26),
            dependencies: [],
            kind: .members,
            bodyHash: Bytes32(hashingBody: body)
        )
        let bytes = header.encoded()
        let id = EventID(hashing: bytes)
        let signature = HeadSeal.sign(id, with: key)
        return StoredEvent(id: id, header: header, headerBytes: bytes, body: body, signature: signature)
    }
}
