import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Events that are not awaited any more (events.md, "Given up"). The store and the plain rules get the same batches.
@Suite struct GivenUpTests {
    /// Bob's log forks into 16 branches; what Eve answers is in none of them.
    private struct Scene {
        var party: Party
        let twins: Twins
        var hidden: LogWriter

        init(_ seed: UInt64, isElsewhere: Bool) throws {
            party = try Party(seed: seed)
            var random = SeededGenerator(seed: seed + 1)
            party.bob.say("common")
            hidden = party.bob
            if isElsewhere {
                hidden = LogWriter(party.group, LogID(author: party.bob.log.author, replica: random.replica()))
                // Its clock is far ahead.
                hidden.time += 10_000 << 16
            }
            let answered = hidden.say("hidden")
            let named = [answered.reference]
            party.eve.say("answer", after: named, to: answered.reference)
            party.eve.react(to: answered.reference, "👍")
            let addition = party.ada.change(.add, [party.zoe.log.author], known: [party.creation.id])
            party.zoe.say("hello", after: [addition.reference])
            party.zoe.say("of somebody else", after: named)
            let common = party.bob
            let branches = (0..<Limits.branchesPerLog).map { number in
                var branch = common
                branch.time += UInt64(number + 1) << 16
                branch.say("branch \(number)")
                return branch
            }
            let record = ConversationRecord(id: party.group, kind: .group)
            twins = try Twins(party.test, [record], note: "seed \(seed)")
            let records = PartedLogs(branches).parts.compactMap(\.record)
            try twins.persist { $0.branches = records }
            let writers = [party.ada, party.bob, party.eve, party.zoe]
            try twins.persist { $0.events = writers.flatMap(\.events) }
        }

        func giveUp(_ logs: [LogID], of author: PeerID) throws -> PersistReceipt {
            try twins.persist { batch in
                batch.givenUp = [GivenUp(conversation: party.group, logs: logs, authors: [author])]
            }
        }

        var lines: [String] { get throws { try twins.history(party.group).map(\.line) } }
    }

    @Test(arguments: [false, true]) func whatNamesItIsReadAsIfItDidNot(isElsewhere: Bool) throws {
        let scene = try Scene(601, isElsewhere: isElsewhere)
        let bob = scene.party.bob.log.author
        #expect(try !scene.lines.contains("answer"))
        // Somebody else's missing events are awaited, and so is what another log names.
        _ = try scene.giveUp([scene.party.eve.log], of: scene.party.ada.log.author)
        _ = try scene.giveUp([scene.party.bob.log], of: bob)
        #expect(try !scene.lines.contains("answer"))
        let receipt = try scene.giveUp([scene.party.eve.log], of: bob)
        // A log that waited for the same goes on as well.
        #expect(Set(receipt.shown.map(\.line)) == ["answer", "of somebody else"])
        try scene.twins.compareThroughout()
        // Nothing changes if it comes after all.
        guard isElsewhere else { return }
        let before = try scene.twins.history(scene.party.group)
        try scene.twins.persist { $0.events = scene.hidden.events }
        let after = try scene.twins.history(scene.party.group)
        #expect(after.last?.line == "hidden" && Array(after.dropLast()) == before)
        #expect(after.last?.content == .text("hidden"))
        #expect(after.first { $0.line == "answer" }?.rich?.quote == nil)
        try scene.twins.compareThroughout()
    }

    /// Of a log with more events that name what is missing, so many are looked at each time.
    @Test func soManyEventsAreLookedAt() throws {
        var scene = try Scene(602, isElsewhere: true)
        let log = scene.party.eve.log
        let author = scene.party.bob.log.author
        let hidden = (1...Limits.givenUpEvents + 5).map { scene.hidden.say("hidden too \($0)").reference }
        let before = scene.party.eve.events.count
        for named in hidden { scene.party.eve.say("answer too", after: [named]) }
        let (eve, twins) = (scene.party.eve, scene.twins)
        try twins.persist { $0.events = Array(eve.events.dropFirst(before)) }
        _ = try scene.giveUp([log], of: author)
        let applied = { twins.disk.snapshot.logs.first { $0.log == log }?.applied.sequence }
        #expect(applied() == UInt64(Limits.givenUpEvents))
        _ = try scene.giveUp([log], of: author)
        #expect(applied() == UInt64(before + hidden.count))
        try twins.compareThroughout()
    }
}
