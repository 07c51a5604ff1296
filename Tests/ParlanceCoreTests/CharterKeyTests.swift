import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Which key a workspace uses (charter.md, "Key in use").
@Suite struct CharterKeyTests {
    private struct Scene {
        var writer: CharterWriter
        let first: StoredEvent

        /// The creator names key 1, and person 1 is an admin too.
        init() throws {
            writer = try CharterWriter(people: 6)
            let creation = writer.create()
            let appointment = writer.change(.appoint, [1, 2], by: 0, after: [creation])
            first = writer.rotate(to: 1, by: 0, after: [appointment])
        }

        func newest(_ held: UInt8...) -> Bytes32? {
            writer.charter.newest(among: Set(held.map(CharterWriter.key)))?.key
        }
        func key(_ number: UInt8) -> Bytes32 { CharterWriter.key(number) }
    }

    /// A rotation whose key nobody has locks nobody out.
    @Test func aNodeUsesTheNewestKeyThatItHolds() throws {
        var scene = try Scene()
        _ = scene.writer.rotate(to: 2, number: 2, by: 1, after: [scene.first])
        #expect(scene.newest(1) == scene.key(1) && scene.newest(1, 2) == scene.key(2))
        #expect(scene.newest(9) == nil, "a node without a named key stays with the one it joined with")
        #expect(scene.writer.charter.rotations.map(\.number) == [1, 2])
    }

    @Test func ofRotationsApartAllNodesUseTheSame() throws {
        var scene = try Scene()
        let one = scene.writer.rotate(to: 2, number: 2, by: 0, after: [scene.first])
        let two = scene.writer.rotate(to: 3, number: 2, by: 1, after: [scene.first])
        #expect(scene.newest(1, 2, 3) == scene.key(one.id < two.id ? 3 : 2))
    }

    /// An admin who slept long loses to what others have built on each other meanwhile, whatever its clock says.
    @Test func anOldViewLosesToADeeperOne() throws {
        var scene = try Scene()
        let two = scene.writer.rotate(to: 2, number: 2, by: 0, after: [scene.first])
        _ = scene.writer.rotate(to: 3, number: 3, by: 0, after: [two])
        _ = scene.writer.rotate(to: 4, number: 900, by: 1, after: [scene.first])
        #expect(scene.newest(1, 2, 3, 4) == scene.key(3))
    }

    @Test func aRotationByADismissedAdminDoesNotCount() throws {
        var scene = try Scene()
        let dismissal = scene.writer.change(.dismiss, [1], by: 0, after: [scene.first])
        let late = scene.writer.rotate(to: 2, by: 1, after: [dismissal])
        let apart = scene.writer.rotate(to: 3, by: 1, after: [scene.first])
        #expect(!scene.writer.charter.counts(late.id) && !scene.writer.charter.counts(apart.id))
        #expect(scene.newest(1, 2, 3) == scene.key(1))
    }

    @Test func theHashOfAnOldKeyIsNotNamedAgain() throws {
        var scene = try Scene()
        let two = scene.writer.rotate(to: 2, by: 1, after: [scene.first])
        let again = scene.writer.rotate(to: 1, by: 1, after: [two])
        // Claiming not to have seen the first does not help.
        let forged = scene.writer.rotate(to: 1, by: 2, after: [try #require(scene.writer.events.dropFirst().first)])
        #expect(!scene.writer.charter.counts(again.id) && !scene.writer.charter.counts(forged.id))
        #expect(scene.newest(1, 2) == scene.key(2))
    }

    /// Whoever named a key without having seen an exclusion may have handed it to the excluded.
    @Test func whoeverMayHoldTheKeyIsExposed() throws {
        var scene = try Scene()
        let exclusion = scene.writer.change(.exclude, [4], by: 0, after: [scene.first])
        let apart = scene.writer.rotate(to: 2, by: 1, after: [scene.first])
        let eve = scene.writer.people[4]
        #expect(scene.writer.charter.exposed(by: scene.key(2)) == [eve])
        #expect(scene.writer.charter.exposed(by: scene.key(1)) == [eve])
        #expect(scene.writer.charter.exposed(by: scene.key(9)) == [eve], "the key of a code is in anybody's hands")
        let rotation = scene.writer.rotate(to: 3, by: 1, after: [exclusion, apart])
        #expect(scene.writer.charter.exposed(by: scene.key(3)).isEmpty)
        #expect(scene.newest(1, 2, 3) == scene.key(3))
        _ = scene.writer.change(.readmit, [4], by: 0, after: [rotation])
        #expect(scene.writer.charter.exposed(by: scene.key(2)).isEmpty, "nobody is excluded any more")
    }

    /// A key's hash is public in the charter, so anybody who is an admin can copy a rotation. Whoever hears of the copy
    /// first judges it before the rotation; that must not matter.
    @Test func aCopyTakesNoEffectOverASeniorsRotation() throws {
        var scene = try Scene()
        let rotation = scene.writer.rotate(to: 2, number: 2, by: 1, after: [scene.first])
        let copy = scene.writer.rotate(to: 2, number: 9, by: 2, after: [scene.first])
        // The creator has seen the copy alone, so it is judged first.
        let admission = scene.writer.change(.admit, [5], by: 0, after: [copy])
        let charter = scene.writer.charter
        #expect(charter.counts(rotation.id) && !charter.counts(copy.id) && charter.counts(admission.id))
        #expect(charter.rotations.map(\.number) == [1, 2] && scene.newest(1, 2) == scene.key(2))
    }

    /// A copy that claims to know of an exclusion does not hide that the key was handed out without that knowledge.
    @Test func aCopyHidesNobodyWhoMayHoldTheKey() throws {
        var scene = try Scene()
        let exclusion = scene.writer.change(.exclude, [4], by: 0, after: [scene.first])
        let rotation = scene.writer.rotate(to: 2, number: 2, by: 1, after: [scene.first])
        let copy = scene.writer.rotate(to: 2, number: 2, by: 2, after: [exclusion])
        _ = scene.writer.change(.admit, [5], by: 0, after: [copy])
        let charter = scene.writer.charter
        #expect(charter.counts(rotation.id) && !charter.counts(copy.id))
        #expect(charter.exposed(by: scene.key(2)) == [scene.writer.people[4]])
    }

    /// Whoever holds a copy, and not the rotation, may hand the key to somebody whose exclusion the copy does not know.
    @Test func aCopyExposesWhomItDoesNotKnowToBeExcluded() throws {
        var scene = try Scene()
        let exclusion = scene.writer.change(.exclude, [4], by: 0, after: [scene.first])
        let rotation = scene.writer.rotate(to: 2, number: 2, by: 1, after: [exclusion])
        #expect(scene.writer.charter.exposed(by: scene.key(2)).isEmpty)
        _ = scene.writer.rotate(to: 2, number: 2, by: 2, after: [scene.first])
        let charter = scene.writer.charter
        #expect(charter.counts(rotation.id) && charter.exposed(by: scene.key(2)) == [scene.writer.people[4]])
    }

    /// Nor does a senior bring an old key back by naming it again, once it has seen that somebody named it.
    @Test func aSeniorDoesNotNameAJuniorsKeyAgain() throws {
        var scene = try Scene()
        let rotation = scene.writer.rotate(to: 2, number: 2, by: 2, after: [scene.first])
        let next = scene.writer.rotate(to: 3, number: 3, by: 1, after: [rotation])
        let again = scene.writer.rotate(to: 2, number: 4, by: 0, after: [next])
        let charter = scene.writer.charter
        #expect(charter.counts(rotation.id) && !charter.counts(again.id) && scene.newest(1, 2, 3) == scene.key(3))
    }
}
