import Foundation
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Invitations whose codes let nobody in any more (charter.md, "Invitations", "Exclusion and readmission").
@Suite struct EndedInvitationTests {
    private static let day = Limits.workspaceKeyServesMilliseconds

    private static func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// Ada's node, who has founded a workspace in which admins let members in, and has made an invitation for three.
    private struct Office {
        var bench: EngineBench
        let secret: InvitationSecret
        let mallory: PeerID

        init() throws {
            let mallory = try RemotePeer(7)
            self.mallory = mallory.identity
            bench = try EngineBench(peers: [mallory.record(name: "Mallory")])
            secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 1, count: 16))))
            let nonce = [UInt8](repeating: 3, count: 16)
            _ = try bench.ask(.workspace(.found(name: "Ship", EndedInvitationTests.key(1), nonce: nonce))).get()
            try change(.policy(name: "admission", value: "approve"))
            try change(.invite(secret, uses: 3, until: .max / 2))
        }

        mutating func change(_ change: CharterCommand, _ who: PeerID...) throws {
            _ = try bench.ask(.workspace(.change(change, who: who.map(\.text)))).get()
        }

        mutating func shown() throws -> CharterView {
            guard case .workspace(let shown?) = try bench.ask(.workspace(.show)).get(), let charter = shown.charter
            else { throw EngineBench.Unexpected(what: "no workspace") }
            return charter
        }

        /// Somebody comes with a key and shows the invitation.
        ///
        /// - Parameter prover: whose proof it shows, if not its own.
        mutating func comes(
            _ peer: RemotePeer,
            with key: WorkspaceKey,
            on link: UInt64,
            as prover: RemotePeer? = nil
        ) throws {
            let charter = try #require(bench.disk.snapshot.workspace?.charter)
            let proof = InvitationKey(secret, to: CharterPrefix(of: charter.id))?.proof(for: (prover ?? peer).identity)
            var hello = WireHello()
            (hello.purpose, hello.name) = (.main, "Bob")
            hello.invitation = Data(try #require(proof).bytes)
            bench.opened(link, with: peer, workspaceTag: key.tag)
            bench.received(.hello(hello), on: link)
            bench.pass(70_000)
        }

        func isAdmitted(_ peer: RemotePeer) -> Bool {
            bench.disk.snapshot.workspace?.charter?.isAdmitted(peer.identity) == true
        }
    }

    /// An invitation that is used up or over is told while somebody waits who has shown it, and no longer.
    @Test(arguments: [EndedInvitation.Reason.usedUp, .expired])
    func whatIsShownInVainIsTold(reason: EndedInvitation.Reason) throws {
        var office = try Office()
        let first = try #require(office.shown().invitations.first)
        try office.change(.endInvitation(first.text))
        let until = reason == .usedUp ? Int64.max / 2 : office.bench.now.wall + 60_000
        try office.change(.invite(office.secret, uses: 1, until: until))
        if reason == .usedUp {
            let first = try RemotePeer(11)
            try office.comes(first, with: Self.key(1), on: 1)
            #expect(office.isAdmitted(first))
        } else {
            office.bench.pass(70_000)
        }
        #expect(try office.shown().endedInvitations == [])
        let (late, other) = (try RemotePeer(12), try RemotePeer(13))
        try office.comes(late, with: Self.key(1), on: 2)
        #expect(try !office.isAdmitted(late) && office.shown().waiting == [late.identity])
        #expect(try office.shown().endedInvitations.map(\.reason) == [reason])
        try office.change(.admit, late.identity)
        #expect(try office.isAdmitted(late) && office.shown().endedInvitations == [])
        // Whoever knows only the public key shows nothing.
        try office.comes(other, with: Self.key(1), on: 3, as: late)
        #expect(try office.shown().waiting == [other.identity] && office.shown().endedInvitations == [])
    }

    @Test func anExclusionEndsTheInvitationsFromBefore() throws {
        var office = try Office()
        #expect(try office.shown().invitations.map(\.left) == [3] && office.shown().endedInvitations == [])
        try office.change(.exclude(Self.key(2)), office.mallory)
        #expect(try office.shown().invitations == [])
        #expect(try office.shown().endedInvitations.map(\.reason) == [.exclusion])
        // Not even the new key helps: the excluded may have the secret, and get that key from somebody careless.
        let bob = try RemotePeer()
        try office.comes(bob, with: Self.key(2), on: 1)
        #expect(try office.shown().waiting == [bob.identity] && !office.isAdmitted(bob))
        // One that is made now stands.
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 2, count: 16))))
        try office.change(.invite(secret, uses: 2, until: .max / 2))
        #expect(try office.shown().invitations.map(\.left) == [2])
        // Whoever ends the old one sees it no more.
        let ended = try #require(office.shown().endedInvitations.first)
        try office.change(.endInvitation(ended.invitation.text))
        #expect(try office.shown().endedInvitations == [])
    }

    /// Whoever was excluded may have given the secret away: a readmission lets that person in, and nobody else.
    @Test func aReadmissionDoesNotBringThemBack() throws {
        var office = try Office()
        try office.change(.exclude(Self.key(2)), office.mallory)
        try office.change(.readmit, office.mallory)
        #expect(try office.shown().invitations == [])
        #expect(try office.shown().endedInvitations.map(\.reason) == [.exclusion])
        for (number, key) in [(UInt8(2), Self.key(1)), (3, Self.key(2))] {
            let stranger = try RemotePeer(number)
            try office.comes(stranger, with: key, on: UInt64(number))
            #expect(!office.isAdmitted(stranger))
        }
        office.bench.pass(Self.day)
        #expect(try office.shown().endedInvitations.map(\.reason) == [.exclusion])
        // One that is made after the readmission stands.
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 2, count: 16))))
        try office.change(.invite(secret, uses: 2, until: .max / 2))
        #expect(try office.shown().invitations.map(\.left) == [2])
    }

    @Test func aNewKeyLeavesACodeItsDay() throws {
        var office = try Office()
        try office.change(.rotate(Self.key(2)))
        #expect(try office.shown().invitations.map(\.until) == [office.bench.now.wall + Self.day])
        office.bench.pass(Self.day)
        #expect(try office.shown().invitations == [])
        #expect(try office.shown().endedInvitations.map(\.reason) == [.newKey])
    }

    /// What is used up or over was meant to end: nobody has to be told.
    @Test func whatIsUsedUpOrOverIsNotListed() throws {
        var office = try Office()
        for number in UInt8(2)...4 { try office.comes(try RemotePeer(number), with: Self.key(1), on: UInt64(number)) }
        #expect(try office.shown().invitations == [])
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 2, count: 16))))
        try office.change(.invite(secret, uses: 2, until: office.bench.now.wall + 1_000))
        #expect(try office.shown().invitations.count == 1)
        office.bench.pass(2_000)
        try office.change(.exclude(Self.key(2)), office.mallory)
        #expect(try office.shown().invitations == [] && office.shown().endedInvitations == [])
    }

    /// An admin who had not heard of an exclusion gives a code whose key the excluded has.
    @Test func anInvitationMadeAtTheSameTimeEndsToo() throws {
        var writer = try CharterWriter(people: 3)
        let creation = writer.create()
        let first = writer.rotate(to: 1, by: 0, after: [creation])
        let bobs = writer.change(.appoint, [1], by: 0, after: [first])
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 1, count: 16))))
        let key = try #require(InvitationKey(secret, to: CharterPrefix(of: writer.id)))
        _ = writer.policy(key.policy, "3 900", by: 1, after: [bobs])
        #expect(writer.charter.invitations.first?.stands(at: 900) == true)
        let exclusion = writer.change(.exclude, [2], by: 0, after: [bobs])
        #expect(writer.charter.invitations.first?.stands(at: 900) == false)
        _ = writer.policy(key.policy, "3 900", by: 1, after: [exclusion])
        #expect(writer.charter.invitations.first?.stands(at: 900) == true)
    }

    /// Whatever the order in which the events come, and however the exclusion was made up for.
    @Test func anExclusionEndsThemForGoodInWhateverOrderItIsHeardOf() throws {
        var writer = try CharterWriter(people: 4)
        let creation = writer.create()
        let bobs = writer.change(.appoint, [1], by: 0, after: [creation])
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 1, count: 16))))
        let key = try #require(InvitationKey(secret, to: CharterPrefix(of: writer.id)))
        let invitation = writer.policy(key.policy, "3 900", by: 1, after: [bobs])
        // An admin who had not heard of the invitation excludes Cleo, and lets Cleo in again.
        let exclusion = writer.change(.exclude, [2], by: 0, after: [bobs])
        let readmission = writer.change(.readmit, [2], by: 0, after: [exclusion, invitation])
        #expect(!writer.charter.isExcluded(writer.people[2]))
        let orders = [writer.events, writer.events.reversed(), [readmission, exclusion, invitation, bobs, creation]]
        for order in orders {
            var charter = Charter(id: writer.id)
            for event in order { charter.insert([event]) }
            charter.insert(order)
            #expect(charter.invitations.map(\.precedesExclusion) == [true])
            #expect(charter.invitations.first?.stands(at: 900) == false)
        }
        // An exclusion that does not count ends nothing: Dan is no admin.
        _ = writer.policy(key.policy, "3 900", by: 1, after: [readmission])
        #expect(writer.charter.invitations.first?.stands(at: 900) == true)
        _ = writer.change(.exclude, [2], by: 3, after: [readmission])
        #expect(writer.charter.invitations.first?.stands(at: 900) == true)
        // Nor does one of somebody who is senior to its author.
        _ = writer.change(.exclude, [0], by: 1, after: [readmission])
        #expect(writer.charter.invitations.first?.stands(at: 900) == true)
    }

    /// Who waits knows what their own invitation does, as far as the events that have come here say it.
    @Test func whoWaitsKnowsWhatTheirInvitationDoes() throws {
        var writer = try CharterWriter(people: 3)
        let creation = writer.create()
        let first = writer.rotate(to: 1, by: 0, after: [creation])
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 1, count: 16))))
        let key = try #require(InvitationKey(secret, to: CharterPrefix(of: writer.id)))
        func standing(_ writer: CharterWriter, of user: Int = 2, at wall: Int64 = 800) -> InvitationStanding? {
            let ship = Workspace(name: "Ship", keys: [Self.key(1)], charter: writer.charter, code: nil, key)
            return ship.ownInvitation(of: writer.people[user], at: wall)
        }
        #expect(standing(writer) == .unknown)
        let policy = writer.policy(key.policy, "1 900", by: 0, after: [first])
        #expect(standing(writer) == .admits && standing(writer, at: 901) == .ended(.expired))
        let made = try #require(writer.charter.invitations.first)
        let admission = writer.change(.admit, [1], by: 0, after: [policy], WireCharterDetails.admission(by: made))
        #expect(standing(writer) == .ended(.usedUp))
        #expect(standing(writer, of: 1) == .admitted, "nobody else came with it before Bob")
        _ = writer.policy(key.policy, "", by: 0, after: [admission])
        #expect(standing(writer) == .unknown)
        #expect(
            Workspace(name: "Ship", keys: [Self.key(1)], charter: writer.charter)
                .ownInvitation(of: writer.people[2], at: 800) == nil,
            "a code without an invitation"
        )
    }

    /// A member who came after the change of the key holds no key from before, and knows its age only by the charter.
    @Test func aNewMemberSaysOfAnInvitationWhatOldOnesSay() throws {
        let start: Int64 = 100 * 86_400_000
        var writer = try CharterWriter(people: 1, start: start)
        let creation = writer.create()
        let first = writer.rotate(to: 1, by: 0, after: [creation])
        let secret = try #require(InvitationSecret(SecretBytes(copying: [UInt8](repeating: 1, count: 16))))
        let key = try #require(InvitationKey(secret, to: CharterPrefix(of: writer.id)))
        let invitation = writer.policy(key.policy, "3 \(start + 90 * Self.day)", by: 0, after: [first])
        _ = writer.rotate(to: 2, number: 2, by: 0, after: [invitation])
        let changed = try #require(writer.charter.rotations.last?.time.claimed.milliseconds)
        var old = Workspace(name: "Ship", keys: [Self.key(1), Self.key(2)], charter: writer.charter)
        old.sortKeys(at: changed)
        let new = Workspace(name: "Ship", keys: [Self.key(2)], charter: writer.charter)
        for workspace in [old, new] {
            for wall in [changed + 60_000, changed + Self.day - 1] {
                #expect(workspace.standingInvitations(at: wall).map(\.until) == [changed + Self.day])
                #expect(workspace.endedInvitations(at: wall) == [])
            }
            #expect(workspace.standingInvitations(at: changed + 2 * Self.day) == [])
            #expect(workspace.endedInvitations(at: changed + 2 * Self.day).map(\.reason) == [.newKey])
        }
        // With a clock behind that of the admin, the change is no longer ago than now.
        let early = changed - 600_000
        #expect(new.endedInvitations(at: early) == [])
        #expect(new.standingInvitations(at: early).map(\.until) == [early + Self.day])
    }
}
