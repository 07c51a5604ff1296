import CParlanceKernel
import ParlanceRandom
import Testing

@testable import ParlanceAssistant

@Suite struct Int8VectorTests {
    private static func unit(_ random: inout SplitMix) -> [Float] {
        let floats = (0..<384).map { _ in Float.random(in: -1...1, using: &random) }
        let length = floats.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return floats.map { $0 / length }
    }

    @Test func itHas388Bytes() throws {
        var random = SplitMix.printingSeed()
        let vector = Int8Vector(Self.unit(&random))
        #expect(vector.bytes.count == 388)
        #expect(try #require(Int8Vector(bytes: vector.bytes)) == vector)
        #expect(Int8Vector(bytes: vector.bytes.dropLast()) == nil)
        #expect(Int8Vector(bytes: vector.bytes[..<386] + [0xC0, 0x7F]) == nil)
        #expect(Int8Vector(bytes: vector.bytes[..<387] + [0xBF]) == nil)
    }

    @Test func itsDotIsNearThatOfFloats() {
        var random = SplitMix.printingSeed()
        for _ in 0..<50 {
            let a = Self.unit(&random)
            let b = Bool.random(using: &random) ? a : Self.unit(&random)
            let expected = zip(a, b).reduce(0) { $0 + $1.0 * $1.1 }
            #expect(abs(Int8Vector(a).dot(Int8Vector(b)) - expected) < 0.002)
        }
    }

    @Test func oddNumbersMakeItZero() {
        var floats = [Float](repeating: 1, count: 384)
        floats[7] = .nan
        #expect(Int8Vector(floats) == Int8Vector([Float](repeating: 0, count: 384)))
    }

    @Test func bothKernelsGiveTheSameDot() {
        var random = SplitMix.printingSeed()
        for count in [0, 1, 31, 32, 33, 384] {
            let a = [Int8](repeating: -128, count: count)
            let b = (0..<count).map { _ in Int8.random(in: -128...127, using: &random) }
            for (x, y) in [(a, a), (a, b), (b, b)] {
                let expected = zip(x, y).reduce(0) { $0 + Int32($1.0) * Int32($1.1) }
                #expect(parlance_dot_int8(Kernel.plain.choice, x, y, count) == expected)
                #expect(parlance_dot_int8(Kernel.best.choice, x, y, count) == expected)
            }
        }
    }

    @Test func aScanFindsTheBestRows() {
        var random = SplitMix.printingSeed()
        let query = Int8Vector(Self.unit(&random))
        var vectors = (0..<2500).map { _ in Int8Vector(Self.unit(&random)) }
        vectors[2100] = query
        vectors[17] = query
        let bytes = vectors.flatMap(\.bytes) + [1, 2, 3]
        let expected = vectors.map { query.dot($0) }.enumerated()
            .sorted { ($1.element, $0.offset) < ($0.element, $1.offset) }
        let found = bytes.withUnsafeBytes { VectorScan.best(10, for: query, in: $0) }
        #expect(found.map(\.row) == expected.prefix(10).map(\.offset))
        #expect(found.prefix(2).map(\.row) == [17, 2100])
        #expect(abs(found[0].score - 1) < 0.01)
    }

    @Test func aScanOfOddBytesDoesNoHarm() {
        var random = SplitMix.printingSeed()
        let query = Int8Vector(Self.unit(&random))
        let bytes = random.bytes(388 * 300) + query.bytes[..<384] + [0, 0, 0xC0, 0x7F]
        bytes.withUnsafeBytes { bytes in
            let found = VectorScan.best(1000, for: query, in: bytes)
            #expect(found.allSatisfy { $0.score.isFinite && $0.row < 300 })
            #expect(VectorScan.best(0, for: query, in: bytes) == [])
            #expect(VectorScan.best(5, for: query, in: UnsafeRawBufferPointer(rebasing: bytes[..<387])) == [])
        }
        #expect(VectorScan.best(5, for: query, in: UnsafeRawBufferPointer(start: nil, count: 0)) == [])
    }
}
