import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What many events that do not count can do to those that do (charter.md, "Evaluation", rules 6 and 7).
@Suite struct CharterFloodTests {
    /// Person 0 creates the charter and has appointed 1, 2, and 3, in this order.
    private struct Scene {
        var writer: CharterWriter
        let base: StoredEvent

        init(people: Int = 7) throws {
            writer = try CharterWriter(people: people)
            let creation = writer.create()
            base = writer.change(.appoint, [1, 2, 3], by: 0, after: [creation])
        }

        /// Somebody fills all of its shares, each event having seen the one before.
        mutating func flood(by person: Int, after event: StoredEvent, _ bounds: CharterBounds) -> StoredEvent {
            var last = event
            for _ in 0..<bounds.changes { last = writer.change(.admit, [5], by: person, after: [last]) }
            for _ in 0..<bounds.changes { last = writer.change(.dismiss, [5], by: person, after: [last]) }
            for _ in 0..<bounds.policies { last = writer.policy("a", "b", by: person, after: [last]) }
            for _ in 0..<bounds.links { last = writer.change(.link, by: person, after: [last]) }
            for number in 0..<bounds.rotations {
                var details = WireCharterDetails()
                details.number = 1
                details.keyHash = Data(UInt64(person << 32 + number).bigEndianBytes + [UInt8](repeating: 0, count: 24))
                last = writer.change(.rotate, by: person, after: [last], details)
            }
            return last
        }
    }

    private static var small: CharterBounds {
        var bounds = CharterBounds()
        (bounds.changes, bounds.rotations, bounds.policies, bounds.links) = (4, 4, 2, 2)
        // As the limits fit each other: an admin's shares are 16 events.
        (bounds.voidSeen, bounds.void, bounds.events, bounds.seen) = (48, 64, 64, 128)
        return bounds
    }

    /// Two admins fill their shares, and a senior excludes a third person after having seen that. When the creator takes
    /// back the floods, the exclusion stands.
    @Test func undoingFloodsUndoesNothingWrittenAfterThem() throws {
        var scene = try Scene()
        let first = scene.flood(by: 2, after: scene.base, CharterBounds())
        let second = scene.flood(by: 3, after: first, CharterBounds())
        let exclusion = scene.writer.change(.exclude, [4], by: 1, after: [second])
        #expect(scene.writer.charter.counts(second.id) && scene.writer.charter.isExcluded(scene.writer.people[4]))
        _ = scene.writer.change(.exclude, [2, 3], by: 0, after: [scene.base])
        let charter = scene.writer.charter
        #expect(!charter.counts(first.id) && !charter.counts(second.id) && charter.counts(exclusion.id))
        #expect(Set(charter.excluded) == Set([2, 3, 4].map { scene.writer.people[$0] }))
    }

    /// A junior who names as much as it can of what does not count takes no room from a senior, not even if somebody
    /// more senior has seen it first.
    @Test func eachAuthorPaysForWhatItHadSeen() throws {
        var scene = try Scene()
        let bounds = Self.small
        let flood = scene.flood(by: 2, after: scene.base, bounds)
        let exclusion = scene.writer.change(.exclude, [4], by: 1, after: [flood])
        // Person 3 writes beyond its share, and names what does not count.
        var last = scene.base
        for _ in 0..<(bounds.changes + bounds.voidSeen) {
            last = scene.writer.change(.admit, [5], by: 3, after: [last])
        }
        let junk = scene.writer.change(.link, by: 3, after: [last])
        let seen = scene.writer.change(.admit, [6], by: 0, after: [junk])
        _ = scene.writer.change(.exclude, [2], by: 0, after: [scene.base])
        let charter = scene.writer.charter(bounds)
        #expect(charter.counts(junk.id) && charter.counts(seen.id) && !charter.counts(flood.id))
        #expect(charter.counts(exclusion.id) && charter.isExcluded(scene.writer.people[4]))
    }

    /// All together, too, bring in no more than can be evaluated.
    @Test func whatIsSeenIsBoundedInAll() throws {
        var scene = try Scene()
        var bounds = Self.small
        bounds.seen = 2 + 2 * (bounds.changes + bounds.voidSeen) + 1
        var last: [StoredEvent] = []
        for person in 1...3 {
            var junk = scene.base
            for _ in 0..<(bounds.changes + bounds.voidSeen) {
                junk = scene.writer.change(.admit, [5], by: person, after: [junk])
            }
            last.append(scene.writer.change(.link, by: person, after: [junk]))
        }
        let charter = scene.writer.charter(bounds)
        #expect(last.map { charter.counts($0.id) } == [true, false, false])
        #expect(charter.events.count <= bounds.seen + bounds.void)
    }

    // What does not count now and may count again.

    /// Compares what counts when portions arrive one after the other with what counts when all arrive together.
    private func expectNothingLost(_ scene: Scene, _ portions: [[StoredEvent]], _ bounds: CharterBounds) {
        var grown = Charter(id: scene.writer.id, bounds: bounds)
        for portion in portions { grown.insert(portion) }
        let whole = scene.writer.charter(bounds)
        #expect(CharterOrderTests.verdict(grown) == CharterOrderTests.verdict(whole))
    }

    /// Two admins who filled their shares are excluded from before all of it; later the excluder is excluded in the same way.
    @Test func whatAnExcludedExcluderTookAwayCountsAgain() throws {
        var scene = try Scene()
        let bounds = Self.small
        let flood = scene.flood(by: 2, after: scene.base, bounds)
        let more = scene.flood(by: 3, after: flood, bounds)
        let written = scene.writer.events
        let exclusion = scene.writer.change(.exclude, [2, 3], by: 1, after: [scene.base])
        #expect(!scene.writer.charter(bounds).counts(more.id))
        let undone = scene.writer.change(.exclude, [1], by: 0, after: [scene.base])
        #expect(scene.writer.charter(bounds).counts(more.id))
        expectNothingLost(scene, [written, [exclusion], [undone]], bounds)
        expectNothingLost(scene, [[exclusion, undone], written], bounds)
    }

    /// An admin whose only appointment does not count for a time keeps everything that it wrote.
    @Test func whatSomebodyWroteWhoseAppointmentWasVoidCountsAgain() throws {
        var scene = try Scene()
        var last = scene.writer.change(.appoint, [4], by: 2, after: [scene.base])
        for _ in 0..<(Limits.membershipVoid + 10) { last = scene.writer.change(.admit, [5], by: 4, after: [last]) }
        let written = scene.writer.events
        let exclusion = scene.writer.change(.exclude, [2], by: 1, after: [scene.base])
        #expect(!scene.writer.charter.counts(last.id))
        let undone = scene.writer.change(.exclude, [1], by: 0, after: [scene.base])
        #expect(scene.writer.charter.counts(last.id))
        expectNothingLost(scene, [written, [exclusion], [undone]], CharterBounds())
    }

    /// People whom an excluded junior makes up displace nothing of what a senior or those appointed by it wrote.
    @Test func theMadeUpDisplaceNobody() throws {
        var scene = try Scene(people: 20)
        var bounds = Self.small
        bounds.void = 16
        let made = scene.writer.change(.appoint, Array(7..<20), by: 3, after: [scene.base])
        for person in 7..<20 {
            for _ in 0..<bounds.changes { _ = scene.writer.change(.admit, [5], by: person, after: [made]) }
        }
        let apart = scene.writer.change(.link, by: 2, after: [scene.base])
        let appointment = scene.writer.change(.appoint, [4], by: 2, after: [apart])
        let admission = scene.writer.change(.admit, [6], by: 4, after: [appointment])
        let written = scene.writer.events
        let exclusion = scene.writer.change(.exclude, [2, 3], by: 1, after: [scene.base])
        let undone = scene.writer.change(.exclude, [1], by: 0, after: [scene.base])
        var charter = Charter(id: scene.writer.id, bounds: bounds)
        for portion in [written, [exclusion], [undone]] { charter.insert(portion) }
        #expect(charter.counts(appointment.id) && charter.counts(admission.id) && charter.counts(made.id))
    }
}
