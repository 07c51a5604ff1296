/// A set of small numbers, as bits.
struct PlaceSet: Sendable {
    private var words: [UInt64]

    /// - Parameter count: all numbers in it are smaller.
    init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    func contains(_ place: Int) -> Bool { words[place / 64] & (1 << UInt64(place % 64)) != 0 }

    mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

    mutating func formUnion(_ other: PlaceSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    func isSuperset(of other: PlaceSet) -> Bool {
        words.indices.allSatisfy { other.words[$0] & ~words[$0] == 0 }
    }

    /// Those that are not in another, ascending.
    func subtracting(_ other: PlaceSet) -> [Int] {
        var found: [Int] = []
        for index in words.indices {
            var rest = words[index] & ~other.words[index]
            while rest != 0 {
                found.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return found
    }
}
