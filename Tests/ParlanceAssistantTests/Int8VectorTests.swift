import CParlanceKernel
import ParlanceRandom
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct Int8VectorTests {
    private static func unit(_ random: inout SplitMix, _ dimensions: Int = 384) -> [Float] {
        let floats = (0..<dimensions).map { _ in Float.random(in: -1...1, using: &random) }
        let length = floats.reduce(0) { $0 + $1 * $1 }.squareRoot()
        return floats.map { $0 / length }
    }

    @Test func itHas388Bytes() throws {
        var random = SplitMix.printingSeed()
        let vector = Int8Vector(Self.unit(&random))
        #expect(vector.bytes.count == 388)
        #expect(try #require(Int8Vector(bytes: vector.bytes, dimensions: 384)) == vector)
        #expect(Int8Vector(bytes: vector.bytes, dimensions: 383) == nil)
        #expect(Int8Vector(bytes: vector.bytes.dropLast(), dimensions: 384) == nil)
        #expect(Int8Vector(bytes: vector.bytes[..<386] + [0xC0, 0x7F], dimensions: 384) == nil)
        #expect(Int8Vector(bytes: vector.bytes[..<387] + [0xBF], dimensions: 384) == nil)
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

    @Test func anyLengthIsBroughtToOne() {
        var random = SplitMix.printingSeed()
        let floats = Self.unit(&random, 100)
        for factor in [1e-30, 0.01, 1, 1e30] as [Float] {
            let vector = Int8Vector(anyLength: floats.map { $0 * factor })
            #expect(abs(vector.dot(Int8Vector(floats)) - 1) < 0.01)
        }
        #expect(Int8Vector(anyLength: [0, 0, 0]) == Int8Vector([0, 0, 0]))
    }

    @Test func bothKernelsGiveTheSameDot() {
        var random = SplitMix.printingSeed()
        for count in [0, 1, 31, 32, 33, 384, 1_000, 4_095, 4_096] {
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

    /// Models have embeddings of 384 to 4,096 numbers; none need be a multiple of 32.
    @Test(arguments: [1, 7, 31, 33, 100, 768, 1_023, 4_096])
    func aScanTakesVectorsOfAnyLength(dimensions: Int) {
        var random = SplitMix.printingSeed()
        let query = Int8Vector(Self.unit(&random, dimensions))
        var vectors = (0..<40).map { _ in Int8Vector(Self.unit(&random, dimensions)) }
        vectors[23] = query
        let bytes = vectors.flatMap(\.bytes)
        for kernel in [Kernel.plain, Kernel.best] {
            var scores = [Float](repeating: 0, count: vectors.count)
            parlance_scan_int8(kernel.choice, query.values, dimensions, bytes, vectors.count, &scores)
            #expect(scores.map { $0 * query.scale } == vectors.map { ($0.scale * Float(dot($0, query))) * query.scale })
        }
        let found = bytes.withUnsafeBytes { VectorScan.best(2, for: query, in: $0) }
        #expect(found.count == 2 && abs(found[0].score - 1) < 0.01)
    }

    private func dot(_ a: Int8Vector, _ b: Int8Vector) -> Int {
        zip(a.values, b.values).reduce(0) { $0 + Int($1.0) * Int($1.1) }
    }

    @Test func rowsOfAnotherLengthAreLeftOut() {
        var index = VectorIndex(of: "m", dimensions: 3)
        index.add("m1", in: "c", Int8Vector([1, 0, 0]).bytes)
        index.add("m2", in: "c", Int8Vector([1, 0]).bytes)
        index.add("m3", in: "c", [])
        index.add("m4", in: "c", Int8Vector([0, 1, 0]).bytes)
        #expect(index.places.map(\.message) == ["m1", "m4"])
        #expect(index.nearest(5, to: Int8Vector([0, 1, 0])).map(\.message) == ["m4", "m1"])
        #expect(index.cosine(of: "m4", to: Int8Vector([0, 1, 0])) ?? 0 > 0.99)
        #expect(index.nearest(5, to: Int8Vector([0, 1])).isEmpty)
        #expect(index.cosine(of: "m4", to: Int8Vector([0, 1])) == nil)
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
