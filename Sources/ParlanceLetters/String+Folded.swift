extension String {
    /// The text as search compares it: in lower case, without accents, and with the letters that look alike to people as
    /// one (`Zoë Ångström` is `zoe angstrom`). Spaces and punctuation stay.
    package var folded: String {
        var folded: [UInt8] = []
        for scalar in unicodeScalars where SearchLetter(scalar) != .ignored { folded += SearchLetter.folded(scalar) }
        return String(decoding: folded, as: UTF8.self)
    }
}
