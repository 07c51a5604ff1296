import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Runs of a log as they come from a peer. Single cases are in `protocol/vectors/events/runs.json`; the limits, and
/// cases with too many bytes for a file, are here.
@Suite struct RunVerifierTests {
    private var remote: RemotePeer
    private let ada: PeerID

    init() throws {
        remote = try RemotePeer()
        ada = try EngineBench.peer(1)
    }

    private func verify(_ run: [WireEvent], after held: LogPosition = .start) throws -> [StoredEvent] {
        let received = run.map { ReceivedEvent($0) }
        return try RunVerifier.verify(received, of: remote.logID, in: remote.conversation(with: ada), after: held)
    }

    /// A log with the given number of events, of which only the last is signed.
    private mutating func tail(of count: Int, text: String = "x") -> [StoredEvent] {
        (1...count).map { remote.write(text, to: ada, isHead: $0 == count) }
    }

    @Test mutating func aRunIsTakenAsItWasWritten() throws {
        let events = tail(of: 5)
        #expect(try verify(events.map(\.wire)) == events)
        #expect(try verify(events.map(\.wire), after: events[2].position) == Array(events[3...]))
        #expect(try verify([]) == [])
    }

    @Test mutating func oneSignatureMayStandForSixtyFourEvents() throws {
        let events = tail(of: Limits.eventsPerHead)
        #expect(try verify(events.map(\.wire)).count == Limits.eventsPerHead)
    }

    @Test mutating func andNotForMore() throws {
        let events = tail(of: Limits.eventsPerHead + 1)
        #expect(throws: RunVerifier.Failure.self) { try verify(events.map(\.wire)) }
        let first = events[0].position
        #expect(
            try verify(events.map(\.wire), after: first).count == Limits.eventsPerHead,
            "what is held does not count"
        )
    }

    @Test mutating func norForTooManyBytes() throws {
        let text = String(repeating: "x", count: Limits.textBytes - 1_000)
        let four = tail(of: 4, text: text)
        #expect(try verify(four.map(\.wire)).count == 4)
        let more = (1...5).map { remote.write(text, to: ada, isHead: $0 == 5) }
        #expect(throws: RunVerifier.Failure.self) { try verify(more.map(\.wire), after: four[3].position) }
    }

    @Test mutating func anybodyElsesSignatureIsNone() throws {
        var event = remote.write("x", to: ada).wire
        event.signature = Data(HeadSeal.sign(remote.log[0].id, with: try EngineBench.key(3)))
        #expect(throws: RunVerifier.Failure.breach(.eventSignature)) { try verify([event]) }
    }

    @Test mutating func everyBitOfAnEventCounts() throws {
        let event = remote.write("hello", to: ada).wire
        for bit in 0..<(event.header.count * 8) {
            var changed = event
            changed.header[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: RunVerifier.Failure.self, "header bit \(bit)") { try verify([changed]) }
        }
        for bit in 0..<(event.body.count * 8) {
            var changed = event
            changed.body[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: RunVerifier.Failure.self, "body bit \(bit)") { try verify([changed]) }
        }
        for bit in 0..<(event.signature.count * 8) {
            var changed = event
            changed.signature[bit / 8] ^= 1 << (bit % 8)
            #expect(throws: RunVerifier.Failure.breach(.eventSignature), "signature bit \(bit)") {
                try verify([changed])
            }
        }
    }

    @Test mutating func aRunOfAnotherConversationIsRefused() throws {
        let elsewhere = try EngineBench.peer(3)
        let event = remote.write("x", to: elsewhere).wire
        #expect(throws: RunVerifier.Failure.breach(.eventLog)) { try verify([event]) }
    }

    @Test mutating func twiceTheSameEventIsAGap() throws {
        let event = remote.write("x", to: ada).wire
        #expect(throws: RunVerifier.Failure.gap) { try verify([event, event]) }
        #expect(try verify([event, event], after: remote.log[0].position) == [])
    }
}
