import ParlanceCore
import ParlanceWire
import Testing

/// Sets of chunks against the sets of the standard library, and the choice of the rarest.
@Suite struct ChunkSetTests {
    private static func sets(_ random: inout SeededGenerator) -> (ChunkSet, Set<Int>) {
        let total = Int(random.below(300))
        var (set, model) = (ChunkSet(total: total), Set<Int>())
        for _ in 0..<random.below(400) {
            let chunk = Int(random.below(340)) - 20
            if random.below(3) == 0 {
                #expect(set.remove(chunk) == (model.remove(chunk) != nil))
            } else if (0..<total).contains(chunk) {
                #expect(set.insert(chunk) == model.insert(chunk).inserted)
            } else {
                #expect(set.insert(chunk) == false)
            }
        }
        return (set, model)
    }

    @Test func aSetIsWhatWasPutIntoIt() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let (set, model) = Self.sets(&random)
            let all = Set(0..<set.total)
            #expect(set.chunks == model.sorted() && set.count == model.count)
            #expect(set.isEmpty == model.isEmpty && set.isComplete == (model == all))
            #expect(set.missing.chunks == all.subtracting(model).sorted() && set.missing.missing == set)
            #expect(set.ranges.flatMap(Array.init) == model.sorted())
            #expect(zip(set.ranges, set.ranges.dropFirst()).allSatisfy { $0.upperBound < $1.lowerBound })
            #expect(try ChunkSet(set.bytes, total: set.total) == set && set.bytes.count == (set.total + 7) / 8)
            #expect((-5..<(set.total + 5)).filter(set.contains) == model.sorted())
            let (other, others) = Self.sets(&random)
            let fits = other.total == set.total
            #expect(set.intersection(other).chunks == (fits ? model.intersection(others).sorted() : []))
            #expect(set.subtracting(other).chunks == (fits ? model.subtracting(others).sorted() : model.sorted()))
        }
        #expect(ChunkSet(all: 130).chunks == Array(0..<130) && ChunkSet(all: 0).isComplete)
        #expect(ChunkSet(total: .min).bytes == [] && ChunkSet(all: .max).count == Limits.chunks)
    }

    @Test func setsOfTheSameFileMeet() throws {
        var (even, three) = (ChunkSet(total: 200), ChunkSet(total: 200))
        for chunk in stride(from: 0, to: 200, by: 2) { even.insert(chunk) }
        for chunk in stride(from: 0, to: 200, by: 3) { three.insert(chunk) }
        #expect(even.intersection(three).chunks == Array(stride(from: 0, to: 200, by: 6)))
        #expect(even.subtracting(three).count == 100 - 34)
    }

    @Test func bytesThatAreNoSetAreRefused() {
        #expect(throws: FileFault.wrongLength) { try ChunkSet([], total: 1) }
        #expect(throws: FileFault.wrongLength) { try ChunkSet([0, 0], total: 8) }
        #expect(throws: FileFault.malformed) { try ChunkSet([0xFF], total: 7) }
        #expect(throws: FileFault.malformed) { try ChunkSet([UInt8](repeating: 0, count: 8) + [1], total: 65) }
        #expect(throws: FileFault.wrongLength) { try ChunkSet([1], total: -8) }
    }

    @Test func theRarestChunkComesFirst() {
        var rarity = ChunkRarity(total: 4)
        let all = ChunkSet(all: 4)
        var some = ChunkSet(total: 4)
        for chunk in [0, 1, 3] { some.insert(chunk) }
        rarity.add(all)
        rarity.add(some)
        for tie in 0..<20 as Range<UInt64> { #expect(rarity.rarest(of: all, tie: tie) == 2) }
        // Among equals the number decides, each time in the same way, and every one has its turn.
        let chosen = (0..<200 as Range<UInt64>).map { rarity.rarest(of: some, tie: $0) }
        #expect(chosen == (0..<200 as Range<UInt64>).map { rarity.rarest(of: some, tie: $0) })
        #expect(Set(chosen) == [0, 1, 3])
        rarity.add(2)
        rarity.add(2)
        #expect((0..<4).map(rarity.holders) == [2, 2, 3, 2] && rarity.rarest(of: all, tie: 1) != 2)
        rarity.remove(all)
        rarity.remove(all)
        #expect((0..<4).map(rarity.holders) == [0, 0, 1, 0])
        rarity.remove(all)
        #expect((0..<4).map(rarity.holders) == [0, 0, 0, 0], "a set that was never added makes nothing negative")
    }

    @Test func setsOfAnotherFileCountForNothing() {
        var rarity = ChunkRarity(total: 4)
        rarity.add(ChunkSet(all: 5))
        rarity.remove(ChunkSet(all: 3))
        rarity.add(4)
        rarity.add(-1)
        #expect(rarity == ChunkRarity(total: 4) && rarity.holders(of: 4) == 0 && rarity.holders(of: -1) == 0)
        #expect(
            rarity.rarest(of: ChunkSet(all: 5), tie: 0) == nil && rarity.rarest(of: ChunkSet(total: 4), tie: 0) == nil
        )
    }
}
