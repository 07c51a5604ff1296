/// Words as people use them: a few very often, most seldom. The same run gives the same words.
struct Vocabulary {
    private let words: [[UInt8]]
    private var state: UInt64 = 1

    /// Words that are known.
    static let size = 20_000

    init() {
        // Syllables, so that words have parts in common.
        let (first, last) = (Array("bdfgklmnprstvw".utf8), Array("aeiou".utf8))
        words = (0..<Self.size).map { number in
            var (word, rest) = ([UInt8](), number + 1)
            while rest > 0 {
                word += [first[rest % first.count], last[rest / first.count % last.count]]
                rest /= first.count * last.count
            }
            return word
        }
    }

    /// The word of a rank, from 0; the lower the rank, the more often it comes.
    func word(_ rank: Int) -> String { String(decoding: words[rank], as: UTF8.self) }

    mutating func next() -> [UInt8] {
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        // A power of a uniform number: the first words come in every second message, the last in one of ten thousand.
        let uniform = Double(mixed >> 11) / Double(1 << 53)
        return words[min(Self.size - 1, Int(Double(Self.size) * uniform * uniform * uniform))]
    }
}
