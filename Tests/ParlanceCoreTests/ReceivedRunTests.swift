import Foundation
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What is read of a run before anything in it is verified.
@Suite struct ReceivedRunTests {
    private var bob: RemotePeer
    private let ada: PeerID
    private var conversation: ConversationID { bob.conversation(with: ada) }

    init() throws {
        bob = try RemotePeer()
        ada = try EngineBench.peer(1)
        for number in 1...4 { bob.write("text \(number)", to: ada) }
    }

    private func wire(_ events: some Sequence<StoredEvent>) -> WireEvents {
        var wire = WireEvents()
        wire.events = events.map(\.wire)
        return wire
    }

    @Test func anEventIsDecodedAndHashedAsItWasWritten() throws {
        let written = try #require(bob.log.first)
        let received = ReceivedEvent(written.wire)
        #expect(received.id == written.id)
        #expect(received.header == written.header)
        #expect(received.body == written.body)
        #expect(received == ReceivedEvent(written))
        #expect(received.bare.header == written.wire.header)
        #expect(!received.bare.hasBody)
    }

    @Test func theFirstHeaderNamesTheLog() throws {
        let run = try #require(ReceivedRun(wire(bob.log), of: conversation))
        #expect(run.named == bob.logID)
        #expect(run.place == .unsaid)
        #expect(run.events.map(\.id) == bob.log.map(\.id))
        #expect(ReceivedRun(WireEvents(), of: conversation) == nil)
    }

    @Test func onlyTheFirstHeaderHasToBeReadable() throws {
        var garbled = wire(bob.log)
        garbled.events[1].header = Data([1, 2, 3])
        let run = try #require(ReceivedRun(garbled, of: conversation))
        #expect(run.events[1].header == nil)
        garbled.events[0].header = Data()
        #expect(ReceivedRun(garbled, of: conversation) == nil)
    }

    @Test func aPeerMaySayInWhichLogItKeepsARun() throws {
        var placed = wire(bob.log)
        placed.log = bob.logID.wire
        #expect(ReceivedRun(placed, of: conversation)?.place == .log(bob.logID))
        placed.log.author = Data([1])
        #expect(ReceivedRun(placed, of: conversation)?.place == .malformed)
    }

    @Test func aRunPartsAfterASequenceNumber() throws {
        let run = try #require(ReceivedRun(wire(bob.log), of: conversation))
        let parts = try #require(run.parted(after: 3))
        #expect(parts.common.events.map(\.id) == bob.log[..<3].map(\.id))
        #expect(parts.beyond.events.map(\.id) == bob.log[3...].map(\.id))
        #expect(parts.beyond.named == bob.logID)
        #expect(run.parted(after: 4) == nil, "nothing is beyond it")
        #expect(run.parted(after: 0) == nil, "nothing is before it")
    }
}
