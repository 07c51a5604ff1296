/// Turns a text into tokens of a BERT model with an uncased vocabulary (WordPiece; Schuster and Nakajima, 2012).
package struct WordPieceTokenizer: Sendable {
    /// A longer word is unknown (`max_input_chars_per_word` of the model's tokenizer.json).
    private static let longestWord = 100

    private let vocabulary: Vocabulary
    private let unknown: Int32
    private let first: Int32
    private let last: Int32

    /// Reads the bytes of a vocab.txt. Throws `malformedVocabulary`.
    package init(vocabulary bytes: [UInt8]) throws(ModelError) {
        vocabulary = try Vocabulary(bytes: bytes)
        unknown = try Self.special("[UNK]", vocabulary)
        first = try Self.special("[CLS]", vocabulary)
        last = try Self.special("[SEP]", vocabulary)
    }

    private static func special(_ word: String, _ vocabulary: Vocabulary) throws(ModelError) -> Int32 {
        guard let token = vocabulary.token(word) else { throw .malformedVocabulary(reason: "\(word) is missing") }
        return token
    }

    /// The tokens of a text, from [CLS] to [SEP], at most `limit` (at least 2) with both. The rest of a longer text is
    /// left out. A text that holds the characters "[SEP]" is no special token. The time grows with the text's length.
    package func tokens(of text: String, limit: Int = MiniLM.longest) -> [Int32] {
        var tokens = [first]
        BertNormalizer.forEachWord(of: text) { word, characterCount in
            tokens += characterCount > Self.longestWord ? [unknown] : pieces(of: word)
            return tokens.count < limit
        }
        return tokens.prefix(limit - 1) + [last]
    }

    /// From the start, the longest piece each time; a word of which a part has no piece is unknown as a whole.
    private func pieces(of word: [UInt8]) -> [Int32] {
        var pieces: [Int32] = []
        var start = 0
        while start < word.count {
            guard let piece = vocabulary.longestPiece(of: word, from: start) else { return [unknown] }
            pieces.append(piece.token)
            start = piece.end
        }
        return pieces
    }
}
