/// The words of a vocab.txt: one a line, and the number of the line, from 0, is the token.
struct Vocabulary: Sendable {
    /// Ours has 231,508 bytes and 30,522 words.
    private static let largest = 4 << 20
    private static let mostWords = 1 << 17

    /// What stands before a piece that does not start a word.
    private static let continuation: [UInt8] = [0x23, 0x23]

    /// All words, one after the other.
    private let bytes: [UInt8]
    /// Where each word starts, and where the last one ends.
    private let starts: [Int32]
    /// The tokens by the hash of their words, -1 where there is none; at least half of it is free.
    private let table: [Int32]
    private let longest: Int

    /// Throws `malformedVocabulary`.
    init(bytes file: [UInt8]) throws(ModelError) {
        guard file.count <= Self.largest else { throw .malformedVocabulary(reason: "larger than 4 MiB") }
        var lines = file.split(separator: 0x0A, omittingEmptySubsequences: false)
        if lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty, lines.count <= Self.mostWords else {
            throw .malformedVocabulary(reason: "\(lines.count) words")
        }
        var table = [Int32](repeating: -1, count: Self.tableSize(for: lines.count))
        var bytes: [UInt8] = []
        var starts: [Int32] = [0]
        bytes.reserveCapacity(file.count)
        starts.reserveCapacity(lines.count + 1)
        for (token, line) in lines.enumerated() {
            let word = line.last == 0x0D ? line.dropLast() : line
            guard !word.isEmpty else { throw .malformedVocabulary(reason: "line \(token + 1) is empty") }
            var slot = Hash(of: word).slot(in: table)
            while table[slot] >= 0 {
                let other = Int(table[slot])
                guard bytes[Int(starts[other])..<Int(starts[other + 1])] != word else {
                    throw .malformedVocabulary(reason: "line \(token + 1) repeats line \(other + 1)")
                }
                slot = (slot + 1) & (table.count - 1)
            }
            table[slot] = Int32(token)
            bytes += word
            starts.append(Int32(bytes.count))
        }
        self.bytes = bytes
        self.table = table
        longest = zip(starts, starts.dropFirst()).reduce(0) { max($0, Int($1.1 - $1.0)) }
        self.starts = starts
    }

    private static func tableSize(for count: Int) -> Int {
        var size = 2
        while size < 2 * count { size *= 2 }
        return size
    }

    /// The token of a whole word.
    func token(_ word: String) -> Int32? {
        let word = Array(word.utf8)
        return token(word[...], hash: Hash(of: word), isContinuation: false)
    }

    /// The longest piece that the vocabulary has at `start` of a word in UTF-8, and where it ends.
    func longestPiece(of word: [UInt8], from start: Int) -> (token: Int32, end: Int)? {
        let isContinuation = start > 0
        var hash = isContinuation ? Hash(of: Self.continuation) : Hash()
        var found: (token: Int32, end: Int)?
        for index in start..<min(word.count, start + longest) {
            hash.add(word[index])
            let end = index + 1
            // Only between two characters.
            guard end == word.count || word[end] & 0xC0 != 0x80 else { continue }
            if let token = token(word[start..<end], hash: hash, isContinuation: isContinuation) { found = (token, end) }
        }
        return found
    }

    private func token(_ piece: ArraySlice<UInt8>, hash: Hash, isContinuation: Bool) -> Int32? {
        var slot = hash.slot(in: table)
        while table[slot] >= 0 {
            let token = Int(table[slot])
            var word = bytes[Int(starts[token])..<Int(starts[token + 1])]
            if !isContinuation || word.starts(with: Self.continuation) {
                if isContinuation { word = word.dropFirst(Self.continuation.count) }
                if word == piece { return table[slot] }
            }
            slot = (slot + 1) & (table.count - 1)
        }
        return nil
    }

    /// FNV-1a of 64 bits (http://www.isthe.com/chongo/tech/comp/fnv): the hash of a longer piece comes of the shorter.
    private struct Hash {
        private var state: UInt64 = 0xCBF2_9CE4_8422_2325

        init() {}

        init(of bytes: some Sequence<UInt8>) {
            for byte in bytes { add(byte) }
        }

        mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

        func slot(in table: [Int32]) -> Int { Int(truncatingIfNeeded: state ^ state >> 32) & (table.count - 1) }
    }
}
