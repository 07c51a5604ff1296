/// A word, a number or a sign of a text.
struct Token: Sendable {
    enum Kind: Sendable {
        /// Letters, with digits, apostrophes and underscores inside.
        case word
        /// Digits only.
        case number
        /// An address of a page. It is never matched.
        case link
        /// Text between backticks, including them. It never matches a rule.
        case code
        /// Any other single character.
        case sign
        /// The end of a line.
        case lineEnd
    }

    let kind: Kind
    /// The text in small letters, with ä as ae, ö as oe, ü as ue and ß as ss.
    let folded: String
    /// Where the token stands in the text.
    let range: Range<String.Index>
    /// Whether white space or the start of a line stands before the token.
    let hasSpaceBefore: Bool
    /// Whether the first letter is a capital.
    let isCapital: Bool
    /// The value of a number. Large numbers stop at `Tokenizer.largestNumber`.
    let number: Int
    /// Whether the token stands between quotation marks.
    var isQuoted = false
    /// A small number made of the folded text, for a fast look at lists.
    let key: UInt16

    /// There are this many keys: enough to tell the few hundred words of a list apart.
    static let keys = 8192

    /// The key of a folded text.
    static func key(of folded: String) -> UInt16 {
        var hash: UInt32 = 2_166_136_261
        for byte in folded.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return UInt16((hash ^ (hash >> 15)) % UInt32(keys))
    }
}
