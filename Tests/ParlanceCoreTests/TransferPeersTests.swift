import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Peers that lie, stall, leave or may not have a file.
@Suite struct TransferPeersTests {
    private static let size = 4_000_000

    /// Two members have the file, and one of them is bad in some way.
    private func twoHolders(_ change: (inout SimulatedShelf) -> Void) throws -> TransferWorld {
        let office = try TransferWorld(3, size: Self.size)
        _ = try office.addFile(size: Self.size, seed: 1, on: 1)
        change(&office.world.nodes[1].shelf)
        return office
    }

    @Test func aLyingSourceIsDroppedAndTheFileComesFromAnother() throws {
        let office = try twoHolders { $0.lies = true }
        office.fetch(by: 2)
        #expect(try office.world.run(until: { try office.isDone(2) }, within: 30_000))
        // What it was asked for before the first chunk was found wrong, and nothing later.
        #expect(office.sentBytes[1] <= Limits.pieceWindow * Limits.pieceBytes + 8 * Limits.chunkBytes)
        #expect(office.frames[2].compactMap(\.asFileStop).contains { $0.reason == .enough })
        #expect(office.breaches.isEmpty)
    }

    @Test func aStallingSourceIsDroppedAndTheFileComesFromAnother() throws {
        let office = try twoHolders { $0.stalls = true }
        office.fetch(by: 2)
        #expect(try office.world.run(until: { try office.isDone(2) }, within: 60_000))
        #expect(office.sentBytes[1] == 0)
    }

    @Test func whoStalledIsAskedAgainLater() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.nodes[0].shelf.stalls = true
        office.fetch(by: 1)
        office.world.run(for: Limits.fileStallMilliseconds + 5_000)
        office.world.nodes[0].shelf.stalls = false
        office.world.run(for: Limits.fileStalledMilliseconds - 10_000)
        #expect(office.sentBytes[0] == 0)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
    }

    @Test func afterThreeTriesTheUserDecides() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.nodes[0].shelf.stalls = true
        office.fetch(by: 1)
        office.world.run(for: Limits.fileStallMilliseconds + 5_000)
        #expect(try office.view(of: 1)?.record.tries == 1)
        #expect(try office.view(of: 1)?.record.state == .wanted)
        office.world.run(for: Limits.fileFirstPauseMilliseconds + Limits.fileStallMilliseconds)
        #expect(try office.view(of: 1)?.record.tries == 2)
        office.world.run(for: Limits.fileSecondPauseMilliseconds + 2 * Limits.fileStallMilliseconds)
        #expect(try office.view(of: 1)?.record.tries == Limits.fileTries)
        #expect(try office.view(of: 1)?.record.state == .failed(.peers))
        office.world.nodes[0].shelf.stalls = false
        let sent = office.sentBytes[0]
        office.world.run(for: 600_000)
        #expect(office.sentBytes[0] == sent, "it is not fetched by itself any more")
        office.world.cutAll()
        office.world.run(for: 60_000)
        office.world.give(.retryFile(office.mention.file), to: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 120_000))
        #expect(office.breaches.isEmpty)
    }

    @Test func whoHasNothingIsAskedAgain() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.nodes[0].named = [:]
        office.fetch(by: 1)
        office.world.run(for: 5_000)
        #expect(office.frames[0].compactMap(\.asFileStop).map(\.reason) == [.notHeld])
        #expect(try office.view(of: 1)?.record.tries == 0)
        office.world.nodes[0].named = [office.group: [office.mention.file]]
        #expect(
            try office.world.run(until: { try office.isDone(1) }, within: Limits.fileAskAgainMilliseconds + 10_000)
        )
        #expect(office.frames[1].compactMap(\.asFileAsk).count <= 3)
    }

    /// The message was deleted, and the file is sent once more.
    @Test func whoNamesAFileOnceMoreIsAskedAtOnce() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.nodes[0].named = [:]
        office.fetch(by: 1)
        office.world.run(for: 5_000)
        #expect(office.frames[0].compactMap(\.asFileStop).map(\.reason) == [.notHeld])
        office.world.nodes[0].named = [office.group: [office.mention.file]]
        office.world.give(.send(who: "Crew", text: "once more", files: [office.mention]), to: 0)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: Limits.fileAskAgainMilliseconds / 4))
    }

    @Test func whatNoMessageNamesAnyMoreIsNotAskedFor() throws {
        let office = try TransferWorld(size: Self.size)
        office.world.nodes[1].named = [:]
        office.fetch(by: 1)
        office.world.run(for: 5_000)
        #expect(try office.view(of: 1)?.record.state == .cancelled)
        #expect(office.frames[1].isEmpty)
        // Somebody sends it once more.
        office.world.nodes[1].named = [office.group: [office.mention.file]]
        office.fetch(by: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 30_000))
    }

    /// The message is deleted while the file is fetched.
    @Test func aDeletedMessageEndsItsFile() throws {
        let office = try TransferWorld(size: 100_000_000)
        office.world.network.slowest = 400
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        for node in office.world.nodes { node.named = [:] }
        office.world.run(for: Limits.fileCheckMilliseconds + 5_000)
        let sent = office.sentBytes[0]
        #expect(office.frames[0].compactMap(\.asFileStop).contains { $0.reason == .notHeld })
        office.world.run(for: 30_000)
        #expect(office.sentBytes[0] == sent)
        #expect(!office.isWhole(1))
    }

    @Test func aRemovedMemberGetsNoMore() throws {
        let office = try TransferWorld(3, size: 40_000_000)
        office.world.network.slowest = 200
        office.fetch(by: 2)
        #expect(office.runUntilPart(at: 2))
        office.world.give(.changeGroup(who: "Crew", .remove(["node2"])), to: 0)
        office.world.run(for: 3_000)
        let sent = office.sentBytes[0]
        office.world.run(for: 120_000)
        #expect(office.sentBytes[0] == sent)
        #expect(!office.isWhole(2))
    }

    /// The message of a liar names a file that others have, with another size.
    @Test func aFalseSizeHarmsNobodyElse() throws {
        let office = try TransferWorld(size: Self.size)
        for size in [UInt64(Self.size) + 1, 100_000_000, 70_000] {
            var mention = office.mention
            mention.size = size
            office.world.give(.fetch(office.group, mention), to: 1)
            office.world.run(for: 5_000)
            #expect(!office.isWhole(1))
        }
        #expect(office.breaches.isEmpty)
        office.world.cutAll()
        office.world.run(for: 10_000)
        office.fetch(by: 1)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 60_000))
    }

    @Test func aLinkIsAskedForMoreWhileItIsQuick() throws {
        let most = { (slowest: Int64) in
            let office = try TransferWorld(size: 20_000_000)
            office.world.network.slowest = slowest
            office.world.run(for: Limits.talkMilliseconds)
            office.fetch(by: 1)
            return try office.mostPiecesAsked(by: 1, within: 30_000)
        }
        #expect(try most(3) == Limits.pieceWindow)
        #expect(try most(400) <= 8 * Limits.leastPieceWindow)
    }

    @Test(arguments: [Command.send(who: "Crew", text: "over here"), .typing(who: "Crew")], [0, 1])
    func aFileMakesRoomForMessages(_ command: Command, by writer: Int) throws {
        let office = try TransferWorld(size: Self.size)
        let later = try office.addFile(size: Self.size, seed: 2)
        office.world.network.slowest = 3
        office.world.run(for: Limits.talkMilliseconds)
        office.world.give(command, to: writer)
        office.world.run(for: 100)
        office.fetch(by: 1)
        #expect(try office.mostPiecesAsked(by: 1, within: 30_000) == Limits.leastPieceWindow)
        #expect(try office.isDone(1))
        office.world.run(for: Limits.talkMilliseconds)
        office.world.give(.fetch(office.group, later), to: 1)
        #expect(try office.mostPiecesAsked(of: later, by: 1, within: 30_000) == Limits.pieceWindow)
    }

    /// A file with chunks larger than what is put together at once, and a source that never ends a chunk.
    @Test func chunksInMemoryAreBounded() throws {
        let office = try TransferWorld(3, size: 30_000_000)
        _ = try office.addFile(size: 30_000_000, seed: 1, on: 1)
        office.fetch(by: 2)
        #expect(try office.world.run(until: { try office.isDone(2) }, within: 60_000))
        #expect(office.mostAssembled > 0)
        #expect(office.mostAssembled <= Limits.assemblyBytes)
    }
}
