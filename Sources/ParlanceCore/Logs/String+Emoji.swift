extension String {
    /// Whether the text is exactly one emoji: one character that people see as a picture (Unicode Technical Standard 51).
    ///
    /// Only what this node writes is held to this rule; events of others follow `isEmoji`, the rule of the protocol.
    package var isOneEmoji: Bool {
        guard count == 1, let first = unicodeScalars.first else { return false }
        // Digits and signs of ASCII are emoji only as keycaps, which end with U+20E3.
        if first.isASCII { return first.properties.isEmoji && unicodeScalars.last?.value == 0x20E3 }
        return first.properties.isEmoji
    }
}
