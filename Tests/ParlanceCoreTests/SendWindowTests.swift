import ParlanceWire
import Testing

@testable import ParlanceCore

/// Which bytes count as on their way to a peer, and when they no longer count.
@Suite struct SendWindowTests {
    private let log: LogID
    private let other: LogID

    init() throws {
        log = LogID(author: try EngineBench.peer(1), replica: EngineBench.replica(1))
        other = LogID(author: try EngineBench.peer(2), replica: EngineBench.replica(2))
    }

    @Test func whatIsSentCountsUntilItIsAcknowledged() {
        var window = SendWindow()
        #expect(window.sentThrough(log) == nil)
        window.sent(log, through: 3, bytes: 300)
        window.sent(log, through: 5, bytes: 200)
        window.sent(other, through: 9, bytes: 70)
        #expect(window.bytes == 570)
        #expect(window.sentThrough(log) == 5)
        #expect(window.runCount == 3)
        window.acknowledged(log, through: 4)
        #expect(window.bytes == 270, "the run through 5 is not whole there")
        window.acknowledged(log, through: 4)
        #expect(window.bytes == 270, "an acknowledgement counts once")
        window.acknowledged(log, through: 5)
        #expect(window.bytes == 70)
        #expect(window.sentThrough(log) == 5, "what was sent stays sent")
    }

    @Test func anAcknowledgementOfWhatWasNotSentChangesNothing() {
        var window = SendWindow()
        window.sent(log, through: 3, bytes: 300)
        let before = window
        window.acknowledged(other, through: 100)
        window.acknowledged(log, through: 2)
        #expect(window == before)
    }

    @Test func aReadBelongsToTheCursorThatAskedForIt() {
        var window = SendWindow()
        window.begin(ReadID(1), of: log, after: 7)
        #expect(window.isReading(log))
        #expect(window.sentThrough(log) == 7)
        let isOther = window.end(ReadID(2), of: log)
        #expect(!isOther, "another read")
        #expect(window.isReading(log))
        let isAwaited = window.end(ReadID(1), of: log)
        #expect(isAwaited)
        #expect(!window.isReading(log))
        let isAwaitedTwice = window.end(ReadID(1), of: log)
        #expect(!isAwaitedTwice, "it ended already")
    }

    @Test func aPeerThatAsksAtOnceFreesNothing() {
        var window = SendWindow()
        window.sent(log, through: 5, bytes: 500)
        window.begin(ReadID(1), of: log, after: 5)
        let soon = Limits.healPatienceMilliseconds - 1
        window.restart(log, after: 2, at: soon, openedAt: 0)
        #expect(window.bytes == 500)
        #expect(window.sentThrough(log) == 2)
        let isAwaited = window.end(ReadID(1), of: log)
        #expect(!isAwaited, "the read was of another place")
        window.restart(log, after: 2, at: 2 * soon, openedAt: 0)
        #expect(window.bytes == 500, "it asked a moment ago")
    }

    @Test func aPeerThatWaitsAndAsksAgainFreesWhatItCouldNotUse() {
        var window = SendWindow()
        window.sent(log, through: 5, bytes: 500)
        window.sent(other, through: 5, bytes: 40)
        window.restart(log, after: 2, at: Limits.healPatienceMilliseconds, openedAt: 0)
        #expect(window.bytes == 40)
        window.acknowledged(log, through: 5)
        #expect(window.bytes == 40, "what was given up is not counted back again")
    }

    @Test func logsThatWereAskedForAreServedInOrderUntilTheyAreSent() {
        var window = SendWindow()
        window.serve(other, through: 4)
        window.serve(log, through: 9)
        window.serve(other, through: 6)
        #expect(window.served.map(\.log) == [log, other].sorted())
        #expect(window.served.first { $0.log == other }?.through == 6)
        window.served(log)
        #expect(window.served.map(\.log) == [other])
    }

    @Test func aForgottenLogLeavesNothing() {
        var window = SendWindow()
        window.sent(log, through: 5, bytes: 500)
        window.serve(log, through: 9)
        window.forget(log)
        #expect(window == SendWindow())
        window.forget(other)
        #expect(window == SendWindow())
    }
}
