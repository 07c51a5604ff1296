import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// Messages that refer to events that are not held, shown without waiting for these.
@Suite struct ProvisionalTests {
    /// The lines shown, in order, if the given logs have waited long enough; a question mark precedes those that wait.
    private func lines(_ office: Office, _ logs: Set<LogID>, limit: Int = 100, before: EventID? = nil) throws
        -> [String]
    {
        try office.test.store.history(
            office.conversation.id,
            before: before,
            limit: limit,
            overlay: HistoryOverlay(overdue: logs)
        )
        .map { ($0.isProvisional ? "? " : "") + $0.text }
    }

    @Test func itStandsInItsPlaceAndMovesOnceAllIsThere() throws {
        var office = try Office(seed: 201)
        var random = SeededGenerator(seed: 9)
        let author = office.theirs.log.author
        var other = LogWriter(office.conversation.id, LogID(author: author, replica: random.replica()))
        // The question was written under a clock that is far ahead, so the final position of the answer is after
        // "later".
        other.time += 10_000 << 16
        other.say("question")
        office.theirs.say("first")
        office.theirs.say("answer", after: [other.reference].compactMap { $0 })
        office.mine.time += 100 << 16
        office.mine.say("later")
        try office.test.persist(office.theirs.events + office.mine.events)
        let logs = Set([office.theirs.log])
        #expect(try lines(office, []) == ["first", "later"])
        #expect(try lines(office, [office.mine.log]) == ["first", "later"])
        #expect(try lines(office, logs) == ["first", "? answer", "later"])
        // Pages leave nothing out and repeat nothing.
        let last = try office.test.store.history(
            office.conversation.id,
            limit: 1,
            overlay: HistoryOverlay(overdue: logs)
        )
        #expect(last.map(\.text) == ["later"])
        #expect(try lines(office, logs, limit: 1, before: last[0].id) == ["? answer"])
        #expect(try lines(office, logs, limit: 5, before: office.theirs.events[1].id) == ["first"])
        #expect(try office.test.store.isWaiting(idPrefix: String(office.theirs.events[1].id.text.prefix(8))))
        #expect(try !office.test.store.isWaiting(idPrefix: String(office.theirs.events[0].id.text.prefix(8))))
        #expect(try office.test.store.conversations().first?.unread == 1)

        let receipt = try office.test.persist(other.events)
        #expect(receipt.shown.map(\.text) == ["question", "answer"])
        let whole = ["first", "later", "question", "answer"]
        #expect(try lines(office, logs) == whole && lines(office, []) == whole)
        // A reader that continues from its former position sees nothing twice.
        #expect(try lines(office, logs, limit: 5, before: office.theirs.events[1].id).last != "answer")
    }

    /// What the user cleared while it waited is not shown, also after a start; what comes after it is.
    @Test func whatWasClearedIsNotShown() throws {
        var office = try Office(seed: 206)
        var random = SeededGenerator(seed: 9)
        let author = office.theirs.log.author
        var missing = LogWriter(office.conversation.id, LogID(author: author, replica: random.replica()))
        missing.say("question")
        let question = [missing.reference].compactMap { $0 }
        for text in ["seen", "new"] { office.theirs.say(text, after: question) }
        try office.test.persist(office.theirs.events)
        let (log, logs) = (office.theirs.log, Set([office.theirs.log]))
        #expect(try lines(office, logs) == ["? seen", "? new"])
        var batch = PersistBatch(id: BatchID(5))
        batch.retention = [
            RetainedLog(conversation: office.conversation.id, log: log, age: nil, cleared: 1, wall: 1, through: 0)
        ]
        _ = try office.test.store.persist(batch)
        #expect(try lines(office, logs) == ["? new"])
        try office.test.reopen()
        #expect(try lines(office, logs) == ["? new"])
    }

    /// Two logs that wait for each other: an answer is never shown above its question.
    @Test func answersStandBelowQuestionsThoughBothWait() throws {
        var office = try Office(seed: 202)
        var random = SeededGenerator(seed: 9)
        let author = office.theirs.log.author
        var missing = LogWriter(office.conversation.id, LogID(author: author, replica: random.replica()))
        var third = LogWriter(office.conversation.id, LogID(author: author, replica: random.replica()))
        missing.say("never comes")
        office.theirs.time += 500 << 16
        third.say("plain", after: [missing.reference].compactMap { $0 })
        for turn in 0..<5 {
            office.theirs.say("q\(turn)", after: [third.reference].compactMap { $0 })
            third.say("a\(turn)", after: [office.theirs.reference].compactMap { $0 })
        }
        try office.test.persist(third.events)
        try office.test.persist(office.theirs.events)
        let all = ["? plain"] + (0..<5).flatMap { ["? q\($0)", "? a\($0)"] }
        #expect(try lines(office, [office.theirs.log, third.log]) == all)
        #expect(try lines(office, [third.log]) == all.filter { !$0.hasPrefix("? q") })
    }

    /// A branch named at its base means the common event; what was named before a fork was named in each branch.
    @Test func whatNamesABranchStandsBelowIt() throws {
        var party = try Party(seed: 205)
        var random = SeededGenerator(seed: 9)
        let bob = party.bob.log.author
        let missing = party.zoe.say("never comes").reference
        let removal = party.ada.change(.remove, [bob], known: [party.creation.id])
        let addition = party.ada.change(.add, [bob], known: [removal.id])
        party.bob.say("too early", after: [party.creation.reference])
        party.bob.time += 10_000 << 16
        party.bob.say("back", after: [addition.reference])
        var (left, right) = (party.bob, party.bob.forked(after: 2, &random))
        left.say("left", after: [missing])
        right.say("right", after: [missing])
        let tree = PartedLogs([left, right])
        let records = tree.parts.compactMap(\.record)
        let named = try #require(records.first?.log)
        // Eve's clock is behind Bob's, and she knows of the branch.
        let base = EventReference(log: named, sequence: 2, id: party.bob.events[1].id)
        party.eve.say("below", after: [base, missing])
        var batch = PersistBatch(id: BatchID(4))
        batch.branches = records
        _ = try party.test.store.persist(batch)
        var own: [StoredEvent] = []
        for part in tree.parts {
            for var event in part.events {
                if part.record != nil { event.branch = part.log }
                own.append(event)
            }
        }
        try party.test.persist(party.ada.events + own + party.eve.events)
        let overlay = HistoryOverlay(overdue: Set(records.map(\.log) + [party.eve.log]))
        let shown = try party.test.store.history(party.group, limit: 99, overlay: overlay)
        #expect(Set(shown.filter(\.isProvisional).map(\.text)) == ["left", "right", "below"])
        let place = try #require(shown.firstIndex { $0.text == "back" })
        #expect(shown[place...].contains { $0.text == "below" } && !shown.contains { $0.text == "too early" })
    }

    @Test func whatWasTakenBackOrMayNotBeSaidIsNotShown() throws {
        var office = try Office(seed: 203)
        var random = SeededGenerator(seed: 9)
        let author = office.theirs.log.author
        var missing = LogWriter(office.conversation.id, LogID(author: author, replica: random.replica()))
        missing.say("never comes")
        office.theirs.say("taken back", after: [missing.reference].compactMap { $0 })
        office.theirs.withdraw(1)
        office.theirs.say("deleted")
        office.theirs.delete(try #require(office.theirs.reference(to: 3)))
        office.theirs.say(" ")
        office.theirs.say("stays")
        try office.test.persist(office.theirs.events)
        #expect(try lines(office, [office.theirs.log]) == ["? stays"])

        // In a group, only messages of members are shown early, and no changes of the group.
        var party = try Party(seed: 204)
        var elsewhere = LogWriter(party.group, LogID(author: party.bob.log.author, replica: random.replica()))
        let named = [elsewhere.say("never comes").reference]
        party.bob.say("by a member", after: named)
        party.bob.rename("Another title", after: named)
        party.zoe.say("by a stranger", after: named)
        try party.test.persist([party.creation] + party.bob.events + party.zoe.events)
        let shown = try party.test.store.history(
            party.group,
            limit: 9,
            overlay: HistoryOverlay(overdue: [party.bob.log, party.zoe.log])
        )
        #expect(shown.filter { $0.note == nil }.map(\.text) == ["by a member"])
        #expect(shown.compactMap(\.note).count == 1)
    }

    /// Of a long history that waits the first part is shown, and the reader is told that there is more.
    @Test(arguments: [0, 1]) func soManyEventsAreLookedAt(_ over: Int) throws {
        var office = try Office(seed: 206)
        var random = SeededGenerator(seed: 9)
        let author = office.theirs.log.author
        var missing = LogWriter(office.conversation.id, LogID(author: author, replica: random.replica()))
        missing.say("never comes")
        let texts = (0..<Limits.provisionalEvents + over).map { "\($0)" }
        for text in texts { office.theirs.say(text, after: [missing.reference].compactMap { $0 }) }
        try office.test.persist(office.theirs.events)
        let found = try office.test.store.waitingMessages(of: [office.theirs.log], in: office.conversation.id)
        #expect(found.messages.map(\.text) == Array(texts.dropLast(over)))
        #expect(found.isWhole == (over == 0))
    }
}
