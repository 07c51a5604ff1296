/// A set of small integers, as a bit set. Each set may have room for other integers; those beyond are not in it.
struct PlaceSet: Sendable {
    private var words: [UInt64]

    /// - Parameter count: the upper bound; every member that is inserted is smaller.
    init(count: Int) {
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    func contains(_ place: Int) -> Bool { word(place / 64) & (1 << UInt64(place % 64)) != 0 }

    mutating func insert(_ place: Int) { words[place / 64] |= 1 << UInt64(place % 64) }

    mutating func formUnion(_ other: PlaceSet) {
        if words.count < other.words.count {
            words += [UInt64](repeating: 0, count: other.words.count - words.count)
        }
        for index in other.words.indices { words[index] |= other.words[index] }
    }

    var isEmpty: Bool { words.allSatisfy { $0 == 0 } }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// Removes what is in another set.
    mutating func subtract(_ other: PlaceSet) {
        for index in words.indices { words[index] &= ~other.word(index) }
    }

    func isSuperset(of other: PlaceSet) -> Bool {
        other.words.indices.allSatisfy { other.words[$0] & ~word($0) == 0 }
    }

    /// The members that are not in another set, ascending.
    func subtracting(_ other: PlaceSet) -> [Int] {
        var found: [Int] = []
        for index in words.indices {
            var rest = words[index] & ~other.word(index)
            while rest != 0 {
                found.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return found
    }

    private func word(_ index: Int) -> UInt64 { index < words.count ? words[index] : 0 }
}
