/// A set of small integers, as a bit set.
struct PlaceSet: Sendable {
    private var words: [UInt64]

    /// - Parameter count: the upper bound; every member is smaller.
    init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    func contains(_ place: Int) -> Bool { words[place / 64] & (1 << UInt64(place % 64)) != 0 }

    mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

    mutating func formUnion(_ other: PlaceSet) {
        for index in words.indices { words[index] |= other.words[index] }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Removes what is in another set.
    mutating func subtract(_ other: PlaceSet) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    func isSuperset(of other: PlaceSet) -> Bool {
        words.indices.allSatisfy { other.words[$0] & ~words[$0] == 0 }
    }

    /// The members that are not in another set, ascending.
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
