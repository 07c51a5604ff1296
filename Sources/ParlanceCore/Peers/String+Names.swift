import ParlanceWire

extension String {
    /// Whether characters in it steer a terminal rather than say something.
    package var hasControlCharacters: Bool {
        unicodeScalars.contains { $0.properties.generalCategory == .control }
    }

    /// The text without control and format characters, so that what a stranger sends cannot steer a screen or turn the
    /// direction of what stands beside it. The joiner that holds emoji together stays.
    package var withoutControlCharacters: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.filter { scalar in
                    let category = scalar.properties.generalCategory
                    return (category != .control && category != .format) || scalar == "\u{200D}"
                }
            )
        )
    }

    /// What keeps it from being a name, to stand behind "A name"; `nil` if nothing does.
    package var faultAsName: String? {
        if hasControlCharacters { return "holds no control characters" }
        let shown = withoutControlCharacters
        guard !shown.isBlank, shown.utf8.count <= Limits.nameBytes else {
            return "has 1 to \(Limits.nameBytes) bytes and something to read"
        }
        return nil
    }
}
