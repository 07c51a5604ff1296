import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

// Files that are served while the message that names them goes, or the peer loses the right to them.
extension TransferFrameTests {
    private mutating func passAMinute() {
        for _ in 0..<2 {
            bench.pass(Limits.fileCheckMilliseconds / 2)
            receive(.heartbeat(WireHeartbeat()))
        }
        sent = []
    }

    @Test(arguments: [true, false])
    mutating func nothingIsGivenBeforeItIsLookedUpAgain(isStillNamed: Bool) throws {
        _ = try shelf.take(bytes)
        receive(ask())
        passAMinute()
        bench.received(want(0, 2), on: 1)
        bench.received(want(2), on: 1)
        #expect(!bench.effects.contains { if case .shelf = $0 { true } else { false } })
        isNamed = isStillNamed
        settle()
        let frames = takeSent()
        #expect(frames.compactMap(\.asFilePiece).map(\.number) == (isStillNamed ? [0, 1, 2] : []))
        #expect(frames.compactMap(\.asFileStop).map(\.reason) == (isStillNamed ? [] : [.notHeld]))
        #expect(bench.engine.census.mostPiecesOwed == 0)
    }

    @Test mutating func aDeletionCountsAtOnce() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        receive(want(0))
        #expect(takeSent().compactMap(\.asFilePiece).count == 1)
        let hello = try #require(bench.batches.flatMap(\.events).first)
        let reference = EventReference(log: hello.header.log, sequence: hello.header.sequence, id: hello.id)
        bench.give(.delete(MessageReference(conversation: conversation, event: reference)))
        settle()
        // Another message names it still.
        receive(want(1))
        #expect(takeSent().compactMap(\.asFilePiece).map(\.number) == [1])
        bench.give(.send(who: bob.identity.grouped, text: "once more"))
        let last = try #require(bench.batches.flatMap(\.events).last)
        let other = EventReference(log: last.header.log, sequence: last.header.sequence, id: last.id)
        bench.give(.delete(MessageReference(conversation: conversation, event: other)))
        settle()
        sent = []
        isNamed = false
        receive(want(2))
        #expect(takeSent() == [stop(.notHeld)])
    }

    /// The disk is slow, and a message is deleted meanwhile: what was read waits for the store's answer.
    @Test(arguments: [true, false])
    mutating func whatWasBeingReadWaitsForANewLook(isStillNamed: Bool) throws {
        _ = try shelf.take(bytes)
        receive(ask())
        sent = []
        bench.received(want(0, 2), on: 1)
        let hello = try #require(bench.batches.flatMap(\.events).first)
        let reference = EventReference(log: hello.header.log, sequence: hello.header.sequence, id: hello.id)
        bench.give(.delete(MessageReference(conversation: conversation, event: reference)))
        isNamed = isStillNamed
        settle()
        let frames = takeSent()
        #expect(frames.compactMap(\.asFilePiece).map(\.number) == (isStillNamed ? [0, 1] : []))
        #expect(frames.compactMap(\.asFileStop).map(\.reason) == (isStillNamed ? [] : [.notHeld]))
        #expect(bench.engine.census.mostPiecesOwed == 0)
    }

    /// The peer has asked for a file that the node lacks, and the node gets it from elsewhere.
    @Test mutating func thatAFileIsHereIsToldOnlyIfAMessageNamesIt() throws {
        bench.give(.fetch(conversation, mention))
        settle()
        receive(ask())
        #expect(takeSent().compactMap(\.asFileHeld).count == 1)
        bench.pass(Limits.fileCheckMilliseconds / 2)
        receive(stop(.notHeld))
        bench.pass(Limits.fileCheckMilliseconds / 2)
        settle()
        sent = []
        isNamed = false
        let whole = try shelf.take(bytes)
        bench.feed(.shelf(.changed(file, .whole(whole))))
        settle()
        #expect(takeSent() == [stop(.notHeld)])
    }

    /// The disk is slow, and the user blocks the peer meanwhile.
    @Test mutating func whoIsBlockedGetsNothingThatWasBeingRead() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        sent = []
        bench.received(want(0, 2), on: 1)
        bench.writesWait = true
        bench.give(.block(who: bob.identity.grouped))
        settle()
        #expect(takeSent().compactMap(\.asFilePiece).isEmpty)
    }
}
