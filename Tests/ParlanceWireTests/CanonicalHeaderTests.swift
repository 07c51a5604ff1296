import Foundation
import ParlanceRandom
import Testing

@testable import ParlanceWire

/// Compares the reader and the writer of canonical headers with the general coder: the reader either leaves the bytes to
/// the decoder or gives the same result, and the writer writes the same bytes as the encoder.
@Suite struct CanonicalHeaderTests {
    private static let seeds: [UInt64] = Array(1...200)

    @Test(arguments: seeds) func readsWhatIsWrittenHere(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let header = random.header()
        let bytes = header.encoded()
        // A time of 0 is not written at all.
        if header.time.raw != 0 { #expect(CanonicalHeader.read(bytes) == header, "seed \(seed)") }
        #expect(try EventHeader(inAnyLayout: bytes) == header, "seed \(seed)")
    }

    @Test(arguments: seeds) func writesWhatTheGeneralEncoderWrites(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var header = random.header()
        header.kind = EventKind(number: [0, 1, 11, 200, -1, 1 << 30].randomElement(using: &random) ?? 0)
        if Bool.random(using: &random) { header.target = random.reference() }
        header.dependencies = (0..<Int.random(in: 0...20, using: &random)).map { _ in random.reference() }
        #expect(header.encoded() == Self.encodedByTheGeneralEncoder(header), "seed \(seed)")
    }

    private static func encodedByTheGeneralEncoder(_ header: EventHeader) -> [UInt8] {
        var wire = WireEventHeader()
        wire.conversation = Data(header.conversation.bytes)
        wire.log = header.log.wire
        wire.sequence = header.sequence
        if let previous = header.previous { wire.previous = Data(previous.bytes) }
        wire.time = header.time.raw
        wire.dependencies = header.dependencies.map(\.wire)
        wire.kind = WireKind(rawValue: header.kind.number) ?? .unspecified
        wire.bodyHash = Data(header.bodyHash.bytes)
        if let target = header.target { wire.target = target.wire }
        wire.behind = header.behind
        return wire.encodedBytes()
    }

    /// Both decoders agree on bytes that were cut, changed, doubled or inserted.
    @Test(arguments: seeds) func neverContradictsTheGeneralDecoder(seed: UInt64) {
        var random = SplitMix(seed: seed)
        for _ in 0..<200 {
            let bytes = random.damaged(random.header().encoded())
            guard let header = CanonicalHeader.read(bytes) else { continue }
            #expect((try? EventHeader(inAnyLayout: bytes)) == header, "seed \(seed): \(bytes)")
        }
    }
}

extension SplitMix {
    fileprivate mutating func hash() -> Bytes32 { Bytes32(bytes(32)) ?? .zero }

    fileprivate mutating func log() -> LogID {
        guard let replica = ReplicaID(bytes(16)) else { preconditionFailure("16 bytes are a replica") }
        return LogID(author: PeerID(value: hash()), replica: replica)
    }

    fileprivate mutating func sequence() -> UInt64 {
        [1, 2, 127, 128, 300_000, Limits.sequence].randomElement(using: &self) ?? 1
    }

    fileprivate mutating func reference() -> EventReference {
        EventReference(log: log(), sequence: sequence(), id: EventID(value: hash()))
    }

    fileprivate mutating func header() -> EventHeader {
        let sequence = sequence()
        return EventHeader(
            conversation: ConversationID(value: hash()),
            log: log(),
            sequence: sequence,
            previous: sequence == 1 ? nil : EventID(value: hash()),
            time: EventTime(raw: [0, 1, .max, next()].randomElement(using: &self) ?? 0),
            dependencies: (0..<Int.random(in: 0...3, using: &self)).map { _ in reference() },
            kind: EventKind(number: Int.random(in: 1...12, using: &self)),
            bodyHash: hash(),
            // The reader leaves numbers of 10 bytes to the decoder.
            behind: [0, 0, 1, 300, 10_800_000, 1 << 62].randomElement(using: &self) ?? 0
        )
    }

    /// One to three small faults.
    fileprivate mutating func damaged(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &self) {
            guard let place = bytes.indices.randomElement(using: &self) else { break }
            switch Int.random(in: 0...4, using: &self) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &self)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &self), at: place)
            default: bytes += bytes[place...]
            }
        }
        return bytes
    }
}
