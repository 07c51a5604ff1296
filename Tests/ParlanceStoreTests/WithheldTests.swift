import Foundation
import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceStore

/// Texts that an admin deleted are kept apart, where nobody reads them, because the deletion may turn out void.
@Suite struct WithheldTests {
    private static let start: Int64 = 1_760_000_000_000

    /// Bob was appointed and has deleted what Eve wrote; Ada removes him without having seen the deletion.
    private struct Scene {
        var party: Party
        let appointment, message, edit, deletion: StoredEvent
        let removal: StoredEvent

        init(seed: UInt64) throws {
            party = try Party(seed: seed)
            appointment = party.ada.change(.appoint, [party.bob.log.author], known: [party.creation.id])
            message = party.eve.say("keep me", after: [appointment.reference])
            edit = party.eve.edit(message.reference, "keep me too")
            deletion = party.bob.delete(message.reference, after: [edit.reference])
            removal = party.ada.change(.remove, [party.bob.log.author], known: [appointment.id])
        }

        /// Stores everything except the removal.
        func persist() throws {
            try party.test.persist([party.creation, appointment, message, edit], at: start)
            #expect(try party.test.persist([deletion], at: start).changed.map(\.line) == ["(deleted)"])
        }

        func isOnDisk() throws -> [Bool] {
            try party.test.store.maintain()
            return try ["keep me", "keep me too"].map { try party.test.isOnDisk($0) }
        }
    }

    @Test func deletionThatTurnsOutVoidGivesTheTextsBack() throws {
        let scene = try Scene(seed: 203)
        let (test, group) = (scene.party.test, scene.party.group)
        try scene.persist()
        let receipt = try test.persist([scene.removal], at: Self.start + 1)
        #expect(receipt.changed.map(\.line) == ["keep me too"] && receipt.missing.isEmpty && receipt.withdrawn.isEmpty)
        #expect(try scene.party.lines() == ["* created Party", "* appointed", "keep me too", "* removed"])
        let versions = try test.store.versions(of: scene.message.reference, in: group)
        #expect(versions.map(\.text) == ["keep me", "keep me too"])
        // The order in which the removal and the deletion arrive does not matter.
        let other = try Party(seed: 203)
        let order = [other.creation, scene.appointment, scene.removal, scene.message, scene.edit, scene.deletion]
        for event in order { try other.test.persist([event]) }
        #expect(try other.history() == scene.party.history())
        try test.reopen()
        try test.store.rebuildProjections()
        #expect(try other.history() == scene.party.history())
    }

    /// While the deletion counts, no reader and no peer gets the texts.
    @Test func whatIsWithheldIsNeitherShownNorSent() throws {
        let scene = try Scene(seed: 204)
        let (test, group) = (scene.party.test, scene.party.group)
        try scene.persist()
        let request = ReadRequest(
            conversation: group,
            log: scene.party.eve.log,
            from: 1,
            through: 9,
            byteLimit: 1_000_000
        )
        for _ in 0...2 {
            #expect(try test.store.events(request).map(\.body) == [nil, nil])
            #expect(try test.store.versions(of: scene.message.reference, in: group).map(\.text) == [nil, nil])
            #expect(try scene.party.lines() == ["* created Party", "* appointed", "(deleted)"])
            #expect(try test.store.snapshot().logs.allSatisfy { $0.missingBodies.isEmpty })
            #expect(try scene.isOnDisk() == [true, true])
            try test.store.rebuildProjections()
            try test.reopen()
        }
        #expect(try test.persist([scene.removal], at: Self.start + 1).changed.map(\.line) == ["keep me too"])
    }

    /// After `deletedTextMilliseconds` the texts are dropped, across restarts; if the deletion loses its right later,
    /// they are missing.
    @Test func whatWasWithheldLongEnoughIsDropped() throws {
        let scene = try Scene(seed: 205)
        let test = scene.party.test
        try scene.persist()
        try test.reopen()
        try test.persist([], at: Self.start + Limits.deletedTextMilliseconds - 1)
        #expect(try scene.isOnDisk() == [true, true])
        try test.reopen()
        try test.persist([], at: Self.start + Limits.deletedTextMilliseconds)
        #expect(try scene.isOnDisk() == [false, false])
        #expect(try scene.party.lines() == ["* created Party", "* appointed", "(deleted)"])
        let receipt = try test.persist([scene.removal], at: Self.start + Limits.deletedTextMilliseconds)
        #expect(receipt.withdrawn == [scene.message.id])
        let log = scene.party.eve.log
        #expect(
            receipt.missing == [MissingBodies(conversation: scene.party.group, log: log, sequences: [1, 2])]
        )
        let found = try scene.party.fill([scene.message])
        #expect(found.shown.map(\.line) == ["keep me"] && found.shown.first?.rich?.versions == 2)
        let rest = try scene.party.fill([scene.edit])
        #expect(rest.changed.map(\.line) == ["keep me too"])
        #expect(rest.missing == [MissingBodies(conversation: scene.party.group, log: log, sequences: [])])
    }

    /// A transaction that fails after it has dropped the last text leaves that text withheld.
    @Test func aFailedTransactionDropsNothing() throws {
        let scene = try Scene(seed: 208)
        let test = scene.party.test
        try scene.persist()
        let error = #expect(throws: StoreError.self) {
            try test.store.write { writer, db in
                try writer.transaction(db) { _ in
                    writer.history.wall = Self.start + Limits.deletedTextMilliseconds
                    try writer.history.dropOldTexts()
                    throw DatabaseError(resultCode: .SQLITE_FULL)
                }
            }
        }
        #expect(error?.canGoOn == true)
        #expect(try scene.isOnDisk() == [true, true])
        #expect(try test.persist([scene.removal], at: Self.start + 1).changed.map(\.line) == ["keep me too"])
    }

    /// A text that the author takes away too is dropped at once.
    @Test(arguments: [true, false]) func authorsWordDropsWhatIsWithheld(isDeletion: Bool) throws {
        var scene = try Scene(seed: 206)
        try scene.persist()
        #expect(try scene.isOnDisk() == [true, true])
        let own =
            isDeletion ? scene.party.eve.delete(scene.message.reference) : scene.party.eve.withdraw(1)
        try scene.party.test.persist([own], at: Self.start)
        #expect(try scene.isOnDisk() == [false, false])
        try scene.party.test.persist([scene.removal], at: Self.start)
        #expect(try scene.party.lines().contains("keep me too") == false)
        #expect(try scene.party.lines().contains("(deleted)") == isDeletion)
    }

    /// A removal of the author that had not seen the author's deletion does not make the deletion void.
    @Test func authorsDeletionIsNeverVoid() throws {
        var party = try Party(seed: 207)
        let message = party.bob.say("a secret", after: [party.creation.reference])
        let deletion = party.bob.delete(message.reference)
        let foreign = party.eve.say("Eve's", after: [party.creation.reference])
        let other = party.bob.delete(foreign.reference, after: [foreign.reference])
        let marks = [party.bob.log: message.header.sequence]
        let removal = party.ada.change(.remove, [party.bob.log.author], known: [party.creation.id], marks: marks)
        for order in [[message, deletion, foreign, other, removal], [removal, foreign, message, deletion, other]] {
            let one = try Party(seed: 207)
            for event in [one.creation] + order { try one.test.persist([event]) }
            try one.test.store.maintain()
            #expect(try one.lines().sorted() == ["(deleted)", "* created Party", "* removed", "Eve's"])
            #expect(try !one.test.isOnDisk("a secret"))
        }
    }
}
