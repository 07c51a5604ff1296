import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Events in a branch about events that the branch has in common with others.
@Suite struct BranchTests {
    /// One author's log, continued by two replicas with the same name.
    private struct Parted {
        let left: LogWriter
        let right: LogWriter
        let common: Int
        let records: [BranchRecord]

        init(_ left: LogWriter, _ right: LogWriter, after common: Int) {
            (self.left, self.right, self.common) = (left, right, common)
            records = PartedLogs([left, right]).parts.compactMap(\.record)
        }

        var root: [StoredEvent] { Array(left.events.prefix(common)) }

        /// The events after the base, as they are kept in their branch.
        func own(_ copy: LogWriter) -> [StoredEvent] {
            let events = copy.events.dropFirst(common)
            let log = records.first { $0.first == events.first?.id }?.log
            return events.map { event in
                var event = event
                event.branch = log
                return event
            }
        }

        var all: [StoredEvent] { root + own(left) + own(right) }
    }

    private static func isSeen(_ text: String, _ twins: Twins, _ conversation: ConversationID) throws -> Bool {
        try twins.history(conversation).contains { $0.line == text }
    }

    @Test(arguments: 0..<4) func withdrawalInABranchTakesBackWhatIsBeforeTheFork(order: Int) throws {
        var office = try Office(seed: 31)
        let taken = office.theirs.say("a mistake")
        office.theirs.say("b2")
        var (left, right) = (office.theirs, office.theirs)
        left.say("left 3")
        let edit = right.edit(taken.reference, "a better mistake")
        right.withdraw(1)
        right.withdraw(2 + 1)
        let parted = Parted(left, right, after: 2)
        let answer = office.mine.say("which?", after: [taken.reference], to: taken.reference)
        let twins = try Twins(office.test, [office.conversation], note: "order \(order)")
        let bare = parted.root.map(\.withoutBody)
        switch order {
        case 0:
            try twins.persist { $0.events = parted.root + [answer] }
            try twins.persist { $0.branches = parted.records }
            try twins.persist { $0.events = parted.own(left) + parted.own(right) }
        case 1:
            try twins.persist { $0.events = right.events }
            try twins.persist { $0.branches = parted.records }
            try twins.persist { $0.events = parted.own(left) + [answer] }
        case 2:
            try twins.persist { $0.branches = parted.records }
            try twins.persist { $0.events = parted.own(right).map { $0.id == edit.id ? $0.withoutBody : $0 } }
            let receipt = try twins.persist { $0.events = bare }
            #expect(Set(receipt.missing.map(\.sequences)) == [[2], []])
            try twins.persist { $0.events = parted.own(left) + [answer] }
            try twins.persist { $0.bodies = parted.root.compactMap(\.found) }
        default:
            try twins.persist { $0.events = bare + [answer] }
            try twins.persist { $0.branches = parted.records }
            let receipt = try twins.persist { $0.events = parted.own(right) }
            #expect(receipt.missing.map(\.sequences) == [[2]])
            try twins.persist { $0.bodies = parted.root.compactMap(\.found) }
            try twins.persist { $0.events = parted.own(left) }
        }
        try twins.compareThroughout()
        let lines = try twins.history(office.conversation.id).map(\.line).sorted()
        #expect(lines == ["* forked", "b2", "left 3", "which?"])
        #expect(try twins.history(office.conversation.id).first { $0.line == "which?" }?.rich?.quote?.text == "")
        let snapshot = try office.test.store.snapshot()
        #expect(snapshot.logs.allSatisfy { $0.missingBodies.isEmpty })
    }

    /// Bob is removed and added again; marks: how far what he wrote counted.
    private func returned(_ party: inout Party, marks: [LogID: UInt64]) -> (removal: StoredEvent, addition: StoredEvent)
    {
        let bob = party.bob.log.author
        let removal = party.ada.change(.remove, [bob], known: [party.creation.id], marks: marks)
        let addition = party.ada.change(.add, [bob], known: [removal.id])
        return (removal, addition)
    }

    @Test(arguments: [false, true]) func reAdditionNamedBeforeAForkCountsInTheBranches(isKnownFirst: Bool) throws {
        var party = try Party(seed: 32)
        let (_, addition) = returned(&party, marks: [:])
        party.bob.say("too early", after: [party.creation.reference])
        party.bob.say("back", after: [addition.reference])
        var (left, right) = (party.bob, party.bob)
        left.say("left")
        right.time += 1 << 20
        right.say("right")
        let parted = Parted(left, right, after: 2)
        let record = ConversationRecord(id: party.group, kind: .group)
        let twins = try Twins(party.test, [record], note: "proof first: \(isKnownFirst)")
        if isKnownFirst {
            try twins.persist { $0.branches = parted.records }
            try twins.persist { $0.events = parted.own(left) + parted.own(right) }
            try twins.persist { $0.events = party.ada.events }
            try twins.persist { $0.events = parted.root }
        } else {
            try twins.persist { $0.events = party.ada.events + left.events }
            try twins.persist { batch in
                batch.branches = parted.records
                batch.events = parted.own(right)
            }
        }
        try twins.compareThroughout()
        for text in ["back", "left", "right"] { #expect(try Self.isSeen(text, twins, party.group), "\(text)") }
        #expect(try !Self.isSeen("too early", twins, party.group))
    }

    @Test func reAdditionInABranchIsNamedByThatBranchOnly() throws {
        var party = try Party(seed: 33)
        var other = party.ada
        let (_, addition) = returned(&party, marks: [:])
        other.time += 1 << 20
        for number in 0..<4 { other.say("other \(number)") }
        let parted = Parted(party.ada, other, after: 1)
        let added = try #require(parted.own(party.ada).first { $0.id == addition.id })
        let beyond = try #require(parted.own(other).last)
        // An event that names a later event of the other branch has not named the addition.
        party.bob.say("wrong", after: [beyond.reference(in: beyond.log)])
        party.bob.say("right", after: [added.reference(in: added.log)])
        let eve = party.bob.log.author
        let named = EventReference(log: party.ada.log, sequence: addition.header.sequence, id: addition.id)
        var old = LogWriter(party.group, LogID(author: eve, replica: party.ada.log.replica))
        old.say("by the root", after: [named])
        let twins = try Twins(party.test, [ConversationRecord(id: party.group, kind: .group)], note: "a forked admin")
        try twins.persist { $0.branches = parted.records }
        try twins.persist { $0.events = parted.all + party.bob.events + old.events }
        try twins.compareThroughout()
        #expect(try !Self.isSeen("wrong", twins, party.group))
        #expect(try Self.isSeen("right", twins, party.group))
        #expect(try Self.isSeen("by the root", twins, party.group))
    }

    /// A reference to a branch at its base means the event that the branches have in common there.
    @Test(arguments: [false, true]) func aBranchNamedAtItsBaseMeansWhatIsCommon(isWaiting: Bool) throws {
        var office = try Office(seed: 36)
        let common = office.theirs.say("common")
        var (left, right) = (office.theirs, office.theirs)
        left.say("left")
        right.time += 1 << 20
        right.say("right")
        let parted = Parted(left, right, after: 1)
        let branch = try #require(parted.own(right).first?.log)
        let named = common.reference(in: branch)
        let answer = office.mine.say("answer", after: [named], to: named)
        let twins = try Twins(office.test, [office.conversation], note: "waiting: \(isWaiting)")
        try twins.persist { $0.branches = parted.records }
        if !isWaiting { try twins.persist { $0.events = parted.root } }
        try twins.persist { $0.events = [answer] }
        if isWaiting { try twins.persist { $0.events = parted.root } }
        #expect(try Self.isSeen("answer", twins, office.conversation.id))
        try twins.persist { $0.events = parted.own(right) + parted.own(left) }
        try twins.compareThroughout()
        let shown = try twins.history(office.conversation.id).first { $0.line == "answer" }
        #expect(shown?.rich?.quote?.text == "common")
    }

    /// A start signs unsigned local events; a branch that is known and not held has none.
    @Test func nothingOfABranchThatIsNotHeldIsUnsigned() throws {
        var office = try Office(seed: 35)
        office.mine.say("m1")
        var other = office.mine
        office.mine.say("m2", signed: false)
        other.time += 1
        other.say("other 2")
        let parted = Parted(office.mine, other, after: 1)
        let twins = try Twins(office.test, [office.conversation], note: "signed")
        try twins.persist { $0.events = office.mine.events }
        try twins.persist { $0.branches = parted.records }
        try twins.compareThroughout()
        let unsigned = try office.test.store.snapshot().logs.filter { $0.signedThrough != $0.position }
        #expect(unsigned.map(\.log) == [parted.own(office.mine).first?.log])
        #expect(unsigned.map(\.signedThrough.sequence) == [1])
    }

    /// A log turns out to fork earlier within one batch: the last parent of each branch counts.
    @Test func theLastParentOfABatchCounts() throws {
        var office = try Office(seed: 37)
        office.theirs.say("common")
        var early = office.theirs
        office.theirs.say("second")
        var (left, right) = (office.theirs, office.theirs)
        left.say("left")
        right.time += 1 << 20
        right.say("right")
        early.time += 2 << 20
        early.say("early")
        let later = PartedLogs([left, right]).parts.compactMap(\.record)
        let all = PartedLogs([left, right, early]).parts.compactMap(\.record)
        let moved = later.filter { record in all.contains { $0.log == record.log && $0.parent != record.parent } }
        #expect(moved.count == 2)
        let twins = try Twins(office.test, [office.conversation], note: "earlier")
        try twins.persist { $0.events = left.events }
        try twins.persist { $0.branches = later + all }
        let held = try office.test.store.snapshot().branches
        #expect(held.count == all.count)
        for record in held {
            #expect(record.parent == all.first { $0.log == record.log }?.parent)
        }
        try twins.compareThroughout()
    }

    /// For the marks of a removal a branch is a log of its own (groups.md, "Rights of what is written").
    @Test func marksThatNameALogDoNotReachIntoItsBranches() throws {
        var party = try Party(seed: 34)
        party.bob.say("common", after: [party.creation.reference])
        var (left, right) = (party.bob, party.bob)
        left.say("left")
        right.time += 1 << 20
        right.say("right")
        let parted = Parted(left, right, after: 1)
        let named = try #require(parted.own(right).first?.log)
        let bob = party.bob.log.author
        party.ada.change(.remove, [bob], known: [party.creation.id], marks: [party.bob.log: 2, named: 2])
        let twins = try Twins(party.test, [ConversationRecord(id: party.group, kind: .group)], note: "marks")
        try twins.persist { $0.events = party.ada.events + left.events }
        #expect(try Self.isSeen("left", twins, party.group))
        try twins.persist { batch in
            batch.branches = parted.records
            batch.events = parted.own(right)
        }
        try twins.compareThroughout()
        #expect(try Self.isSeen("common", twins, party.group) && Self.isSeen("right", twins, party.group))
        #expect(try !Self.isSeen("left", twins, party.group))
    }
}

extension StoredEvent {
    /// A reference to the event by the name of a branch.
    fileprivate func reference(in log: LogID) -> EventReference {
        EventReference(log: log, sequence: header.sequence, id: id)
    }
}
