import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

// What a peer says at another time than it should, and what an honest peer says when frames cross.
extension TransferFrameTests {
    /// A peer that has all chunks, and ends its part with a frame that nobody waits for.
    @Test mutating func anAnswerToNothingEndsTheSource() {
        fetch()
        #expect(bench.engine.census.assemblyBytes > 0)
        receive(stop(.unspecified))
        #expect(!isBroken)
        #expect(bench.engine.census.assemblyBytes == 0, "its chunks are nobody's any more")
        #expect(bench.engine.census.mostPiecesAsked == 0)
        sent = []
        bench.pass(Limits.fileAskAgainMilliseconds / 2)
        receive(.heartbeat(WireHeartbeat()))
        bench.pass(Limits.fileAskAgainMilliseconds / 2)
        settle()
        #expect(sent.compactMap(\.asFileAsk).count == 1, "as if it had nothing")
    }

    /// The peer fetches the file too, and tells what it has by then while the question is on its way.
    @Test mutating func newsThatCrossTheQuestionAreNoLie() {
        bench.give(.fetch(conversation, mention))
        settle()
        sent = []
        receive(held(all))
        #expect(takeSent().isEmpty, "the answer is still to come")
        receive(held(all, manifest: manifest.bytes))
        #expect(!sent.compactMap(\.asFileWant).isEmpty)
        #expect(sent.compactMap(\.asFileStop).isEmpty)
    }

    @Test mutating func chunksWithoutLeavesAreAskedAboutAgain() {
        bench.give(.fetch(conversation, mention))
        settle()
        for _ in 0..<2 { receive(held(all)) }
        #expect(sent.compactMap(\.asFileAsk).map(\.manifest) == [true, true])
        receive(held(all, manifest: manifest.bytes))
        #expect(!sent.compactMap(\.asFileWant).isEmpty)
    }

    /// The user takes the file from elsewhere while pieces of it are on their way.
    @Test mutating func nothingIsAwaitedOfAFileThatIsHere() throws {
        fetch()
        #expect(bench.engine.census.mostPiecesAsked == Limits.leastPieceWindow)
        sent = []
        let whole = try shelf.take(bytes)
        bench.feed(.shelf(.changed(file, .whole(whole))))
        settle()
        #expect(takeSent() == [held(all), stop(.enough)])
        receive(stop(.unspecified))
        #expect(bench.engine.census.mostPiecesAsked == 0, "the window is free for other files")
        #expect(!isBroken)
    }

    @Test mutating func whoEndsAQuestionBeforeItsAnswerIsNotServed() throws {
        _ = try shelf.take(bytes)
        bench.received(ask(), on: 1)
        #expect(bench.engine.census.mostFilesServed == 1)
        bench.received(held(all), on: 1)
        bench.received(stop(.enough), on: 1)
        settle()
        #expect(bench.engine.census.mostFilesServed == 0)
        #expect(takeSent() == [stop(.unspecified)])
    }

    /// The disk is slow: what was read before an end comes after the next question.
    @Test mutating func whatWasReadBeforeAnEndIsNotSentInTheNextServing() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        bench.received(want(0, 2), on: 1)
        bench.received(stop(.enough), on: 1)
        bench.received(ask(), on: 1)
        let late = bench.takeEffects()
        var reads: [ShelfWork] = []
        for effect in late {
            if case .readMention(let read, _, _) = effect { bench.feed(.mentionRead(read, true)) }
            if case .shelf(let work) = effect { reads.append(work) }
        }
        settle()
        #expect(!sent.compactMap(\.asFileHeld).isEmpty)
        sent = []
        for work in reads { if let news = shelf.perform(work) { bench.feed(.shelf(news)) } }
        settle()
        #expect(reads.count == 1 && takeSent().compactMap(\.asFilePiece).isEmpty)
        receive(want(0, 2))
        #expect(takeSent().compactMap(\.asFilePiece).map(\.number) == [0, 1])
    }

    @Test mutating func piecesOfEndedServingsAreNoBreach() throws {
        _ = try shelf.take(bytes)
        shelf.stalls = true
        for _ in 0..<(Limits.piecesOwed / 4) {
            receive(ask())
            receive(want(0, 4))
            receive(stop(.enough))
        }
        receive(ask())
        sent = []
        receive(want(0))
        #expect(!isBroken)
        #expect(takeSent() == [stop(.notHeld)])
        #expect(bench.engine.census.mostPiecesOwed == Limits.piecesOwed)
    }

    @Test(arguments: [1, UInt64(Self.size) - 1, 100_000_000])
    mutating func aFileThatIsHereHasItsOwnSize(size: UInt64) throws {
        let whole = try shelf.take(bytes)
        var told = mention
        told.size = size
        receive(ask())
        bench.give(.fetch(conversation, told))
        settle()
        #expect(try view()?.record.state == .done)
        #expect(try view()?.record.size == whole.shape.size)
        #expect(sent.compactMap(\.asFileHeld).map { [UInt8]($0.chunks) } == [all, all])
        receive(want(6))
        #expect(!isBroken && sent.compactMap(\.asFilePiece).count == 1)
    }

    private mutating func view() throws -> TransferView? {
        guard case .success(.transfers(let views, _)) = try bench.ask(.transfers) else { return nil }
        return views.first { $0.record.file == file }
    }

    @Test mutating func aQuestionThatComesAgainIsLookedUpOnce() throws {
        _ = try shelf.take(bytes)
        for number in 0..<20 { bench.received(ask(manifest: number == 19), on: 1) }
        let effects = bench.takeEffects()
        let reads = effects.compactMap { if case .readMention(let read, _, _) = $0 { read } else { nil } }
        #expect(reads.count == 1)
        for read in reads { bench.feed(.mentionRead(read, true)) }
        for _ in 0..<20 { bench.received(ask(), on: 1) }
        let looks = bench.takeEffects().filter { if case .shelf(.look) = $0 { true } else { false } }
        #expect(looks.count == 1)
        for case .shelf(let work) in looks { if let news = shelf.perform(work) { bench.feed(.shelf(news)) } }
        settle()
        #expect(takeSent() == [held(all, manifest: manifest.bytes)])
    }

    /// Receives a whole chunk.
    private mutating func receiveChunk() throws -> Int {
        let want = try #require(sent.compactMap(\.asFileWant).first)
        for number in want.first..<(want.first + UInt64(want.count)) { bench.received(piece(number), on: 1) }
        return try #require(manifest.shape.chunk(at: want.first * UInt64(Limits.pieceBytes)))
    }

    /// The link ends while a chunk is on its way to the disk, where the file is closed by then.
    @Test mutating func aChunkThatIsTooLateIsNoFailure() throws {
        fetch()
        let chunk = try receiveChunk()
        bench.feed(.linkClosed(LinkID(1), .closed))
        let before = try view()?.record
        bench.feed(.shelf(.kept(file, chunk: chunk, .failed(.missing))))
        #expect(try view()?.record == before)
    }

    @Test mutating func aPausedFileThatIsRemovedHasNothing() throws {
        fetch()
        _ = try receiveChunk()
        settle()
        bench.give(.pauseFile(file))
        settle()
        #expect(try view()?.bytes ?? 0 > 0)
        bench.feed(.shelf(.changed(file, .nothing)))
        #expect(try view()?.bytes == 0)
        #expect(try view()?.record.state == .paused)
    }

    /// Others wait for its place, and each of its pieces takes just less than a stall.
    @Test mutating func aSlowChunkKeepsItsPlace() throws {
        let shape = try FileShape(size: 300_000_000)
        let film = try FileManifest(shape, leaves: Array(repeating: .zero, count: shape.count))
        bench.give(.fetch(conversation, FileMention(file: film.id, name: "film", size: shape.size)))
        settle()
        let everything = ChunkSet(all: shape.count).bytes
        bench.received(held(everything, manifest: film.bytes, file: film.id.bytes), on: 1)
        _ = bench.takeEffects()
        bench.feed(.shelf(.begun(film.id, .success(ChunkSet(total: shape.count)))))
        for number in 0..<Limits.filesAtOnce { bench.give(.fetch(conversation, Self.mention(number))) }
        settle()
        for _ in 0..<7 {
            bench.pass(Limits.fileStallMilliseconds - 1_000)
            settle()
            let wanted = sent.compactMap(\.asFileWant).filter { $0.file == Data(film.id.bytes) }
            let came = sent.compactMap(\.asFilePiece).count
            let numbers = wanted.flatMap { $0.first..<($0.first + UInt64($0.count)) }
            #expect(came < numbers.count)
            var piece = WireFilePiece()
            piece.file = Data(film.id.bytes)
            piece.number = numbers[came]
            piece.bytes = Data(count: Limits.pieceBytes)
            // It is noted beside what the engine sent, to count.
            sent.append(.filePiece(piece))
            receive(.filePiece(piece))
        }
        #expect(shape.chunkSize > 7 * Limits.pieceBytes, "not even one chunk has come")
        #expect(!isBroken)
        let stopped = sent.compactMap(\.asFileStop).map(\.file)
        #expect(!stopped.isEmpty && !stopped.contains(Data(film.id.bytes)))
    }

    private static func mention(_ number: Int) -> FileMention {
        let file = FileID(value: Bytes32(hashing: UInt64(number).bigEndianBytes, domain: 0))
        return FileMention(file: file, name: "plan.pdf", size: 100_000)
    }

    @Test mutating func filesThatNobodyHasLeaveRoomForTheUser() throws {
        let offers = (0..<(Limits.autoTransfers + 5)).map { number in
            FileOffer(conversation: conversation, file: Self.mention(number).file, size: 1, sender: bob.identity)
        }
        bench.restart(peers: [bob.record()], offers: offers)
        #expect(bench.engine.census.transfers == Limits.autoTransfers)
        let first = FileMention(file: offers[0].file, name: "plan.pdf", size: 1)
        for asked in [first, mention] { #expect(try bench.ask(.fetch(conversation, asked)) == .success(.done)) }
        #expect(bench.engine.census.transfers == Limits.autoTransfers + 1)
        bench.restart(peers: [bob.record()], offers: offers)
        #expect(bench.engine.census.transfers == Limits.autoTransfers + 2, "what the user asked for does not count")
    }

    @Test mutating func whatNobodyHasIsAskedForLessAndLess() throws {
        bench.give(.fetch(conversation, mention))
        settle()
        receive(stop(.notHeld))
        var moments: [Int] = []
        sent = []
        for minute in 1...7 {
            for _ in 0..<2 {
                bench.pass(Limits.fileAskAgainMilliseconds / 2)
                receive(.heartbeat(WireHeartbeat()))
            }
            guard !takeSent().compactMap(\.asFileAsk).isEmpty else { continue }
            moments.append(minute)
            receive(stop(.notHeld))
        }
        #expect(moments == [1, 3, 7])
        // The peer wants it too, so it may get it.
        receive(ask())
        #expect(sent.compactMap(\.asFileAsk).count == 1)
        receive(stop(.notHeld))
        sent = []
        bench.give(.retryFile(file))
        settle()
        #expect(sent.compactMap(\.asFileAsk).count == 1, "the user wants another try")
    }

    /// The first message tells a false size, so nobody has the file of which it tells.
    @Test mutating func aSecondMessageMakesUpForAFalseSize() throws {
        var bob = self.bob
        for size in [UInt64(Self.size) - 70_000, UInt64(Self.size)] {
            var named = WireFileMention()
            named.file = Data(file.bytes)
            named.name = "plan.pdf"
            named.size = size
            var body = WireMessageBody()
            body.files = [named]
            receive(bob.events(conversation, [bob.append(body.encodedBytes(), in: conversation)]))
            #expect(try view()?.record.size == size)
            receive(held(all, manifest: manifest.bytes))
            // The peer answers that it was told to stop.
            if size != UInt64(Self.size) { receive(stop(.unspecified)) }
        }
        #expect(try view()?.record.isByHand == false)
        #expect(!isBroken && !sent.compactMap(\.asFileWant).isEmpty)
    }

    @Test mutating func whatIsWantedAlreadyDoesNotBeginAnew() throws {
        fetch()
        let before = try view()
        sent = []
        bench.give(.fetch(conversation, mention))
        settle()
        #expect(takeSent().isEmpty)
        #expect(bench.engine.census.assemblyBytes > 0)
        #expect(try view() == before)
        receive(stop(.notHeld))
        sent = []
        bench.give(.fetch(conversation, mention))
        settle()
        #expect(sent.compactMap(\.asFileAsk).count == 1, "it is tried at once")
    }
}
