import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// A conversation alone, without an engine: only a turn is passed in.
@Suite struct ConversationTests {
    private let own: OwnNode
    private let bob: PeerID
    private let id: ConversationID

    init() throws {
        let identity = try EngineBench.peer(1)
        own = OwnNode(
            identity: identity,
            replica: EngineBench.ownReplica,
            signer: try EngineBench.key(1),
            listeningPort: 0
        )
        bob = try EngineBench.peer(2)
        id = ConversationID(direct: identity, bob)
    }

    private var theirLog: LogID { LogID(author: bob, replica: EngineBench.replica(2)) }

    private func turn() -> Turn { Turn(own, seed: 1, at: Instant(monotonic: 1_000, wall: 1_000_000)) }

    private func conversation() -> Conversation { Conversation(ConversationRecord(id: id, kind: .direct(bob))) }

    private func written(_ count: Int) -> (conversation: Conversation, turn: Turn, events: [StoredEvent]) {
        var (conversation, turn) = (conversation(), turn())
        let events = (0..<count).map { _ in conversation.append(.message, body: [1], &turn) }
        return (conversation, turn, events)
    }

    @Test func whatIsWrittenIsHeldAndNotDurable() throws {
        let (conversation, turn, events) = written(3)
        #expect(events.map(\.header.sequence) == [1, 2, 3])
        #expect(events[1].header.previous == events[0].id)
        #expect(events[1].header.time > events[0].header.time)
        #expect(conversation.held(of: own.log) == events[2].position)
        #expect(conversation.durableThrough(own.log) == 0)
        #expect(conversation.durableClock[own.log] == .start, "nobody is told what is not on disk")
        #expect(turn.batch.rows.events == events)
        #expect(turn.batch.isUrgent)
    }

    @Test func theLastOfABatchBecomesAHead() throws {
        let written = written(3)
        var turn = written.turn
        turn.signHeads()
        #expect(turn.batch.rows.events.map { $0.signature != nil } == [false, false, true])
        let signature = try #require(turn.batch.rows.events[2].signature)
        #expect(HeadSeal.verify(signature, of: written.events[2].id, by: own.identity))
    }

    @Test func aLongRunIsSignedInBetween() {
        let (_, turn, _) = written(Limits.eventsPerHead + 1)
        let heads = turn.batch.rows.events.filter { $0.signature != nil }.map(\.header.sequence)
        #expect(heads == [UInt64(Limits.eventsPerHead)])
    }

    @Test func whatIsOnDiskIsToldAndAFailureGoesBackToIt() throws {
        let written = written(2)
        let events = written.events
        var (conversation, turn) = (written.conversation, written.turn)
        let advance = try #require(turn.batch.advanced[LogKey(id, own.log)])
        conversation.persist(own.log, advance)
        #expect(conversation.durableClock[own.log] == events[1].position)
        let third = conversation.append(.message, body: [2], &turn)
        #expect(conversation.held(of: own.log) == third.position)
        conversation.takeBack(own.log)
        #expect(conversation.held(of: own.log) == events[1].position)
        let again = conversation.append(.message, body: [3], &turn)
        #expect(again.header.sequence == 3)
        #expect(again.header.previous == events[1].id)
    }

    @Test func aLogOfWhichNothingIsOnDiskIsNoneAfterAFailure() {
        var conversation = written(1).conversation
        conversation.takeBack(own.log)
        #expect(conversation.logs.isEmpty)
    }

    @Test func aClaimCountsOnlyIfThatEventStandsThere() throws {
        let (before, turn, events) = written(3)
        var conversation = before
        conversation.persist(own.log, try #require(turn.batch.advanced[LogKey(id, own.log)]))
        let other = try #require(EventID([UInt8](repeating: 9, count: 32)))
        func claim(_ sequence: UInt64, _ head: EventID) -> Conversation.Claim {
            conversation.claim(of: LogPosition(sequence: sequence, head: head), in: own.log, turn)
        }
        #expect(claim(3, events[2].id) == .held)
        #expect(claim(3, other) == .other)
        #expect(claim(4, other) == .ahead)
        #expect(claim(2, events[1].id) == .unread, "only the last is known without a look at the disk")
        conversation.noteHead(events[1].position, of: own.log)
        #expect(claim(2, events[1].id) == .held)
        #expect(claim(2, other) == .other)
    }

    @Test func aWantEndsWhenWhatWasAskedForIsDurable() throws {
        var conversation = conversation()
        conversation.want(theirLog, on: LinkID(1), through: 2, at: 10)
        conversation.progress(theirLog, at: 20)
        #expect(conversation.wants[theirLog] == Want(link: LinkID(1), through: 2, lastProgress: 20))
        conversation.restore(
            LogRecord(
                conversation: id,
                log: theirLog,
                position: LogPosition(sequence: 2, head: try #require(EventID([UInt8](repeating: 9, count: 32)))),
                time: EventTime(raw: 1),
                signedThrough: .start,
                applied: .start,
                namedThrough: 0,
                missingBodies: []
            )
        )
        conversation.progress(theirLog, at: 30)
        #expect(conversation.wants.isEmpty)
    }

    @Test func onlySoManyRunsOfALinkAreComparedAtOnce() throws {
        let written = written(1)
        var (conversation, turn) = (written.conversation, written.turn)
        let event = written.events[0]
        conversation.persist(own.log, PendingBatch.Advance(position: event.position, time: event.header.time))
        var wire = WireEvents()
        wire.events = [event.wire]
        let run = try #require(ReceivedRun(wire, of: id))
        for _ in 0...Limits.comparedRuns { conversation.compareLater(run, in: own.log, on: LinkID(1), &turn) }
        #expect(turn.reads.count == Limits.comparedRuns)
        conversation.compareLater(run, in: own.log, on: LinkID(2), &turn)
        #expect(turn.reads.count == Limits.comparedRuns + 1)
    }
}
