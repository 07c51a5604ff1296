import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What one admin may do to a charter is bounded, and nobody uses up what others may change (charter.md, "Limits").
@Suite struct CharterLimitTests {
    private struct Scene {
        var writer: CharterWriter
        let base: StoredEvent

        init(people: Int = 4) throws {
            writer = try CharterWriter(people: people)
            let creation = writer.create()
            base = writer.change(.appoint, [1], by: 0, after: [creation])
        }

        var counting: Int { writer.charter.entries.count { $0.counts } - 2 }
    }

    /// Each kind of change has a share of its own: whoever has used one up can still do the rest.
    @Test func eachKindHasAShareOfItsOwn() throws {
        let shares: [(Int, (inout CharterWriter, Int, StoredEvent) -> Void)] = [
            (Limits.charterChanges, { writer, _, base in _ = writer.change(.admit, [3], by: 1, after: [base]) }),
            (Limits.charterChanges, { writer, _, base in _ = writer.change(.exclude, [3], by: 1, after: [base]) }),
            (Limits.charterPolicies, { writer, _, base in _ = writer.policy("a", "b", by: 1, after: [base]) }),
            (Limits.charterLinks, { writer, _, base in _ = writer.change(.link, by: 1, after: [base]) }),
            (
                Limits.charterRotations,
                { writer, number, base in
                    var details = WireCharterDetails()
                    details.number = 1
                    details.keyHash = Data(UInt64(number).bigEndianBytes + [UInt8](repeating: 0, count: 24))
                    _ = writer.change(.rotate, by: 1, after: [base], details)
                }
            ),
        ]
        var scene = try Scene()
        var expected = 0
        for (limit, write) in shares {
            for number in 0..<(limit + 2) { write(&scene.writer, number, scene.base) }
            expected += limit
        }
        #expect(scene.counting == expected)
        let exclusion = scene.writer.change(.exclude, [1], by: 0, after: [scene.base])
        #expect(scene.writer.charter.counts(exclusion.id) && scene.counting == 1, "and all of it can be taken back")
    }

    @Test func aChangeIsSmall() throws {
        var scene = try Scene(people: 2)
        func isRead(_ event: StoredEvent) -> Bool { MembershipChange.inCharter(event) != nil }
        func many(_ count: Int) throws -> [PeerID] {
            try (0..<count).map { number in
                try #require(PeerID(UInt64(number).bigEndianBytes + [UInt8](repeating: 1, count: 24)))
            }
        }
        let most = try many(Limits.charterPeople)
        #expect(isRead(scene.writer.change(.admit, most, by: 0, after: [scene.base.id], [])))
        #expect(!isRead(scene.writer.change(.admit, try many(Limits.charterPeople + 1), by: 0, after: [], [])))
        let parents = try many(Limits.charterParents + 1).map { EventID(value: $0.value) }
        #expect(isRead(scene.writer.change(.link, [], by: 0, after: Array(parents.dropLast()), [])))
        #expect(!isRead(scene.writer.change(.link, [], by: 0, after: parents, [])))
        for (room, isSmall) in [(Limits.charterBodyBytes - 100, true), (Limits.charterBodyBytes, false)] {
            let padding = [UInt8](repeating: 0, count: room)
            #expect(isRead(scene.writer.change(.link, [], by: 0, after: [], padding)) == isSmall)
        }
        var padded = scene.base
        padded.headerBytes += [UInt8](repeating: 0, count: Limits.charterHeaderBytes)
        #expect(!isRead(padded))
    }

    @Test func aPolicyIsAWordAndALine() throws {
        let longest = String(repeating: "a", count: Limits.charterPolicyNameBytes)
        for name in ["auto_accept", "a1", longest] { #expect(name.isPolicyName) }
        for name in ["", "A", "a-b", "ä", longest + "a"] { #expect(!name.isPolicyName) }
        let value = String(repeating: "é", count: Limits.charterPolicyValueBytes / 2)
        for text in ["", "7 days", value] { #expect(text.isPolicyValue) }
        for text in ["a\nb", value + "a"] { #expect(!text.isPolicyValue) }
    }

    /// A rotation needs a number that JSON carries and a key's name; a policy needs a name.
    @Test func whatSaysNothingBreaksARule() throws {
        var scene = try Scene(people: 2)
        var rotation = WireCharterDetails()
        rotation.number = 1
        rotation.keyHash = Data(repeating: 1, count: 32)
        func isRead(_ action: WireMemberAction, _ details: [UInt8], _ who: [Int] = []) -> Bool {
            let people = who.map { scene.writer.people[$0] }
            let event = scene.writer.change(action, people, by: 0, after: [scene.base.id], details)
            return MembershipChange.inCharter(event) != nil
        }
        #expect(isRead(.rotate, rotation.encodedBytes()) && !isRead(.rotate, rotation.encodedBytes(), [1]))
        for (number, bytes) in [(0, 32), (Limits.sequence + 1, 32), (1, 31)] as [(UInt64, Int)] {
            var wrong = WireCharterDetails()
            wrong.number = number
            wrong.keyHash = Data(repeating: 1, count: bytes)
            #expect(!isRead(.rotate, wrong.encodedBytes()))
        }
        #expect(!isRead(.rotate, []) && !isRead(.policy, []) && !isRead(.rotate, [0xFF]))
        #expect(!isRead(.admit, []) && isRead(.admit, [0xFF], [1]), "only rotations and policies have details")
        for action in [WireMemberAction.add, .remove, .leave, .unspecified] { #expect(!isRead(action, [], [1])) }
    }

    @Test func onlySoManyBecomeAdmins() throws {
        var writer = try CharterWriter(people: Limits.charterAdmins + 1)
        var last = writer.create()
        for start in stride(from: 1, through: Limits.charterAdmins, by: 32) {
            let end = min(start + 32, Limits.charterAdmins + 1)
            last = writer.change(.appoint, Array(start..<end), by: 0, after: [last])
        }
        #expect(writer.charter.admins.count == Limits.charterAdmins)
        #expect(!writer.charter.isAdmin(writer.people[Limits.charterAdmins]) && writer.charter.counts(last.id))
    }

    /// More heads than one event names take links first.
    @Test func aLinkNamesWhatIsTooMuchForAChange() throws {
        var scene = try Scene()
        #expect(scene.writer.charter.nextLink == nil)
        for _ in 0..<(3 * Limits.charterParents) { _ = scene.writer.change(.admit, [3], by: 1, after: [scene.base]) }
        var links = 0
        while let named = scene.writer.charter.nextLink {
            _ = scene.writer.change(.link, [], by: 0, after: named, [])
            links += 1
            try #require(links < 10)
        }
        let exclusion = scene.writer.change(
            .exclude,
            [scene.writer.people[1]],
            by: 0,
            after: scene.writer.charter.frontier,
            []
        )
        #expect(
            links == 3 && scene.writer.charter.counts(exclusion.id) && scene.writer.charter.frontier == [exclusion.id]
        )
    }

    /// Events that do not count are held up to a number, the seniors' first; what a counting event had seen up to
    /// another.
    @Test func whatDoesNotCountIsBounded() throws {
        var scene = try Scene()
        var bounds = CharterBounds()
        (bounds.changes, bounds.voidSeen) = (20, 100)
        // Person 1 writes a chain beyond its share; then something with a share of its own that has seen all of it.
        var last = scene.base
        for _ in 0..<(bounds.changes + bounds.voidSeen) {
            last = scene.writer.change(.admit, [3], by: 1, after: [last])
        }
        let rotation = scene.writer.rotate(to: 1, by: 1, after: [last])
        #expect(scene.writer.charter(bounds).counts(rotation.id))
        last = scene.writer.change(.admit, [3], by: 1, after: [last])
        let late = scene.writer.rotate(to: 2, by: 1, after: [last])
        #expect(!scene.writer.charter(bounds).counts(late.id), "it had seen too much that does not count")
        bounds.voidSeen -= 1
        let charter = scene.writer.charter(bounds)
        #expect(!charter.counts(rotation.id) && charter.events.count < 2 + 2 * bounds.changes + 4)
    }

    /// What a node writes by itself does not use up a share for three weeks, and every log can be read.
    @Test func theLimitsFitEachOther() {
        let day: Int64 = 86_400_000
        #expect(Int64(Limits.charterRotations) * Limits.charterRotationMilliseconds > 21 * day)
        let event = 2 * (Limits.charterBodyBytes + Limits.charterHeaderBytes + 80)
        let events = Limits.charterSeen + Limits.charterVoid
        // 64 people, each of them spared, and the members of the line.
        #expect(events * (event + 2 * 64 * 60 + 600) < Limits.charterLogBytes)
        // Only the creator writes creations.
        let admin =
            2 * Limits.charterChanges + Limits.charterRotations + Limits.charterPolicies + Limits.charterLinks
        #expect(Limits.charterVoidSeen == 3 * admin && Limits.charterVoid == 4 * admin)
        #expect(Limits.charterSeen == 2 * Limits.charterEvents && Limits.charterVoid >= Limits.charterEvents)
        #expect(Limits.charterLinks * Limits.charterParents > Limits.charterEvents)
    }
}
