import ParlanceRandom
import Testing

@testable import ParlanceNetwork

@Suite struct PacketGuardTests {
    private func accepts(_ packet: [UInt8]) -> Bool { packet.withUnsafeBytes { PacketGuard.accepts($0) } }

    private func name(_ text: String) -> [UInt8] {
        text.split(separator: ".").flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) } + [0]
    }

    private func record(_ type: UInt8, _ data: [UInt8]) -> [UInt8] {
        name("_parlance._tcp.local") + [0, type, 0x80, 1, 0, 0, 0, 120, 0, UInt8(data.count)] + data
    }

    /// One question and the given answers, authorities and additional records.
    private func packet(_ sections: [[UInt8]]...) -> [UInt8] {
        [0, 0, 0x84, 0, 0, 1] + sections.flatMap { [0, UInt8($0.count)] } + name("_parlance._tcp.local") + [
            0, 12, 0, 1,
        ]
            + sections.flatMap { $0 }.flatMap { $0 }
    }

    private var pointer: [UInt8] { [0xc0, 12] }

    @Test func letsOrdinaryPacketsThrough() {
        let records = [
            record(12, pointer), record(33, [0, 0, 0, 0, 18, 139] + pointer), record(16, [3, 118, 61, 49]),
        ]
        #expect(accepts(packet(records, [], [record(1, [10, 0, 0, 1]), record(47, []), record(28, [])])))
        #expect(accepts(packet([], [], [])))
    }

    @Test(arguments: [UInt8(5), 39])
    func takesAliasesAwayWhereverTheyAre(type: UInt8) {
        let alias = record(type, pointer)
        let good = record(12, pointer)
        #expect(!accepts(packet([alias], [], [])))
        #expect(!accepts(packet([good], [alias], [good])))
        #expect(!accepts(packet([good], [], [good, alias])))
    }

    @Test func takesEveryTruncatedPacketAway() {
        let whole = packet([record(12, pointer), record(16, [3, 118, 61, 49])], [], [record(1, [10, 0, 0, 1])])
        #expect(accepts(whole))
        for length in 0..<whole.count { #expect(!accepts(Array(whole.prefix(length))), "\(length) bytes") }
    }

    @Test func takesTooLargeAndMalformedOnesAway() {
        #expect(!accepts([UInt8](repeating: 0, count: PacketGuard.maximumBytes + 1)))
        #expect(!accepts([0, 0, 0x84, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0x40, 0, 0, 12, 0, 1]), "a reserved kind of label")
        #expect(!accepts([0, 0, 0x84, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), "counts without records")
    }

    @Test func survivesAnyBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let good = packet([record(12, pointer), record(16, [3, 118, 61, 49])], [], [record(1, [10, 0, 0, 1])])
        var accepted = 0
        for _ in 0..<20_000 {
            var bytes = Bool.random(using: &random) ? good : random.bytes(upTo: 200)
            for _ in 0..<Int.random(in: 0...3, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if accepts(bytes) { accepted += 1 }
        }
        #expect(accepted > 0 && accepted < 20_000, "seed \(seed)")
    }
}
