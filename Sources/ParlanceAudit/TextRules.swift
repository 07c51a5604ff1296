import ParlanceWire

/// What the specification says of texts.
enum TextRules {
    static func isBlank(_ text: String) -> Bool { text.unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    static func hasControls(_ text: String) -> Bool {
        text.unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// A title (groups.md, "Creation").
    static func isTitle(_ text: String) -> Bool {
        !isBlank(text) && text.utf8.count <= Limits.titleBytes && !hasControls(text)
    }

    /// The whole characters at the beginning of a text that fit into some bytes.
    static func beginning(of text: String, bytes limit: Int) -> String {
        var cut = text
        while cut.utf8.count > limit { cut.removeLast() }
        return cut
    }
}
