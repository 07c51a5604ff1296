import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Who may do what in a workspace (charter.md, "Evaluation").
@Suite struct CharterTests {
    /// A charter whose creator, person 0, has appointed persons 1 and 2.
    private struct Scene {
        var writer: CharterWriter
        let creation: StoredEvent
        let appointment: StoredEvent

        init() throws {
            writer = try CharterWriter(people: 6)
            creation = writer.create()
            appointment = writer.change(.appoint, [1, 2], by: 0, after: [creation])
        }

        var charter: Charter { writer.charter }
        func person(_ number: Int) -> PeerID { writer.people[number] }
    }

    @Test func theCreatorIsTheFirstAdmin() throws {
        let scene = try Scene()
        let charter = scene.charter
        #expect(charter.title == "Ship" && charter.admins == [0, 1, 2].map(scene.person))
        #expect(charter.isMember(scene.person(5)), "a holder of the key is a member as long as admission is open")
        #expect(charter.counts(scene.creation.id) && charter.excluded.isEmpty && charter.rotations.isEmpty)
    }

    /// A charter and a group have IDs of their own, so neither creation is the other's.
    @Test func aCharterIsNoGroup() throws {
        var writer = try CharterWriter(people: 2)
        let creation = writer.create()
        #expect(MembershipChange.inCharter(creation) != nil && MembershipChange(creation) == nil)
        var bench = try MembershipBench(people: 2)
        #expect(MembershipChange.inCharter(bench.create([1])) == nil)
        var other = try CharterWriter(people: 2)
        #expect(MembershipChange.inCharter(other.create(members: [1])) == nil, "a creation admits nobody")
        for title in ["", "a\nb"] {
            var untitled = try CharterWriter(people: 1)
            #expect(MembershipChange.inCharter(untitled.create(title: title)) == nil)
        }
    }

    @Test func twoAdminsExcludeEachOther() throws {
        var scene = try Scene()
        _ = scene.writer.change(.exclude, [2], by: 1, after: [scene.appointment])
        _ = scene.writer.change(.exclude, [1], by: 2, after: [scene.appointment])
        #expect(scene.charter.admins == [0, 1].map(scene.person) && scene.charter.excluded == [scene.person(2)])
    }

    /// No junior takes anything from a senior admin, whatever it has seen, and nobody but itself from the creator.
    @Test func aJuniorTakesNothingFromASenior() throws {
        for action in [WireMemberAction.exclude, .dismiss] {
            for (author, subject, counts) in [
                (1, 0, false), (2, 1, false), (1, 2, true), (0, 1, true), (2, 2, true), (0, 0, true),
            ] {
                var scene = try Scene()
                let change = scene.writer.change(action, [subject], by: author, after: [scene.appointment])
                #expect(scene.charter.counts(change.id) == counts, "\(action) of \(subject) by \(author)")
                #expect(scene.charter.isAdmin(scene.person(subject)) != counts)
            }
        }
    }

    /// An exclusion of several people counts for those whom its author may exclude.
    @Test func anExclusionSparesOnlyTheSenior() throws {
        var scene = try Scene()
        let exclusion = scene.writer.change(.exclude, [0, 4], by: 1, after: [scene.appointment])
        #expect(scene.charter.counts(exclusion.id) && scene.charter.excluded == [scene.person(4)])
        #expect(scene.charter.entries.map(\.spared) == [[], [], [scene.person(0)]])
    }

    /// Seniority spares nobody from an author who may do nothing anyway.
    @Test func onlyAnAdminsChangeSparesSomebody() throws {
        var scene = try Scene()
        let dismissal = scene.writer.change(.dismiss, [2], by: 0, after: [scene.appointment])
        let void = scene.writer.change(.exclude, [0, 4], by: 2, after: [dismissal])
        #expect(!scene.charter.counts(void.id) && scene.charter.entries.allSatisfy { $0.spared.isEmpty })
    }

    /// A senior who is no admin any more can be excluded by everybody who is.
    @Test func aDismissedSeniorIsShieldedNoLonger() throws {
        var scene = try Scene()
        let dismissal = scene.writer.change(.dismiss, [1], by: 0, after: [scene.appointment])
        let exclusion = scene.writer.change(.exclude, [1], by: 2, after: [dismissal])
        #expect(scene.charter.counts(exclusion.id) && scene.charter.isExcluded(scene.person(1)))
    }

    @Test func exclusionBeatsAConcurrentAdmission() throws {
        var scene = try Scene()
        let exclusion = scene.writer.change(.exclude, [4], by: 1, after: [scene.appointment])
        let admission = scene.writer.change(.admit, [4], by: 0, after: [scene.appointment])
        #expect(scene.charter.isExcluded(scene.person(4)))
        // Not even an admission or an appointment that has seen it lifts an exclusion.
        let again = scene.writer.change(.admit, [4], by: 0, after: [exclusion, admission])
        let appointment = scene.writer.change(.appoint, [4], by: 0, after: [again])
        #expect(scene.charter.isExcluded(scene.person(4)) && !scene.charter.isAdmin(scene.person(4)))
        #expect(scene.charter.counts(appointment.id) && !scene.charter.isMember(scene.person(4)))
        _ = scene.writer.change(.readmit, [4], by: 2, after: [again])
        #expect(!scene.charter.isExcluded(scene.person(4)) && scene.charter.isMember(scene.person(4)))
    }

    @Test func readmissionLiftsOnlyWhatItHasSeen() throws {
        var scene = try Scene()
        let one = scene.writer.change(.exclude, [1], by: 0, after: [scene.appointment])
        let two = scene.writer.change(.exclude, [1], by: 0, after: [scene.appointment])
        let half = scene.writer.change(.readmit, [1], by: 2, after: [one])
        #expect(scene.charter.isExcluded(scene.person(1)))
        #expect(Set(scene.charter.exclusions(of: scene.person(1))) == [one.id, two.id])
        let whole = scene.writer.change(.readmit, [1], by: 2, after: [half, two])
        #expect(!scene.charter.isExcluded(scene.person(1)) && scene.charter.exclusions(of: scene.person(1)).isEmpty)
        #expect(!scene.charter.isAdmin(scene.person(1)), "the admin's right does not come back with it")
        _ = scene.writer.change(.appoint, [1], by: 0, after: [whole])
        #expect(scene.charter.isAdmin(scene.person(1)))
    }

    @Test func admissionNeedsAnAdminIfAPolicySaysSo() throws {
        var scene = try Scene()
        let approve = scene.writer.policy("admission", "approve", by: 1, after: [scene.appointment])
        #expect(scene.charter.admission == .approve && !scene.charter.isMember(scene.person(4)))
        #expect(scene.charter.isMember(scene.person(2)), "whoever is appointed is let in")
        _ = scene.writer.change(.admit, [4], by: 2, after: [approve])
        #expect(scene.charter.isMember(scene.person(4)) && scene.charter.admitted.contains(scene.person(4)))
        _ = scene.writer.policy("admission", "", by: 1, after: [approve])
        #expect(scene.charter.admission == .open && scene.charter.policies.isEmpty)
    }

    @Test func ofPoliciesAtOnceAllNodesTakeTheSame() throws {
        var scene = try Scene()
        let one = scene.writer.policy("retention", "7d", by: 1, after: [scene.appointment])
        let two = scene.writer.policy("retention", "90d", by: 2, after: [scene.appointment])
        let policy = try #require(scene.charter.policies.first)
        #expect(scene.charter.policies.count == 1)
        #expect(
            policy.value == (one.id < two.id ? "90d" : "7d") && policy.author == scene.person(one.id < two.id ? 2 : 1)
        )
        #expect(policy.time.claimed.milliseconds > 0)
        _ = scene.writer.policy("retention", "1d", by: 2, after: [one, two])
        #expect(scene.charter.policies.first?.value == "1d")
    }

    @Test func changesByOthersDoNotCount() throws {
        var scene = try Scene()
        let events = [
            scene.writer.change(.exclude, [5], by: 4, after: [scene.appointment]),
            scene.writer.rotate(to: 1, by: 4, after: [scene.appointment]),
            scene.writer.policy("admission", "approve", by: 4, after: [scene.appointment]),
            scene.writer.change(.link, by: 4, after: [scene.appointment]),
            scene.writer.change(.appoint, [4], by: 4, after: [scene.appointment]),
        ]
        #expect(events.allSatisfy { !scene.charter.counts($0.id) && !scene.charter.contains($0.id) })
    }

    /// An event waits for what it names, and then counts as if it had come in order.
    @Test func eventsWait() throws {
        var scene = try Scene()
        let exclusion = scene.writer.change(.exclude, [4], by: 1, after: [scene.appointment])
        let rotation = scene.writer.rotate(to: 2, by: 1, after: [exclusion])
        var charter = Charter(id: scene.writer.id)
        charter.insert([rotation, scene.creation])
        #expect(charter.contains(rotation.id) && charter.rotations.isEmpty && charter.entries.count == 1)
        charter.insert([exclusion])
        #expect(!charter.isExcluded(scene.person(4)))
        charter.insert([scene.appointment])
        #expect(charter.isExcluded(scene.person(4)) && charter.rotations.map(\.id) == [rotation.id])
        #expect(charter.hash == scene.charter.hash && charter.frontier == [rotation.id])
    }

    /// An admin who finds that another abused the right excludes it from a point on: what came after does not count.
    @Test func anAbuseIsTakenBackFromAPointOn() throws {
        var scene = try Scene()
        let abuse = scene.writer.change(.exclude, [3, 4, 5], by: 2, after: [scene.appointment])
        let more = scene.writer.change(.appoint, [5], by: 2, after: [abuse])
        _ = scene.writer.change(.exclude, [2], by: 0, after: [scene.appointment])
        #expect(!scene.charter.counts(abuse.id) && !scene.charter.counts(more.id))
        #expect(scene.charter.excluded == [scene.person(2)] && scene.charter.admins == [0, 1].map(scene.person))
    }

    @Test func theMeetingDecidesWhoseCharterIsAdopted() throws {
        let (one, two) = (ConversationID(value: CharterWriter.key(1)), ConversationID(value: CharterWriter.key(2)))
        let code = CharterPrefix(of: one)
        #expect(CharterMeeting(with: one, holding: one, code: nil) == .held)
        #expect(CharterMeeting(with: two, holding: one, code: nil) == .foreign)
        #expect(CharterMeeting(with: one, holding: nil, code: code) == .named)
        #expect(CharterMeeting(with: two, holding: nil, code: code) == .foreign)
        #expect(CharterMeeting(with: two, holding: nil, code: nil) == .offered)
        #expect(CharterPrefix(Array(one.bytes.prefix(15))) == nil)
    }
}
