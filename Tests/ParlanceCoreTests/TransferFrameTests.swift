import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// The frames of files, played by hand: what is refused, what is a breach, and what is asked.
@Suite struct TransferFrameTests {
    static let size = 200_000

    var bench: EngineBench
    let bob: RemotePeer
    let conversation: ConversationID
    let manifest: FileManifest
    let bytes = (0..<Self.size).map { UInt8(truncatingIfNeeded: $0 / 256 &+ $0) }
    var shelf = SimulatedShelf()
    var isNamed = true
    /// What the engine sent on the link since the last look.
    var sent: [WireFrame.OneOf_Kind] = []

    init() throws {
        bob = try RemotePeer()
        bench = try EngineBench(peers: [bob.record()])
        conversation = bob.conversation(with: bench.identity)
        bench.give(.send(who: bob.identity.grouped, text: "hello"))
        var other = SimulatedShelf()
        manifest = try other.take(bytes)
        open()
    }

    var file: FileID { manifest.id }

    mutating func open(_ link: UInt64 = 1, features: [String] = ["files"]) {
        bench.opened(link, with: bob)
        guard case .hello(var hello) = bob.hello() else { return }
        hello.features = features
        bench.received(.hello(hello), on: link)
        bench.received(bob.summary(of: [(conversation, Clock())]), on: link)
        bench.received(bob.clock(conversation, Clock()), on: link)
        settle(link)
        sent = []
    }

    /// Lets the store and the shelf answer until nothing is left to do.
    mutating func settle(_ link: UInt64 = 1) {
        while true {
            let effects = bench.takeEffects()
            if effects.isEmpty { return }
            for effect in effects {
                switch effect {
                case .readMention(let read, _, _): bench.feed(.mentionRead(read, isNamed))
                case .shelf(let work): if let news = shelf.perform(work) { bench.feed(.shelf(news)) }
                case .send(LinkID(link), let frame): if let kind = frame.kind { sent.append(kind) }
                default: break
                }
            }
            bench.pass(0)
        }
    }

    mutating func receive(_ kind: WireFrame.OneOf_Kind) {
        bench.received(kind, on: 1)
        settle()
    }

    mutating func takeSent() -> [WireFrame.OneOf_Kind] {
        defer { sent = [] }
        return sent
    }

    var isBroken: Bool {
        sent.contains { if case .bye(let bye) = $0 { bye.reason == .protocol } else { false } }
    }

    // Frames of the peer.

    func ask(_ file: [UInt8]? = nil, in conversation: [UInt8]? = nil, manifest: Bool = true)
        -> WireFrame.OneOf_Kind
    {
        var frame = WireFileAsk()
        frame.conversation = Data(conversation ?? self.conversation.bytes)
        frame.file = Data(file ?? self.file.bytes)
        frame.manifest = manifest
        return .fileAsk(frame)
    }

    func want(_ first: UInt64, _ count: UInt32 = 1, file: [UInt8]? = nil) -> WireFrame.OneOf_Kind {
        var frame = WireFileWant()
        frame.file = Data(file ?? self.file.bytes)
        frame.first = first
        frame.count = count
        return .fileWant(frame)
    }

    func held(_ chunks: [UInt8], manifest: [UInt8] = [], file: [UInt8]? = nil) -> WireFrame.OneOf_Kind {
        var frame = WireFileHeld()
        frame.file = Data(file ?? self.file.bytes)
        frame.chunks = Data(chunks)
        frame.manifest = Data(manifest)
        return .fileHeld(frame)
    }

    func stop(_ reason: WireFileStopReason, file: [UInt8]? = nil) -> WireFrame.OneOf_Kind {
        var frame = WireFileStop()
        frame.file = Data(file ?? self.file.bytes)
        frame.reason = reason
        return .fileStop(frame)
    }

    func piece(_ number: UInt64, _ content: [UInt8]? = nil) -> WireFrame.OneOf_Kind {
        var frame = WireFilePiece()
        frame.file = Data(file.bytes)
        frame.number = number
        let start = Int(min(number, 100)) * Limits.pieceBytes
        frame.bytes = Data(content ?? Array(bytes.dropFirst(start).prefix(Limits.pieceBytes)))
        return .filePiece(frame)
    }

    var mention: FileMention { FileMention(file: file, name: "plan.pdf", size: UInt64(Self.size)) }
    var all: [UInt8] { ChunkSet(all: manifest.shape.count).bytes }

    /// The engine fetches the file, and the peer has all of it.
    mutating func fetch() {
        bench.give(.fetch(conversation, mention))
        settle()
        receive(held(all, manifest: manifest.bytes))
    }

    // Serving.

    @Test mutating func whoMayHaveAFileIsServed() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        let told = try #require(takeSent().compactMap(\.asFileHeld).first)
        #expect([UInt8](told.chunks) == all && [UInt8](told.manifest) == manifest.bytes)
        receive(want(0, 7))
        let pieces = takeSent().compactMap(\.asFilePiece)
        #expect(pieces.map(\.number) == Array(0..<7))
        #expect(pieces.flatMap { [UInt8]($0.bytes) } == bytes)
        receive(ask(manifest: false))
        #expect(takeSent().compactMap(\.asFileHeld).map(\.manifest) == [Data()])
    }

    @Test mutating func whatIsNotHereAndWhatIsNotForThePeerLookTheSame() throws {
        receive(ask())
        let nothing = takeSent()
        #expect(nothing == [stop(.notHeld)])
        _ = try shelf.take(bytes)
        isNamed = false
        receive(ask())
        #expect(takeSent() == nothing)
        isNamed = true
        receive(ask(in: [UInt8](repeating: 7, count: 32)))
        #expect(takeSent() == nothing, "not a conversation of both")
        receive(want(0))
        #expect(takeSent() == nothing, "not asked for")
        #expect(!isBroken)
    }

    /// The peer may know what is here from before it asked.
    @Test mutating func whatIsAskedForBeforeTheAnswerIsServedAfterIt() throws {
        _ = try shelf.take(bytes)
        bench.received(ask(), on: 1)
        bench.received(want(0, 2), on: 1)
        bench.received(want(4), on: 1)
        settle()
        #expect(sent.first?.asFileHeld != nil)
        #expect(takeSent().dropFirst().map { $0.asFilePiece?.number } == [0, 1, 4])

        // Another question: the peer does not wait for those pieces any more.
        bench.received(ask(), on: 1)
        bench.received(want(0, 2), on: 1)
        bench.received(ask(), on: 1)
        bench.received(want(5), on: 1)
        settle()
        #expect(takeSent().dropFirst().map { $0.asFilePiece?.number } == [5])

        // What is here may have become less.
        bench.received(ask(), on: 1)
        for first in [0, UInt64.max, 1] { bench.received(want(first, 2), on: 1) }
        shelf.stalls = true
        settle()
        #expect(sent.first?.asFileHeld != nil)
        #expect(takeSent().dropFirst() == [stop(.notHeld)])
        shelf.stalls = false

        isNamed = false
        bench.received(ask(), on: 1)
        bench.received(want(0, 2), on: 1)
        settle()
        #expect(takeSent() == [stop(.notHeld)])
        #expect(!isBroken)
    }

    @Test mutating func onlySoManyPiecesAreAskedForBeforeTheAnswer() throws {
        bench.received(ask(), on: 1)
        for _ in 0..<(Limits.piecesOwed / 8) { bench.received(want(0, 8), on: 1) }
        #expect(bench.closed.isEmpty)
        bench.received(want(0), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test mutating func aBlockedPeerIsServedNothing() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        bench.give(.block(who: bob.identity.grouped))
        settle()
        sent = []
        receive(want(0))
        #expect(takeSent().compactMap(\.asFilePiece).isEmpty)
    }

    @Test mutating func aServedFileIsLookedUpAgain() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        isNamed = false
        receive(want(0))
        #expect(takeSent().compactMap(\.asFilePiece).count == 1)
        bench.pass(Limits.fileCheckMilliseconds / 2)
        receive(.heartbeat(WireHeartbeat()))
        bench.pass(Limits.fileCheckMilliseconds / 2)
        receive(want(1))
        receive(want(2))
        #expect(takeSent().suffix(1) == [stop(.notHeld)])
    }

    @Test mutating func whatTheDiskLostIsDamaged() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        sent = []
        shelf.remove(file)
        receive(want(0))
        #expect(takeSent() == [stop(.damaged)])
    }

    @Test mutating func whoStopsIsServedNothingMoreAndHearsIt() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        sent = []
        receive(stop(.enough))
        #expect(takeSent() == [stop(.unspecified)])
        receive(stop(.enough))
        #expect(takeSent() == [stop(.unspecified)], "each end is answered")
        receive(stop(.unspecified))
        #expect(takeSent().isEmpty, "an answer is not answered")
        receive(want(0))
        #expect(takeSent() == [stop(.notHeld)])
    }

    @Test mutating func onlySoManyFilesAndPiecesAreServedAtOnce() throws {
        _ = try shelf.take(bytes)
        receive(ask())
        shelf.stalls = true
        for _ in 0..<(Limits.piecesOwed / 4) { receive(want(0, 4)) }
        #expect(!isBroken)
        #expect(bench.engine.census.mostPiecesOwed == Limits.piecesOwed)
        receive(want(0))
        #expect(isBroken)

        bench = try EngineBench(peers: [bob.record()])
        bench.give(.send(who: bob.identity.grouped, text: "hello"))
        open()
        for number in 0..<UInt8(Limits.filesAtOnce) {
            bench.received(ask([UInt8](repeating: number, count: 32)), on: 1)
        }
        #expect(bench.closed.isEmpty)
        bench.received(ask([UInt8](repeating: 200, count: 32)), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    // Breaches.

    @Test(arguments: 0..<12)
    mutating func hostileShapesAreBreaches(number: Int) throws {
        _ = try shelf.take(bytes)
        receive(ask())
        let short = [UInt8](repeating: 7, count: 31)
        let frames: [WireFrame.OneOf_Kind] = [
            ask(short), ask(in: short), held(all, file: short), stop(.enough, file: short), want(0, file: short),
            want(0, 0), want(0, UInt32(Limits.piecesPerWant) + 1), want(7), want(.max, 8), want(.max - 3, 4),
            held([UInt8](repeating: 0, count: Limits.chunks)), piece(0),
        ]
        receive(frames[number])
        #expect(isBroken)
    }

    @Test mutating func aPieceTwiceIsABreach() {
        fetch()
        #expect(sent.compactMap(\.asFileWant).count > 0)
        receive(piece(sent.compactMap(\.asFileWant)[0].first))
        #expect(!isBroken)
        let first = sent.compactMap(\.asFileWant)[0].first
        receive(piece(first))
        #expect(isBroken)
    }

    @Test mutating func aPieceOfAnotherLengthIsABreach() {
        fetch()
        receive(piece(sent.compactMap(\.asFileWant)[0].first, [1, 2, 3]))
        #expect(isBroken)
    }

    /// The message may have told a false size, and then the peer is honest.
    @Test mutating func bitsBehindTheEndAreNotBelieved() throws {
        bench.give(.fetch(conversation, mention))
        settle()
        receive(held([0xFF], manifest: manifest.bytes))
        #expect(!isBroken)
        #expect(sent.compactMap(\.asFileStop).map(\.reason) == [.enough])
        #expect(sent.compactMap(\.asFileWant).isEmpty)
        _ = try shelf.take(bytes)
        receive(ask())
        receive(held([0xFF]))
        #expect(!isBroken, "nor are they from a peer that is served")
    }

    @Test mutating func leavesOfAnotherFileAreNotBelieved() {
        bench.give(.fetch(conversation, mention))
        settle()
        receive(held(all, manifest: [UInt8](repeating: 7, count: manifest.bytes.count)))
        #expect(!isBroken)
        #expect(sent.compactMap(\.asFileStop).map(\.reason) == [.enough])
        #expect(sent.compactMap(\.asFileWant).isEmpty)
    }

    // Asking.

    @Test mutating func anOlderNodeIsNotAsked() {
        bench.feed(.linkClosed(LinkID(1), .closed))
        open(2, features: [])
        bench.give(.fetch(conversation, mention))
        settle(2)
        #expect(sent.compactMap(\.asFileAsk).isEmpty)
    }

    @Test mutating func thisNodeTellsThatItExchangesFiles() {
        bench.opened(3, with: bob)
        let hellos = bench.takeFrames(on: 3).compactMap { if case .hello(let hello) = $0 { hello } else { nil } }
        #expect(hellos.map(\.features) == [["files"]])
    }

    @Test mutating func atMostAFewPiecesAreAskedForAtOnce() {
        fetch()
        let wants = sent.compactMap(\.asFileWant)
        #expect(wants.map { Int($0.count) }.reduce(0, +) == Limits.leastPieceWindow)
        #expect(wants.allSatisfy { $0.count <= Limits.piecesPerWant })
    }

    @Test mutating func piecesBeforeTheEndOfAFileAreIgnored() {
        fetch()
        let first = sent.compactMap(\.asFileWant)[0].first
        bench.give(.pauseFile(file))
        settle()
        receive(piece(first))
        #expect(!isBroken)
        receive(stop(.unspecified))
        receive(piece(first + 1))
        #expect(isBroken, "after its end nothing may come")
    }

    // What is fetched without being asked for.

    @Test mutating func onlySoMuchIsFetchedInAnHour() {
        let size = Limits.autoFetchBytes
        let offers = (0..<(Limits.offersAtStart / 2)).map { (number: Int) -> FileOffer in
            let few: [UInt64] = [Limits.autoFetchHourBytes, 0]
            return FileOffer(
                conversation: conversation,
                file: FileID(value: Bytes32(hashing: UInt64(number).bigEndianBytes, domain: 0)),
                size: number < few.count ? few[number] : size,
                sender: bob.identity
            )
        }
        bench.restart(peers: [bob.record()], offers: offers, autoFetchBytes: .max)
        #expect(bench.engine.census.transfers == 2, "the whole hour, and an empty file")
        bench.restart(peers: [bob.record()], offers: offers, autoFetchBytes: size)
        #expect(bench.engine.census.transfers == 2 + Int(Limits.autoFetchHourBytes / size))
    }

    @Test(arguments: [(Limits.autoFetchBytes, true), (Limits.autoFetchBytes + 1, false)])
    mutating func smallFilesAreFetchedAtOnce(size: UInt64, isFetched: Bool) throws {
        let offers = (0..<Limits.offersAtStart).map { number in
            FileOffer(
                conversation: conversation,
                file: FileID(value: Bytes32(hashing: UInt64(number).bigEndianBytes, domain: 0)),
                size: size,
                sender: bob.identity
            )
        }
        let own = FileOffer(conversation: conversation, file: file, size: 1, sender: bench.identity)
        bench.restart(peers: [bob.record()], offers: offers + [own])
        let room = Int(Limits.autoFetchHourBytes / size)
        #expect(bench.engine.census.transfers == (isFetched ? min(room, Limits.offersAtStart) : 0))
        let before = bench.engine.census.transfers
        bench.restart(peers: [bob.record()], offers: offers, autoFetchBytes: 0)
        #expect(bench.engine.census.transfers == before, "0: nothing more")
    }
}
