import Foundation
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Invitations that let people in by themselves where admins let members in (charter.md, "Invitations").
@Suite struct CharterInvitationTests {
    private static let day: Int64 = 86_400_000

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    private func secret(_ number: UInt8) throws -> InvitationSecret {
        try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: number, count: 16))))
    }

    private func charter(_ world: SimulatedWorld, _ node: Int) -> Charter? {
        world.nodes[node].disk.snapshot.workspace?.charter
    }

    private func id(_ world: SimulatedWorld, _ node: Int) -> PeerID { world.nodes[node].identity }

    private func change(_ world: SimulatedWorld, _ node: Int, _ change: CharterCommand, _ who: String...) {
        world.give(.workspace(.change(change, who: who)), to: node)
        world.run(for: 1_000)
    }

    /// What a person types who was given the code of a node's workspace, with an invitation or without.
    private func join(_ world: SimulatedWorld, _ node: Int, _ invitation: UInt8? = nil, by other: Int = 0) throws {
        let workspace = try #require(world.nodes[other].disk.snapshot.workspace)
        let prefix = CharterPrefix(of: try #require(workspace.charter?.id))
        let invited = try invitation.map { try #require(InvitationKey(secret($0), to: prefix)) }
        let code = InvitationCode(
            name: "Ship",
            secret: try #require(workspace.newest?.secret),
            charter: prefix,
            invited
        )
        let read = try #require(InvitationCode(text: code.text))
        world.give(.workspace(.join(name: read.name, read.key, read.charter, read.invitationKey)), to: node)
    }

    /// Ada founds a workspace in which admins let members in.
    private func world(_ names: [String], seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: names, seed: seed)
        for node in names.indices { world.start(node) }
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: 0)
        world.run(for: 1_000)
        change(world, 0, .policy(name: "admission", value: "approve"))
        return world
    }

    private func invite(_ world: SimulatedWorld, _ number: UInt8, uses: Int, by node: Int = 0) throws {
        change(world, node, .invite(try secret(number), uses: uses, until: .max / 2))
        #expect(charter(world, node)?.invitations.last?.left == uses)
    }

    private func shown(_ world: SimulatedWorld, _ node: Int) throws -> CharterView {
        guard case .workspace(let shown?) = try world.ask(.workspace(.show), of: node), let charter = shown.charter
        else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        return charter
    }

    private func areFriends(_ world: SimulatedWorld, _ pairs: [(Int, Int)]) -> Bool {
        pairs.allSatisfy { one, other in
            world.nodes[one].disk.peers[id(world, other)]?.trust == .accepted
                && world.nodes[other].disk.peers[id(world, one)]?.trust == .accepted
        }
    }

    private func admissions(_ charter: Charter?) -> [Charter.Entry] {
        charter?.entries.filter { $0.change.action == .admit } ?? []
    }

    @Test func whoIsInvitedIsLetInAtOnceAndTheLogSaysIt() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 1)
        try invite(world, 1, uses: 2)
        try join(world, 1, 1)
        try join(world, 2)
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 120_000))
        let name = try #require(charter(world, 0)?.invitations.first?.policy)
        #expect(try shown(world, 0).invitations.map(\.left) == [1])
        #expect(try shown(world, 0).policies.map(\.name) == ["admission"])
        #expect(try shown(world, 0).waiting == [id(world, 2)])
        let admission = try #require(admissions(charter(world, 0)).first)
        #expect(admission.counts && admission.change.subjects == [id(world, 1)])
        #expect(admission.change.admission == AdmissionNote(invitation: name, isAutomatic: true))
        let lines = CharterLog.lines(of: try #require(charter(world, 0)))
        #expect(
            lines.contains { $0.contains("\"action\":\"admit\",\"name\":\"\(name)\",\"automatic\":true,\"people\":[") }
        )
        #expect(throws: Never.self) { try CharterLog.check(lines.joined(separator: "\n").utf8) }
        // Bob says hello again and again, and so does Cyd, who has no invitation.
        for _ in 0..<3 {
            world.stop(1)
            world.start(1)
            world.run(for: 400_000)
        }
        #expect(admissions(charter(world, 0)).count == 1)
        #expect(!areFriends(world, [(0, 2)]))
        #expect(charter(world, 1)?.admitted.contains(id(world, 1)) == true)
    }

    @Test func noMoreComeThanAnInvitationAdmits() throws {
        let world = try world(["ada", "bob", "cyd", "dan"], seed: 2)
        try invite(world, 1, uses: 2)
        for node in 1...3 { try join(world, node, 1) }
        world.run(for: 900_000)
        #expect(charter(world, 0)?.admitted.filter { $0 != id(world, 0) }.count == 2)
        #expect(try shown(world, 0).waiting.count == 1)
        #expect(try shown(world, 0).invitations == [])
        // Who came too late is told so, and a member nothing.
        let told = try (1...3).map { try shown(world, $0).ownInvitation }
        #expect(told.count { $0 == .ended(.usedUp) } == 1 && told.count { $0 == nil } == 2)
    }

    @Test func anEndedInvitationAdmitsNobody() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 3)
        try invite(world, 1, uses: 9)
        let text = try #require(charter(world, 0)?.invitations.first?.text)
        change(world, 0, .endInvitation(String(text.prefix(8))))
        #expect(charter(world, 0)?.invitations == [])
        try join(world, 1, 1)
        world.run(for: 120_000)
        #expect(try shown(world, 0).waiting == [id(world, 1)])
        // Cyd's never was one.
        try join(world, 2, 7)
        world.run(for: 120_000)
        #expect(admissions(charter(world, 0)).isEmpty)
        change(world, 0, .admit, "bob")
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 120_000))
    }

    @Test func anInvitationIsOverAfterItsLastMoment() throws {
        let world = try world(["ada", "bob"], seed: 4)
        change(world, 0, .invite(try secret(1), uses: 9, until: EngineBench.start.wall + Self.day))
        #expect(try shown(world, 0).invitations.map(\.left) == [9])
        world.skew = world.skew.map { $0 + 2 * Self.day }
        try join(world, 1, 1)
        world.run(for: 120_000)
        #expect(admissions(charter(world, 0)).isEmpty)
        #expect(try shown(world, 0).invitations == [])
    }

    @Test func whoWaitsMayBeInvitedLater() throws {
        let world = try world(["ada", "bob"], seed: 5)
        try join(world, 1)
        world.run(for: 20_000)
        #expect(try shown(world, 0).waiting == [id(world, 1)])
        try invite(world, 1, uses: 1)
        try join(world, 1, 1)
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 120_000))
        #expect(try shown(world, 0).waiting == [])
    }

    /// Bob and Cyd, both admins, meet who is invited at the same time; Bob alone is enough if Ada is away.
    @Test func oneOfSeveralAdminsLetsIn() throws {
        let world = try world(["ada", "bob", "cyd", "dan", "eve"], seed: 6)
        try invite(world, 1, uses: 9)
        for node in 1...2 { try join(world, node, 1) }
        #expect(world.run(until: { areFriends(world, [(0, 1), (0, 2), (1, 2)]) }, within: 300_000))
        change(world, 0, .appoint, "bob", "cyd")
        #expect(world.run(until: { charter(world, 2)?.admins.count == 3 }, within: 60_000))
        try join(world, 3, 1)
        #expect(world.run(until: { areFriends(world, [(0, 3), (1, 3), (2, 3)]) }, within: 300_000))
        #expect(admissions(charter(world, 0)).filter { $0.change.subjects.contains(id(world, 3)) }.count == 1)
        world.stop(0)
        world.run(for: 120_000)
        try join(world, 4, 1, by: 1)
        #expect(world.run(until: { areFriends(world, [(1, 4), (2, 4)]) }, within: 300_000))
    }

    @Test func theExcludedAreNotLetInByAnInvitation() throws {
        let world = try world(["ada", "bob"], seed: 7)
        try invite(world, 1, uses: 9)
        try join(world, 1, 1)
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 120_000))
        change(world, 0, .exclude(key(2)), "bob")
        world.run(for: 60_000)
        world.give(.workspace(.leave), to: 1)
        world.run(for: 1_000)
        try join(world, 1, 1)
        world.run(for: 900_000)
        #expect(charter(world, 0)?.isExcluded(id(world, 1)) == true && admissions(charter(world, 0)).count == 1)
    }

    @Test func anInvitationEndsWithTheRightOfItsAuthor() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 8)
        try invite(world, 1, uses: 9)
        try join(world, 1, 1)
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 120_000))
        change(world, 0, .appoint, "bob")
        #expect(world.run(until: { charter(world, 1)?.admins.count == 2 }, within: 60_000))
        try invite(world, 2, uses: 9, by: 1)
        #expect(world.run(until: { charter(world, 0)?.invitations.count == 2 }, within: 60_000))
        change(world, 0, .dismiss, "bob")
        #expect(charter(world, 0)?.invitations.count == 1)
        try join(world, 2, 2)
        world.run(for: 120_000)
        #expect(try shown(world, 0).waiting == [id(world, 2)])
    }

    // Those who wait (charter.md, "Admission").

    @Test func whoAsksStaysVisibleAndIsLinkedOnceLetIn() throws {
        let world = try world(["ada", "bob"], seed: 9)
        try join(world, 1)
        world.run(for: 120_000)
        world.network.part = [0, 1]
        world.run(for: 600_000)
        #expect(try !world.isLinked(1, with: 0))
        world.network.part = [0, 0]
        #expect(try shown(world, 0).waiting == [id(world, 1)])
        change(world, 0, .admit, "bob")
        #expect(try shown(world, 0).waiting == [])
        #expect(try world.run(until: { try world.isLinked(1, with: 0) }, within: 60_000))
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 60_000))
    }

    @Test func whomOneAdminAnswersWaitsForNobody() throws {
        let world = try world(["ada", "bob", "cyd"], seed: 10)
        change(world, 0, .appoint, id(world, 1).grouped)
        for node in 1...2 { try join(world, node) }
        #expect(world.run(until: { areFriends(world, [(0, 1)]) }, within: 300_000))
        #expect(try world.run(until: { try shown(world, 1).waiting == [id(world, 2)] }, within: 600_000))
        #expect(try shown(world, 0).waiting == [id(world, 2)])
        change(world, 1, .admit, "cyd")
        #expect(try world.run(until: { try shown(world, 0).waiting == [] }, within: 60_000))
        #expect(world.run(until: { areFriends(world, [(0, 2), (1, 2)]) }, within: 120_000))
    }

    /// Ada, who has founded a workspace in which admins let members in.
    private func bench() throws -> EngineBench {
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16)))).get()
        let approve = CharterCommand.policy(name: "admission", value: "approve")
        _ = try bench.ask(.workspace(.change(approve, who: []))).get()
        return bench
    }

    private func waiting(_ bench: inout EngineBench) throws -> [PeerID] {
        guard case .success(.workspace(let shown?)) = try bench.ask(.workspace(.show)) else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        return shown.charter?.waiting ?? []
    }

    /// How often people were told of somebody who waits and did not before.
    private func news(_ bench: inout EngineBench) -> Int {
        bench.takeEffects().count { effect in
            guard case .notify(.workspace(let now?, from: let before)) = effect else { return false }
            return !Set(now.charter?.waiting ?? []).isSubset(of: before?.charter?.waiting ?? [])
        }
    }

    @Test func anAdminIsToldOnceOfWhoComesAgainAndAgain() throws {
        var bench = try bench()
        let bob = try RemotePeer()
        _ = bench.takeEffects()
        var told = 0
        for link in UInt64(1)...5 {
            bench.opened(link, with: bob, workspaceTag: key(1).tag)
            bench.received(bob.hello(), on: link)
            bench.pass(61_000)
            bench.feed(.linkClosed(LinkID(link), .closed))
            bench.pass(300_000)
            told += news(&bench)
            #expect(try waiting(&bench) == [bob.identity])
        }
        #expect(told == 1)
        // Nobody is remembered for ever.
        bench.pass(Limits.admissionRequestMilliseconds)
        #expect(try waiting(&bench) == [])
        bench.pass(Limits.strangerKeptMilliseconds)
        #expect(bench.engine.census.peers == 0)
    }

    @Test func whoIsLetInIsDialledWhereItWas() throws {
        var bench = try bench()
        let bob = try RemotePeer()
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        bench.pass(61_000)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(10_000_000)
        _ = bench.takeEffects()
        _ = try bench.ask(.workspace(.change(.admit, who: [bob.identity.text]))).get()
        bench.pass(1_000)
        #expect(bench.takeDials().map(\.expecting) == [bob.identity])
        #expect(bench.disk.peers[bob.identity]?.trust == .accepted)
    }

    @Test func onlySoManyAreRememberedAsAsking() {
        var requests = AdmissionRequests()
        func peer(_ number: Int) -> PeerID {
            PeerID(value: Bytes32(hashing: [UInt8(number & 255), UInt8(number >> 8)], domain: 0))
        }
        func came(_ number: Int, at now: Int64) -> PeerID? {
            requests.came(peer(number), AdmissionRequests.Request(tag: 1, proof: nil, seen: now))
        }
        for number in 0..<Limits.admissionRequests { #expect(came(number, at: Int64(number)) == nil) }
        #expect(came(0, at: 1_000) == nil, "who comes again takes no room")
        #expect(came(Limits.admissionRequests, at: 1_001) == peer(1), "who was seen longest ago goes")
        #expect(requests.peers.count == Limits.admissionRequests)
        #expect(requests.due(at: 2 + Limits.admissionRequestMilliseconds) == [peer(2)])
        #expect(requests.next == 2 + Limits.admissionRequestMilliseconds)
    }

    // What is wrong.

    private func hello(_ proof: [UInt8]) -> WireFrame.OneOf_Kind {
        var hello = WireHello()
        hello.purpose = .main
        hello.name = "Bob"
        hello.invitation = Data(proof)
        return .hello(hello)
    }

    @Test func aMalformedProofBreaksTheLinkAndAWrongOneDoesNothing() throws {
        var bench = try bench()
        _ = try bench.ask(.workspace(.change(.invite(secret(1), uses: 3, until: .max / 2), who: []))).get()
        let charter = try #require(bench.disk.snapshot.workspace?.charter)
        let key = try #require(InvitationKey(secret(1), to: CharterPrefix(of: charter.id)))
        let bob = try RemotePeer()
        let proof = try #require(key.proof(for: bob.identity))
        let stolen = try #require(key.proof(for: EngineBench.peer(9)))
        for (link, bytes) in [Array(proof.bytes.dropLast()), proof.bytes + [0], [1]].enumerated() {
            bench.opened(UInt64(link + 1), with: bob, workspaceTag: self.key(1).tag)
            bench.received(hello(bytes), on: UInt64(link + 1))
            #expect(bench.closed.contains(LinkID(UInt64(link + 1))))
            bench.feed(.linkClosed(LinkID(UInt64(link + 1)), .closed))
        }
        bench.opened(8, with: bob, workspaceTag: self.key(1).tag)
        bench.received(hello(stolen.bytes), on: 8)
        bench.pass(70_000)
        #expect(try waiting(&bench) == [bob.identity])
        bench.feed(.linkClosed(LinkID(8), .closed))
        bench.opened(9, with: bob, workspaceTag: self.key(1).tag)
        bench.received(hello(proof.bytes), on: 9)
        bench.pass(1)
        #expect(try waiting(&bench) == [])
        #expect(bench.disk.snapshot.workspace?.charter?.admitted.contains(bob.identity) == true)
        #expect(bench.disk.peers[bob.identity]?.trust == .accepted)
    }

    @Test func aCommandAboutAnInvitationThatMakesNoSenseIsRefused() throws {
        var bench = try EngineBench()
        func reason(_ change: CharterCommand) throws -> Refusal.WorkspaceReason? {
            guard case .failure(.workspace(let reason)) = try bench.ask(.workspace(.change(change, who: []))) else {
                return nil
            }
            return reason
        }
        let good = CharterCommand.invite(try secret(1), uses: 1, until: .max / 2)
        #expect(try reason(good) == Refusal.WorkspaceReason.none)
        _ = try bench.ask(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16)))).get()
        #expect(try reason(good) == .admissionOpen)
        #expect(try reason(.policy(name: "admission", value: "approve")) == nil)
        for uses in [0, -1, Limits.charterInvitationUses + 1] {
            #expect(try reason(.invite(secret(1), uses: uses, until: .max / 2)) == .invitationUses)
        }
        #expect(try reason(.invite(secret(1), uses: 1, until: bench.now.wall - 1)) == .invitationOver)
        #expect(try reason(.endInvitation("abc")) == .unknownInvitation("abc"))
        #expect(try reason(.endInvitation("")) == .unknownInvitation(""))
        #expect(try reason(.policy(name: "invite_x", value: "1 1")) == .invitationPolicy)
        #expect(try reason(.invite(secret(1), uses: Limits.charterInvitationUses, until: .max / 2)) == nil)
        let text = try #require(bench.disk.snapshot.workspace?.charter?.invitations.first?.policy)
        #expect(try reason(.endInvitation(text.uppercased())) == nil)
        #expect(bench.disk.snapshot.workspace?.charter?.invitations == [])
    }

    /// Only the exact form is an invitation; whatever else a policy of such a name says invites nobody.
    @Test func aPolicyOfAnotherFormInvitesNobody() throws {
        let policy = try #require(
            InvitationKey(secret(1), to: CharterPrefix(of: ConversationID(value: .zero)))?.policy
        )
        let values = [
            "0 1", "1001 1", "1 0", "1", "1 1 1", " 1 1", "1  1", "01 1", "+1 1", "1 -1", "a b",
            "1 9223372036854775808",
        ]
        var writer = try CharterWriter(people: 1)
        var last = writer.create()
        for value in values {
            last = writer.policy(policy, value, by: 0, after: [last])
            #expect(writer.charter.invitations == [], "\(value)")
        }
        last = writer.policy("invite_abc", "1 1", by: 0, after: [last])
        #expect(writer.charter.invitations == [])
        _ = writer.policy(policy, "1000 9223372036854775807", by: 0, after: [last])
        #expect(writer.charter.invitations.map(\.left) == [1_000])
    }
}
