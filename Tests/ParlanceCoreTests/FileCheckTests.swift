import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceTestKit

/// What the checker of simulations says of a file that the first of two nodes gives to the second.
@Suite struct FileCheckTests {
    private let office: TransferWorld
    private let giving: Effect

    init() throws {
        office = try TransferWorld(size: 100_000)
        var piece = WireFilePiece()
        piece.file = Data(office.mention.file.bytes)
        var frame = WireFrame()
        frame.kind = .filePiece(piece)
        let links = office.world.pipes.filter { link, pipe in
            pipe.ends.contains { $0.node == 0 && $0.link == link }
        }
        giving = .send(try #require(links.keys.min()), frame)
    }

    /// - Returns: a checker that knows where the file was named, and what the store of the first node says now.
    private func checker(isNamed: Bool = true) -> Checker {
        let checker = Checker(office.world, garbler: nil, hostile: [])
        checker.filePlaces[office.mention.file] = [office.group]
        checker.checkFile(.readMention(ReadID(1), office.group, office.mention.file), 0)
        checker.noteMention(ReadID(1), isNamed, 0)
        return checker
    }

    /// No message names the file any more. That one did when the store was asked counts for about a minute.
    @Test func whatTheStoreSaidCountsForAWhile() {
        let named = checker()
        named.checkFile(giving, 0)
        #expect(named.violation == nil)
        office.world.run(for: 50_000)
        named.checkFile(giving, 0)
        #expect(named.violation == nil)
        office.world.run(for: 20_000)
        named.checkFile(giving, 0)
        #expect(named.violation?.contains("no message names") == true)
        let unnamed = checker(isNamed: false)
        unnamed.checkFile(giving, 0)
        #expect(unnamed.violation?.contains("no message names") == true)
    }

    @Test func whoIsAMemberAgainMayHaveAFileBeforeThatIsDurable() {
        office.world.give(.changeGroup(who: "Crew", .remove(["node1"])), to: 0)
        office.world.run(for: 5_000)
        let outside = checker()
        outside.checkFile(giving, 0)
        #expect(outside.violation?.contains("in which node1 is not") == true)
        office.world.nodes[0].trouble.slowest = 1_000_000
        office.world.give(.changeGroup(who: "Crew", .add(["node1"])), to: 0)
        office.world.run(for: 50)
        #expect(office.world.nodes[0].engine?.isSettled == false)
        let back = checker()
        back.checkFile(giving, 0)
        #expect(back.violation == nil)
    }
}
