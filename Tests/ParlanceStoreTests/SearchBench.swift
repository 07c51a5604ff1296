import Foundation
import ParlanceCore
import ParlanceStore
import ParlanceWire
import Testing

/// Times searches in a large store: `PARLANCE_SEARCH_BENCH=1000000 swift test -c release --filter SearchBench`. What the
/// whole program takes, `contrib/bench --only search` measures.
@Suite struct SearchBench {
    private static let messages = ProcessInfo.processInfo.environment["PARLANCE_SEARCH_BENCH"].flatMap { Int($0) } ?? 0

    @Test(.enabled(if: messages > 0)) func searchesAreTimed() throws {
        let clock = ContinuousClock()
        var random = SeededGenerator(seed: 441)
        var office = try Office(seed: 441)
        let words = (0..<20_000).map { String(UInt64($0 + 11) &* 2_654_435_761 % 100_000_007, radix: 32) }
        let usual = { (random: inout SeededGenerator) in
            let uniform = Double.random(in: 0..<1, using: &random)
            return words[Int(20_000 * uniform * uniform * uniform)]
        }
        var persisted = Duration.zero
        var indexed = Duration.zero
        var steps = 0
        for _ in 0..<(Self.messages / 1000) {
            var writer = office.theirs
            let events = (0..<1000).map { _ in
                writer.say((0..<12).map { _ in usual(&random) }.joined(separator: " "), signed: false)
            }
            office.theirs = writer
            persisted += try clock.measure { _ = try office.test.persist(events) }
            indexed += try clock.measure {
                while try office.test.store.searchStep() { steps += 1 }
            }
            try office.test.store.maintain()
        }
        let size = try FileManager.default.attributesOfItem(atPath: office.test.folder + "/store.sqlite")[.size] ?? 0
        print(
            "\(Self.messages) messages: persisted in \(persisted), indexed in \(indexed) with \(steps) steps, \(size) bytes"
        )
        let queries = [
            words[0], words[19_990], "\(words[0]) \(words[1]) \(words[2])", "\"\(words[0]) \(words[1])\"",
            "\(words[0].prefix(2))*", "*\(words[100].dropFirst())*", "\(words[0]) \(words[1]) nothing",
        ]
        for query in queries {
            var count = 0
            var times: [Duration] = []
            for _ in 0..<11 { times.append(try clock.measure { count = try office.test.store.search(query).count }) }
            let sorted = times.sorted()
            print("\(query): \(count) found, \(sorted[5]), at most \(sorted[10])")
        }
        #expect(try office.test.store.search(words[0]).count > 0)
    }
}
