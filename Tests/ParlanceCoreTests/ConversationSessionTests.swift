import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What each stage of a conversation on a link allows.
@Suite struct ConversationSessionTests {
    private let log: LogID
    private let other: LogID
    private let head: EventID

    init() throws {
        log = LogID(author: try EngineBench.peer(1), replica: EngineBench.replica(1))
        other = LogID(author: try EngineBench.peer(2), replica: EngineBench.replica(2))
        head = try #require(EventID([UInt8](repeating: 7, count: 32)))
    }

    private func clock(_ entries: [LogID: UInt64]) -> Clock {
        Clock(entries: SortedTable(entries.mapValues { Clock.Entry(position: LogPosition(sequence: $0, head: head)) }))
    }

    private func open(_ entries: [LogID: UInt64]) -> ConversationSession {
        var session = ConversationSession()
        session.opened(with: clock(entries))
        return session
    }

    // Stages.

    @Test func aSessionOpensWithThePeersClock() {
        var session = ConversationSession()
        #expect(!session.isListed && !session.isOpen && session.theirs == nil)
        session.listed()
        #expect(session.isListed && !session.isOpen && session.theirs == nil)
        session.opened(with: clock([log: 3]))
        #expect(session.isListed && session.isOpen)
        #expect(session.theirs?[log].sequence == 3)
        session.listed()
        #expect(session.isOpen, "what is listed again stays open")
    }

    @Test func aClockOpensASessionThatWasNotListed() {
        #expect(open([:]).isListed)
    }

    @Test func onlyAnOpenSessionSends() {
        var session = ConversationSession()
        session.listed()
        let before = session
        session.begins(ReadID(1), of: log)
        session.sent(log, through: 3, bytes: 10)
        #expect(session == before)
        #expect(session.sentThrough(log) == nil)
        #expect(!session.continues(log, at: 1))
    }

    @Test func onlyAnOpenSessionLearnsWhatThePeerHolds() {
        var session = ConversationSession()
        session.listed()
        let before = session
        session.raised(by: clock([log: 3])) { $0 }
        session.raised(log, to: LogPosition(sequence: 3, head: head), lacking: [])
        #expect(session == before)
    }

    @Test func changesAreToldOnceAClockHasGoneEitherWay() {
        var session = ConversationSession()
        session.listed()
        #expect(!session.hearsChanges)
        session.toldOurClock()
        #expect(session.hearsChanges)
        #expect(open([:]).hearsChanges, "its clock equals ours")
    }

    // Sending.

    @Test func sendingGoesOnFromThePeersClock() {
        var session = open([log: 3])
        #expect(session.sentThrough(log) == 3)
        #expect(session.sentThrough(other) == 0)
        #expect(session.continues(log, at: 4))
        #expect(!session.continues(log, at: 5), "4 is lacking before it")
        #expect(!session.continues(log, at: 3), "it is there")
        session.sent(log, through: 6, bytes: 60)
        #expect(session.continues(log, at: 7))
        session.begins(ReadID(1), of: log)
        #expect(!session.continues(log, at: 7), "what is being read comes first")
        let isAwaited = session.ends(ReadID(1), of: log)
        #expect(isAwaited)
        #expect(session.continues(log, at: 7))
    }

    @Test func aNewClockForgetsWhatWasOnTheWay() {
        var session = open([log: 3])
        session.sent(log, through: 6, bytes: 60)
        session.owes(other)
        session.opened(with: clock([log: 4]))
        #expect(session.window.bytes == 0)
        #expect(session.sentThrough(log) == 4)
        let due = session.advanced([other], author: nil)
        #expect(due == [other], "it waits to hear all the same")
    }

    @Test func ourOwnLogIsNotServedOnRequest() {
        var session = open([log: 3])
        session.asked(for: log, after: 1, through: nil, at: 0, openedAt: 0)
        session.asked(for: other, after: 0, through: 8, at: 0, openedAt: 0)
        #expect(session.sentThrough(log) == 1)
        #expect(session.window.served.map(\.log) == [other])
        session.served(other)
        #expect(session.window.served.isEmpty)
    }

    // What the peer holds.

    @Test func thePeersClockOnlyGrows() {
        var session = open([log: 3])
        session.raised(by: clock([log: 2, other: 5])) { $0 }
        #expect(session.theirs == clock([log: 3, other: 5]))
        #expect(!session.isCut)
        session.raised(log, to: LogPosition(sequence: 2, head: head), lacking: [])
        #expect(session.theirs?[log].sequence == 3)
        session.raised(log, to: LogPosition(sequence: 6, head: head), lacking: [5])
        #expect(session.theirs?.entries[log]?.missing == [5])
    }

    @Test func aClockThatIsCutSaysSo() {
        var session = open([:])
        session.raised(by: clock([log: 2, other: 5])) { whole in
            Clock(entries: whole.entries.filter { $0.key == self.log })
        }
        #expect(session.isCut)
        #expect(session.theirs == clock([log: 2]))
        session.leftOut(isCut: false, hasUnnamed: true, isWhole: false)
        #expect(session.isCut && session.hasToldOfUnnamed)
        session.leftOut(isCut: false, hasUnnamed: false, isWhole: true)
        #expect(!session.isCut && !session.hasToldOfUnnamed, "a whole clock replaces what was told before")
    }

    // Telling what became durable.

    @Test func whoSentSomethingAndItsAuthorHearAtOnce() throws {
        let third = LogID(author: try EngineBench.peer(3), replica: EngineBench.replica(3))
        var session = open([:])
        session.owes(log)
        let atOnce = session.advanced([log, other, third], author: other.author)
        #expect(atOnce == [log, other])
        #expect(session.untold == [third])
        let later = session.advanced([log], author: other.author)
        #expect(later.isEmpty, "it is owed nothing more")
        session.told([third])
        #expect(session.untold == [log])
        session.toldOurClock()
        #expect(session.untold.isEmpty, "the whole clock says it")
    }

    // Marks.

    @Test func ofTheMarksOfOneKeyTheFurthestWaits() {
        var session = open([:])
        session.keep(mark(4))
        session.keep(mark(2))
        #expect(session.marksInOrder.map(\.position.sequence) == [4])
        session.keep(mark(5))
        #expect(session.marksInOrder.map(\.position.sequence) == [5])
        session.drop(mark(5).key)
        #expect(session.marksInOrder.isEmpty)
    }

    @Test func soManyMarksWait() throws {
        var session = open([:])
        for number in 0...Limits.marksPerFrame {
            let replica = try #require(ReplicaID(UInt64(number).bigEndianBytes + UInt64(1).bigEndianBytes))
            session.keep(mark(4, replica))
        }
        #expect(session.marksInOrder.count == Limits.marksPerFrame)
        let first = try #require(session.marksInOrder.first?.key.replica)
        session.keep(mark(6, first))
        #expect(session.marksInOrder.first?.position.sequence == 6, "one that waits may still go further")
    }

    private func mark(_ sequence: UInt64, _ replica: ReplicaID? = nil) -> WatermarkRecord {
        WatermarkRecord(
            key: WatermarkRecord.Key(
                conversation: ConversationID(direct: log.author, other.author),
                member: other.author,
                replica: replica ?? other.replica,
                log: log,
                level: .read
            ),
            position: LogPosition(sequence: sequence, head: head),
            signature: nil,
            learnt: 0
        )
    }
}
