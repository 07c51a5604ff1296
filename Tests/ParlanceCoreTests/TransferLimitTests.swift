import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The small parts of transfers, at their limits.
@Suite struct TransferLimitTests {
    private static func file(_ number: Int) -> FileID {
        FileID(value: Bytes32(hashing: UInt64(number).bigEndianBytes, domain: 0))
    }

    private static let peer = PeerID(value: Bytes32(hashing: [1], domain: 0))

    @Test func theWindowGrowsWhilePiecesComeQuickly() {
        var window = PieceWindow()
        for _ in 0..<100 { window.received(askedAt: 0, at: 5) }
        #expect(window.size == Limits.pieceWindow)
        window.received(askedAt: 100, at: 105 + Limits.pieceDelayMilliseconds)
        #expect(window.size == Limits.pieceWindow, "just in time")
        window.received(askedAt: 100, at: 106 + Limits.pieceDelayMilliseconds)
        #expect(window.size == Limits.pieceWindow * 3 / 4)
        window.received(askedAt: 101, at: 300)
        #expect(window.size == Limits.pieceWindow * 3 / 4, "asked for before the window shrank")
        for moment in 1...40 {
            window.received(askedAt: Int64(moment) * 1_000, at: Int64(moment) * 1_000 + 500 + Int64(moment) * 30)
        }
        #expect(window.size >= Limits.leastPieceWindow && window.size < Limits.pieceWindow)
    }

    @Test func aPeerIsToldOfChunksNotTooOften() {
        var line = FileLine(Self.peer)
        let file = Self.file(1)
        var set = ChunkSet(total: 10)
        line.tells(file, set, at: 1_000)
        #expect(line.tellsAt(file, set, now: 1_001) == nil)
        set.insert(3)
        #expect(line.tellsAt(file, set, now: 1_001) == 1_000 + Limits.fileNewsMilliseconds)
        #expect(line.tellsAt(file, ChunkSet(all: 10), now: 1_001) == 1_001, "the whole file at once")
    }

    @Test func whatOthersCouldGiveIsAskedForAfterAWhile() {
        var source = FetchSource(Self.peer)
        let moments = [1_000, 999 + Limits.filePatienceMilliseconds, 1_000 + Limits.filePatienceMilliseconds]
        let isAsked = moments.map { source.idle(at: $0) }
        #expect(isAsked == [false, false, true])
        source.busy()
        let isAskedAnew = source.idle(at: 2_000)
        #expect(!isAskedAnew)
    }

    @Test func whoHasTheWholeFileIsAskedOnceOthersAreKnown() throws {
        var fetch = Fetch(try FileShape(size: 1_000_000))
        fetch.settles(at: 1_000 + Limits.fileSettleMilliseconds)
        fetch.ask(Self.peer, on: LinkID(1))
        fetch.offered(ChunkSet(all: fetch.shape.count), on: LinkID(1))
        let moments = [999 + Limits.fileSettleMilliseconds, 1_000 + Limits.fileSettleMilliseconds]
        let chosen = moments.map { fetch.choose(for: LinkID(1), own: Self.peer, others: [], tie: 7, at: $0) }
        #expect(chosen.map { $0 != nil } == [false, true])
    }

    @Test func whatNobodyHasIsAskedForAtLeastOnceInAWhile() throws {
        var fetch = Fetch(try FileShape(size: 1_000_000))
        var pauses: [Int64] = []
        for _ in 0..<100 {
            pauses.append(fetch.askAgainPause)
            fetch.nobodyHasIt()
        }
        #expect(pauses.prefix(3) == [60_000, 120_000, 240_000])
        #expect(pauses.last == Limits.fileAskRarelyMilliseconds)
        #expect(pauses == pauses.sorted())
        fetch.wake()
        #expect(fetch.askAgainPause == Limits.fileAskAgainMilliseconds)
    }

    /// Each chunk belongs to exactly one of those who fetch a file.
    @Test func sharesAreApartAndLeaveNothingOut() {
        let peers = (0..<7).map { PeerID(value: Self.file($0).value) }
        let shares = peers.map { peer in
            FileShare(of: peer, among: peers.filter { $0 != peer }).chunks(of: 2_000)
        }
        #expect(shares.reduce(0) { $0 + $1.count } == 2_000)
        #expect(Set(shares.flatMap(\.chunks)).count == 2_000)
        #expect(shares.allSatisfy { (150...450).contains($0.count) }, "\(shares.map(\.count))")
    }

    @Test func peopleSeeTheProgressOfAnUploadOnceASecond() throws {
        var turn = try Turn.made()
        var uploads = Uploads()
        var told: [Int] = []
        for (bytes, pause) in [(1, 0), (2, Limits.progressMilliseconds - 1), (3, 1)] as [(UInt64, Int64)] {
            turn.now.monotonic += pause
            uploads.note(UploadView(file: Self.file(1), peer: Self.peer, bytes: bytes), isEnd: false, &turn)
            told.append(turn.takeEffects().count)
        }
        #expect(told == [1, 0, 1])
        for number in 0..<(Limits.uploadsShown + 10) {
            uploads.note(UploadView(file: Self.file(number), peer: Self.peer, bytes: 1), isEnd: true, &turn)
        }
        #expect(uploads.count == Limits.uploadsShown)
    }

    @Test func theNewestFinishedFilesAreKept() {
        let records = (0..<(Limits.finishedTransfers + 5)).map { number in
            TransferRecord(
                file: Self.file(number),
                conversation: ConversationID(value: .zero),
                size: 1,
                state: .done,
                isByHand: true,
                since: Int64(number)
            )
        }
        let rows = TransferRows(records.shuffled())
        #expect(rows.inOrder == Array(records.reversed().prefix(Limits.finishedTransfers)))
    }

    @Test func aNameThatIsTooLongIsNone() {
        var wire = FileMention(file: Self.file(1), name: "", size: 1).wire
        wire.name = String(repeating: "a", count: Limits.fileMentionNameBytes)
        #expect(FileMention(wire) != nil)
        wire.name += "a"
        #expect(FileMention(wire) == nil)
    }
}
