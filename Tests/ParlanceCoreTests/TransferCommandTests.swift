import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What the user decides about a file, and what is kept of it.
@Suite struct TransferCommandTests {
    private let mention: FileMention
    private let bob: RemotePeer
    private var bench: EngineBench
    private let conversation: ConversationID

    init() throws {
        bob = try RemotePeer()
        bench = try EngineBench(peers: [bob.record()])
        conversation = bob.conversation(with: bench.identity)
        bench.give(.send(who: bob.identity.grouped, text: "hello"))
        mention = Self.mention(1)
    }

    private static func mention(_ number: UInt64) -> FileMention {
        let bytes = [UInt8](repeating: 0, count: 24) + number.bigEndianBytes
        return FileMention(file: FileID(value: Bytes32(bytes) ?? .zero), name: "plan.pdf", size: 100_000)
    }

    private mutating func record(of file: FileID) throws -> TransferRecord? {
        guard case .success(.transfers(let views, _)) = try bench.ask(.transfers) else { return nil }
        return views.first { $0.record.file == file }?.record
    }

    @Test mutating func aFileGoesThroughTheStatesThatTheUserWants() throws {
        #expect(try bench.ask(.fetch(conversation, mention)) == .success(.done))
        #expect(try record(of: mention.file)?.state == .wanted)
        #expect(try record(of: mention.file)?.isByHand == true)
        #expect(try bench.ask(.pauseFile(mention.file)) == .success(.done))
        #expect(try record(of: mention.file)?.state == .paused)
        #expect(try bench.ask(.retryFile(mention.file)) == .failure(.file(.notFetched)))
        #expect(try bench.ask(.resumeFile(mention.file)) == .success(.done))
        #expect(try record(of: mention.file)?.state == .wanted)
        #expect(try bench.ask(.cancelFile(mention.file)) == .success(.done))
        #expect(try record(of: mention.file)?.state == .cancelled)
        #expect(try bench.ask(.resumeFile(mention.file)) == .failure(.file(.notFetched)))
        #expect(bench.batches.flatMap(\.transfers).map(\.state) == [.wanted, .paused, .wanted, .cancelled])
        bench.restart()
        #expect(try record(of: mention.file)?.state == .cancelled)
    }

    /// What was here once, such as before the backup of which the store was restored, comes again with a new message.
    @Test mutating func whatIsGoneIsFetchedAgainIfItIsSentAnew() throws {
        for (state, next) in [(.removed, .wanted), (.cancelled, .cancelled)]
            as [(TransferRecord.State, TransferRecord.State)]
        {
            _ = try bench.ask(.fetch(conversation, mention))
            var record = try #require(try record(of: mention.file))
            (record.state, record.isByHand) = (state, false)
            var batch = PersistBatch(id: BatchID(1_000_000))
            batch.transfers = [record]
            _ = try bench.disk.persist(batch)
            bench.restart(peers: [bob.record()])
            #expect(try self.record(of: mention.file)?.state == state, "nothing is fetched by itself at a start")
            let offer = FileOffer(
                conversation: conversation,
                file: mention.file,
                size: mention.size,
                sender: bob.identity
            )
            bench.restart(peers: [bob.record()], offers: [offer])
            #expect(try self.record(of: mention.file)?.state == next)
        }
    }

    @Test mutating func whatIsNotKnownIsRefused() throws {
        #expect(try bench.ask(.pauseFile(mention.file)) == .failure(.file(.unknown)))
        let elsewhere = ConversationID(value: mention.file.value)
        #expect(try bench.ask(.fetch(elsewhere, mention)) == .failure(.message(.unknownConversation)))
    }

    @Test mutating func aDecisionThatIsNotStoredIsTakenBack() throws {
        bench.diskFails = true
        #expect(try bench.ask(.fetch(conversation, mention)) == .failure(.notStored("no room")))
        bench.diskFails = false
        #expect(try record(of: mention.file) == nil)
    }

    /// The message is on the disk when it is decided to fetch its file, and it is not told again.
    @Test mutating func whatIsFetchedWithoutTheUserOutlivesAFailedBatch() throws {
        var bob = bob
        bench.open(1, with: bob)
        var body = WireMessageBody()
        body.files = [mention.wire]
        let event = bob.append(body.encodedBytes(), in: conversation)
        (bench.diskFails, bench.goodBatches) = (true, 1)
        bench.received(bob.events(conversation, [event]), on: 1)
        #expect(bench.disk.history(of: conversation).last?.rich?.files == [mention])
        #expect(bench.batches.last?.transfers.map(\.file) == [mention.file], "this batch failed")
        bench.diskFails = false
        bench.pass(Limits.rewriteMilliseconds)
        #expect(try record(of: mention.file)?.state == .wanted)
        bench.restart()
        #expect(try record(of: mention.file)?.state == .wanted)
    }

    @Test mutating func onlySoManyFilesAreWanted() throws {
        bench.diskWaits = true
        for number in 0..<UInt64(Limits.transfers) { bench.give(.fetch(conversation, Self.mention(number))) }
        bench.diskWaits = false
        bench.settle()
        _ = bench.takeEffects()
        let next = Self.mention(UInt64(Limits.transfers))
        #expect(try bench.ask(.fetch(conversation, next)) == .failure(.file(.many(files: Limits.transfers))))
        #expect(bench.engine.census.transfers == Limits.transfers)
    }
}
