import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

// The frames of files where a rate limits what is sent and fetched: two pieces a second.
extension TransferFrameTests {
    private mutating func takePieces() -> [UInt64] { takeSent().compactMap(\.asFilePiece).map(\.number) }

    /// The files of the pieces that were sent.
    private mutating func takeFiles() -> [[UInt8]] { takeSent().compactMap(\.asFilePiece).map { [UInt8]($0.file) } }

    private mutating func takeWanted() -> [UInt32] { takeSent().compactMap(\.asFileWant).map(\.count) }

    private mutating func pass(_ milliseconds: Int64) {
        bench.pass(milliseconds)
        settle()
    }

    /// The peer has asked for six pieces, and two of them may be sent at once.
    private mutating func serveSlowly() throws {
        _ = try shelf.take(bytes)
        bench.feed(.fileRateChanged(Limits.leastFileRate))
        receive(ask())
        sent = []
        receive(want(0, 6))
        #expect(takePieces() == [0, 1])
        #expect(bench.engine.census.mostPiecesOwed == 4)
    }

    @Test mutating func piecesWaitUntilTheRateAllowsThem() throws {
        try serveSlowly()
        for number in 2..<UInt64(6) {
            pass(499)
            #expect(takePieces() == [])
            pass(1)
            #expect(takePieces() == [number])
        }
        #expect(bench.engine.census.mostPiecesOwed == 0)
    }

    /// A node that wakes late may send two pieces. They go to two of the six files that wait.
    @Test mutating func noFileTakesMoreThanItsShare() throws {
        bench.feed(.fileRateChanged(Limits.leastFileRate))
        var files: [[UInt8]] = []
        for number in 0..<UInt8(6) { files.append(try shelf.take([number] + bytes).id.bytes) }
        for file in files { receive(ask(file)) }
        sent = []
        for file in files { receive(want(0, 4, file: file)) }
        #expect(takeFiles() == [files[0], files[0]])
        for start in [0, 2, 4, 0] {
            bench.oversleep(1_000)
            settle()
            #expect(takeFiles() == Array(files[start..<(start + 2)]))
        }
    }

    @Test mutating func whatWaitsIsSentAtOnceWithoutALimit() throws {
        try serveSlowly()
        receive(want(6))
        #expect(takePieces() == [])
        bench.feed(.fileRateChanged(nil))
        settle()
        #expect(takePieces() == [2, 3, 4, 5, 6])
    }

    @Test mutating func whoStopsWaitsNoMore() throws {
        try serveSlowly()
        receive(stop(.enough))
        #expect(bench.engine.census.mostPiecesOwed == 0)
        pass(5_000)
        #expect(takePieces() == [])
    }

    @Test mutating func whoAsksAnewWaitsForWhatItAsksForThen() throws {
        try serveSlowly()
        receive(ask())
        #expect(bench.engine.census.mostPiecesOwed == 0)
        receive(want(6))
        pass(500)
        #expect(takePieces() == [6])
        pass(5_000)
        #expect(takePieces() == [])
    }

    @Test mutating func whoIsBlockedWaitsForNothing() throws {
        try serveSlowly()
        bench.give(.block(who: bob.identity.grouped))
        pass(5_000)
        #expect(takePieces() == [])
        #expect(bench.engine.census.mostPiecesOwed == 0)
    }

    @Test mutating func whatWaitsIsBounded() throws {
        try serveSlowly()
        while bench.engine.census.mostPiecesOwed < Limits.piecesOwed { receive(want(0)) }
        #expect(!isBroken)
        receive(want(0))
        #expect(isBroken)
    }

    @Test mutating func onlyWhatTheRateAllowsIsAskedFor() {
        bench.feed(.fileRateChanged(Limits.leastFileRate))
        fetch()
        let wants = takeSent().compactMap(\.asFileWant)
        #expect(wants.map(\.count) == [2])
        for number in [0, 1] as [UInt64] { receive(piece((wants.first?.first ?? 0) + number)) }
        #expect(takeWanted() == [])
        for _ in 0..<2 {
            pass(499)
            #expect(takeWanted() == [])
            pass(1)
            #expect(takeWanted() == [1])
        }
    }
}
