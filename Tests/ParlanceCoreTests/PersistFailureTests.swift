import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A disk that refuses writes: nothing is promised or told, and later everything goes on.
@Suite struct PersistFailureTests {
    private func isError(_ result: Result<Answer, Refusal>?, _ code: ErrorCode) -> Bool {
        if case .failure(let error) = result { error.code == code } else { false }
    }

    private func sent(_ result: Result<Answer, Refusal>?) throws -> SentMessage {
        guard case .success(.sent(let message)) = result else {
            throw EngineBench.Unexpected(what: "it was not sent: \(String(describing: result))")
        }
        return message
    }

    private func runs(_ frames: [WireFrame.OneOf_Kind]) -> [WireEvents] {
        frames.compactMap { if case .events(let events) = $0 { events } else { nil } }
    }

    @Test func nothingLeavesBeforeItIsDurable() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        bench.diskWaits = true
        let command = bench.give(.send(who: "Bob", text: "hello"))
        #expect(bench.takeAnswers()[command] == nil)
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
        bench.diskWaits = false
        bench.settle()
        #expect(try sent(bench.takeAnswers()[command]).connected == 1)
        #expect(runs(bench.takeFrames(on: 1)).count == 1)
    }

    /// The store drops a damaged text when it reads it, and tells which are missing with a batch.
    @Test func textsThatTheDiskDamagedAreAskedForAfterAFailure() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let place = bob.conversation(with: bench.identity)
        bench.received(bob.events(place, [bob.write("hello", to: bench.identity)]), on: 1)
        bench.diskFails = true
        let damaged = LogKey(place, bob.logID)
        bench.feed(.textsDamaged([damaged]))
        bench.diskFails = false
        _ = try bench.ask(.setAlias(who: "Bob", alias: "Robert"))
        #expect(bench.batches.map(\.damaged).suffix(2) == [[damaged], [damaged]])
    }

    @Test func nothingIsAcknowledgedBeforeItIsDurable() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        bench.diskWaits = true
        let event = bob.write("hello", to: bench.identity)
        bench.received(bob.events(event.header.conversation, [event]), on: 1)
        #expect(bench.takeFrames(on: 1).isEmpty)
        bench.diskWaits = false
        bench.settle()
        guard case .have(let have) = bench.takeFrames(on: 1).first else {
            throw EngineBench.Unexpected(what: "no acknowledgement")
        }
        #expect(have.entries.map(\.sequence) == [1])
    }

    @Test func theCommandGetsTheErrorAndTheLogGoesBack() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = bench.takeEffects()
        let first = try sent(try bench.ask(.send(who: "Bob", text: "first")))
        bench.diskFails = true
        _ = bench.takeFrames(on: 1)
        #expect(isError(try bench.ask(.send(who: "Bob", text: "lost")), .storeFailed))
        #expect(runs(bench.takeFrames(on: 1)).isEmpty)
        bench.diskFails = false
        let third = try sent(try bench.ask(.send(who: "Bob", text: "third")))
        #expect(first.sequence == 1)
        #expect(third.sequence == 2, "the number that was not used is used now")
        #expect(bench.disk.history(of: first.conversation).map(\.text) == ["first", "third"])
    }

    /// Batches behind one that failed were built on it, and fail with it.
    @Test func whatStandsBehindFailsToo() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.diskWaits = true
        let commands = (1...3).map { bench.give(.send(who: "Bob", text: "\($0)")) }
        bench.diskFails = true
        bench.diskWaits = false
        bench.settle()
        let answers = bench.takeAnswers()
        #expect(commands.allSatisfy { isError(answers[$0], .storeFailed) })
        bench.diskFails = false
        #expect(try sent(try bench.ask(.send(who: "Bob", text: "again"))).sequence == 1)
        #expect(bench.batches.last?.conversations.count == 1, "the conversation is made with what is written to it")
    }

    /// What peers had sent is no longer held; on a new link they send it again.
    @Test func whatAPeerSentIsTakenAgainOnAFreshLink() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let event = bob.write("hello", to: bench.identity)
        let run = bob.events(event.header.conversation, [event])
        bench.diskFails = true
        bench.received(run, on: 1)
        #expect(bench.closed == [LinkID(1)])
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.diskFails = false
        bench.open(2, with: bob)
        _ = bench.takeFrames(on: 2)
        bench.received(run, on: 2)
        #expect(bench.disk.history(of: event.header.conversation).map(\.text) == ["hello"])
        guard case .have = bench.takeFrames(on: 2).first else {
            throw EngineBench.Unexpected(what: "no acknowledgement")
        }
    }

    /// An address that worked saves a search after a restart: its row waits for a batch to join.
    @Test func anAddressThatWorkedIsWrittenLazily() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        let before = bench.batches.count
        bench.received(bob.hello(), on: 1)
        bench.pass(Limits.lazyMilliseconds - 1)
        #expect(bench.batches.count == before)
        bench.pass(1)
        #expect(bench.batches.count == before + 1)
        #expect(bench.batches.last?.peers.first?.addresses.isEmpty == false)
    }

    /// How far a peer has read is kept when the disk refuses it, and is written again after a pause.
    @Test func aWatermarkIsWrittenAgain() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let event = try #require(bench.batches.flatMap(\.events).last)
        bench.pass(Limits.lazyMilliseconds)
        let before = bench.batches.count
        bench.diskFails = true
        bench.received(bob.marks([bob.mark(event)], in: event.header.conversation), on: 1)
        #expect(bench.batches.count == before + 1)
        bench.diskFails = false
        bench.pass(Limits.rewriteMilliseconds - 1)
        #expect(bench.batches.count == before + 1)
        bench.pass(1)
        #expect(bench.batches.count == before + 2)
        #expect(bench.batches.last?.watermarks.isEmpty == false)
    }

    /// An answer names its question, even if writing the answer failed at first.
    @Test func aDependencyIsNamedAgain() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let question = bob.write("question?", to: bench.identity)
        bench.received(bob.events(question.header.conversation, [question]), on: 1)
        bench.diskFails = true
        #expect(isError(try bench.ask(.send(who: "Bob", text: "answer")), .storeFailed))
        bench.diskFails = false
        _ = try sent(try bench.ask(.send(who: "Bob", text: "answer")))
        #expect(bench.batches.last?.events.last?.header.dependencies.map(\.id) == [question.id])
    }

    /// The last event of each transaction is signed in that transaction.
    @Test func whatIsStoredEndsAtAHead() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.diskWaits = true
        for number in 0..<200 { bench.give(.send(who: "Bob", text: "\(number)")) }
        bench.diskWaits = false
        bench.settle()
        for batch in bench.batches where !batch.events.isEmpty {
            #expect(batch.events.last?.signature != nil)
            var sinceHead = 0
            for event in batch.events {
                sinceHead = event.signature == nil ? sinceHead + 1 : 0
                #expect(sinceHead < Limits.eventsPerHead)
            }
        }
        let events = bench.batches.flatMap(\.events)
        #expect(events.count == 200)
        let own = LogID(author: bench.identity, replica: EngineBench.ownReplica)
        let verified = try RunVerifier.verify(
            events.map { ReceivedEvent($0.wire) },
            of: own,
            in: bob.conversation(with: bench.identity),
            after: .start
        )
        #expect(verified == events)
    }

    /// The bytes from one head to the next are limited, too; an event that would exceed the limit begins a new stretch.
    @Test(arguments: [0, 1]) func whatIsLongHasMoreHeads(_ over: Int) throws {
        var bench = try EngineBench(peers: [try RemotePeer().record()])
        bench.diskWaits = true
        // The first event is on its way to the disk while the others gather.
        for _ in 0..<3 { bench.give(.send(who: "Bob", text: String(repeating: "x", count: 43_000))) }
        bench.diskWaits = false
        bench.settle()
        let tried = bench.batches.flatMap(\.events)
        try #require(tried.map { $0.signature == nil } == [false, true, false])
        let sizes = tried.map { $0.byteCount - ($0.signature?.count ?? 0) }
        let rest = Limits.bytesPerHead + over - sizes[1] - sizes[2]

        bench.diskWaits = true
        let overhead = sizes[2] - 43_000
        for count in [43_000, 43_000, 43_000, rest - overhead] {
            bench.give(.send(who: "Bob", text: String(repeating: "x", count: count)))
        }
        bench.diskWaits = false
        bench.settle()
        let events = bench.batches.flatMap(\.events).suffix(3)
        let bytes = events.reduce(0) { $0 + $1.byteCount - ($1.signature?.count ?? 0) }
        #expect(bytes == Limits.bytesPerHead + over)
        #expect(events.map { $0.signature != nil } == [false, over == 1, true])
    }
}
