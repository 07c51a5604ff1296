import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

extension TransferRecord {
    fileprivate var hasFailed: Bool { if case .failed = state { true } else { false } }
}

/// A file comes whole, whatever happens on the way.
@Suite struct TransferTests {
    private static let size = 10_000_000

    @Test(arguments: [1, 32_768, 32_769, 65_536, 65_537, 1_000_000, 10_000_000])
    func aFileComesWhole(size: Int) throws {
        let office = try TransferWorld(size: size)
        office.fetch(by: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
        #expect(office.sentBytes[0] == size, "nothing is sent twice")
        #expect(office.breaches.isEmpty && office.violations.isEmpty)
        office.world.run(for: 1_000)
        let upload = try #require(try office.views(of: 0).uploads.first)
        #expect(upload.bytes == UInt64(size) && upload.trouble == nil, "the sender learns who has it")
        #expect(upload.peer == office.world.nodes[1].identity)
    }

    @Test func anEmptyFileNeedsNobody() throws {
        let office = try TransferWorld(size: 0)
        office.world.stop(0)
        office.world.run(for: 1_000)
        office.fetch(by: 1)
        office.world.run(for: 1_000)
        #expect(try office.isDone(1))
    }

    @Test func aFileThatIsHereAlreadyIsNotFetched() throws {
        let office = try TransferWorld(size: Self.size)
        _ = try office.addFile(size: Self.size, seed: 1, on: 1)
        office.fetch(by: 1)
        office.world.run(for: 1_000)
        #expect(try office.isDone(1))
        #expect(office.frames[1].isEmpty)
    }

    @Test func peopleSeeHowFarAFileHasCome() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.network.slowest = 200
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.run(for: 2_000)
        let view = try #require(try office.view(of: 1))
        #expect(view.bytes > 0 && view.bytes < UInt64(Self.size))
        #expect(view.rate > 0)
        #expect(view.sources == [office.world.nodes[0].identity])
        #expect(try office.views(of: 0).uploads.first.map { $0.bytes > 0 } == true)
        let told = office.world.nodes[1].notices.filter { if case .transfer = $0 { true } else { false } }
        #expect((2...10).contains(told.count), "\(told.count) in some seconds")
    }

    /// Everybody fetches it at once, and the author sends it about once.
    @Test(arguments: [1, 2, 3])
    func aGroupTakesAboutOneCopyFromTheAuthor(seed: UInt64) throws {
        let office = try TransferWorld(8, size: Self.size, seed: seed)
        for node in 1..<8 { office.fetch(by: node) }
        #expect(try office.world.run(until: { try (1..<8).allSatisfy { try office.isDone($0) } }, within: 60_000))
        let copies = Double(office.sentBytes[0]) / Double(Self.size)
        #expect(copies <= 1.5, "\(office.sentBytes), seed \(seed)")
        #expect(office.breaches.isEmpty && office.violations.isEmpty)
    }

    @Test func whatIsHereIsNotFetchedAgainAfterALinkIsCut() throws {
        let office = try TransferWorld(size: Self.size)
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.cutAll()
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 60_000))
        #expect(office.sentBytes[0] <= Self.size + Limits.pieceWindow * Limits.pieceBytes + Limits.chunkBytes * 32)
    }

    @Test(arguments: [0, 1])
    func whatIsHereIsNotFetchedAgainAfterARestart(node: Int) throws {
        let office = try TransferWorld(size: Self.size)
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.crash(node)
        office.world.run(for: 10_000)
        office.world.start(node)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 120_000))
        #expect(office.sentBytes[0] <= Self.size + Limits.pieceWindow * Limits.pieceBytes + Limits.chunkBytes * 32)
    }

    /// The author leaves for ever when one member has the file.
    @Test func aMemberServesWhatItHas() throws {
        let office = try TransferWorld(3, size: Self.size)
        office.fetch(by: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
        office.world.stop(0)
        office.world.run(for: 5_000)
        office.fetch(by: 2)
        #expect(try office.world.run(until: { try office.isDone(2) }, within: 30_000))
        #expect(office.sentBytes[1] == Self.size)
    }

    @Test func aPausedFileRestsUntilItGoesOn() throws {
        let office = try TransferWorld(size: Self.size)
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.give(.pauseFile(office.mention.file), to: 1)
        office.world.run(for: 2_000)
        let sent = office.sentBytes[0]
        office.world.run(for: 60_000)
        #expect(office.sentBytes[0] == sent)
        #expect(try office.view(of: 1)?.record.state == .paused)
        #expect(try office.view(of: 1)?.bytes ?? 0 > 0)
        #expect(try office.views(of: 0).uploads.first?.trouble == .stopped)
        office.world.give(.resumeFile(office.mention.file), to: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
        #expect(office.breaches.isEmpty, "what was asked for before the pause may still come")
        office.world.run(for: 1_000)
        #expect(try office.views(of: 0).uploads.first?.trouble == nil)
    }

    /// It is paused and goes on at many moments, and pieces that are on their way cross both.
    @Test func aPauseAtAnyMomentIsNoBreach() throws {
        let office = try TransferWorld(size: Self.size)
        office.fetch(by: 1)
        for moment in 1...40 {
            office.world.run(for: Int64(moment % 7))
            office.world.give(.pauseFile(office.mention.file), to: 1)
            office.world.run(for: Int64(moment % 5))
            office.world.give(.resumeFile(office.mention.file), to: 1)
        }
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 60_000))
        #expect(office.breaches.isEmpty)
    }

    @Test func aCancelledFileIsRemoved() throws {
        let office = try TransferWorld(size: Self.size)
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.give(.cancelFile(office.mention.file), to: 1)
        office.world.run(for: 5_000)
        #expect(office.world.nodes[1].shelf.count(of: office.mention.file) == 0)
        #expect(try office.view(of: 1)?.record.state == .cancelled)
        office.fetch(by: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
    }

    @Test func aFullDiskIsToldToBothSides() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.nodes[1].shelf.room = 1_000
        office.fetch(by: 1)
        office.world.run(for: 5_000)
        let needed = UInt64(Self.size)
        #expect(try office.view(of: 1)?.record.state == .failed(.full(needed: needed, free: 1_000)))
        #expect(office.frames[1].compactMap(\.asFileStop).map(\.reason) == [.noRoom])
        #expect(try office.views(of: 0).uploads.first?.trouble == .noRoom)
        office.world.nodes[1].shelf.room = nil
        office.world.give(.retryFile(office.mention.file), to: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
    }

    /// Whoever watches a file learns at once that nobody sends it any more, and that somebody does again.
    @Test func aFileThatNobodySendsIsToldToWait() throws {
        let office = try TransferWorld(size: Self.size)
        let node = office.world.nodes[1]
        func told() -> TransferView? {
            node.notices.compactMap { if case .transfer(let view) = $0 { view } else { nil } }.last
        }
        office.world.network.slowest = 200
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.run(for: 1_000)
        #expect(try told()?.waits == false && !office.isDone(1))
        office.world.stop(0)
        office.world.run(for: 1_000)
        #expect(told()?.waits == true && told()?.rate == 0)
        #expect(try office.view(of: 1)?.waits == true)
        office.world.start(0)
        #expect(try office.world.run(until: { told()?.waits == false }, within: 30_000) && !office.isDone(1))
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 60_000))
    }

    /// So is one that everybody lacks who is linked, also each time they are asked again.
    @Test func aFileThatEverybodyLacksIsToldToWait() throws {
        let office = try TransferWorld(3, size: Self.size)
        let node = office.world.nodes[2]
        office.world.stop(0)
        office.world.run(for: 1_000)
        office.fetch(by: 2)
        office.world.run(for: 5_000)
        let told = { node.notices.compactMap { if case .transfer(let view) = $0 { view.waits } else { nil } } }
        #expect(try told().last == true && office.view(of: 2)?.waits == true)
        let count = told().count
        office.world.run(for: 10 * Limits.fileAskAgainMilliseconds)
        #expect(told().dropFirst(count).allSatisfy { $0 }, "\(told())")
        office.world.start(0)
        #expect(try office.world.run(until: { try office.isDone(2) }, within: 60_000))
    }

    /// The disk has no room for the row that says so either.
    @Test func aFullDiskIsSaidThoughTheStoreIsFullToo() throws {
        let office = try TransferWorld(size: Self.size)
        let node = office.world.nodes[1]
        func told() -> TransferView? {
            node.notices.compactMap { if case .transfer(let view) = $0 { view } else { nil } }.last
        }
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        (node.shelf.room, node.trouble.room) = (1_000, 0)
        office.world.run(for: 20_000)
        let view = try #require(told())
        #expect(view.record.hasFailed && view.rate == 0 && view.sources.isEmpty, "\(view)")
        #expect(try office.view(of: 1)?.record.hasFailed == true)
        // Nobody sends for nothing.
        let sent = office.sentBytes[0]
        office.world.run(for: 60_000)
        #expect(office.sentBytes[0] == sent && told()?.record.hasFailed == true)
        // It is written once there is room, and is there after a start.
        (node.shelf.room, node.trouble.room) = (nil, nil)
        office.world.run(for: 60_000)
        office.world.crash(1)
        office.world.start(1)
        office.world.run(for: 10_000)
        #expect(try office.view(of: 1)?.record.hasFailed == true)
        office.world.give(.retryFile(office.mention.file), to: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 60_000))
    }

    @Test func filesThatWaitHaveTheirTurn() throws {
        let office = try TransferWorld(size: 100)
        let mentions = try (0..<(Limits.filesAtOnce + 40)).map { try office.addFile(size: 100, seed: UInt64($0) + 9) }
        for mention in mentions { office.world.give(.fetch(office.group, mention), to: 1) }
        let shelf = { office.world.nodes[1].shelf.whole }
        #expect(office.world.run(until: { mentions.allSatisfy { shelf()[$0.file] != nil } }, within: 60_000))
        #expect(office.breaches.isEmpty)
    }
}
