/// Cuts a text into tokens, once and in linear time.
///
/// Lines that start with ">" and blocks of code between "```" lines are left out.
struct Tokenizer {
    /// Numbers above this mean no day and no time. The bound keeps sums small.
    static let largestNumber = 1_000_000
    /// The folded text of a longer word is cut: no list holds such a word.
    private static let longestFolded = 48

    private let text: String
    private var tokens: [Token] = []
    private var hasSpace = true
    private var isInCode = false
    /// The bytes of the folded word that is being read.
    private var bytes: [UInt8] = []

    private init(_ text: String) {
        self.text = text
    }

    /// The tokens of a text.
    static func tokens(of text: String) -> [Token] {
        var tokenizer = Tokenizer(text)
        // A word has about five letters.
        tokenizer.tokens.reserveCapacity(text.utf8.count / 5 + 8)
        tokenizer.readLines()
        tokenizer.markQuotations()
        return tokenizer.tokens
    }

    private mutating func readLines() {
        let scalars = text.unicodeScalars
        var lineStart = scalars.startIndex
        while lineStart < scalars.endIndex {
            let lineEnd = scalars[lineStart...].firstIndex { $0 == "\n" || $0 == "\r" } ?? scalars.endIndex
            let line = scalars[lineStart..<lineEnd]
            let body = line.drop { $0 == " " || $0 == "\t" }
            if body.starts(with: "```".unicodeScalars) {
                isInCode.toggle()
            } else if !isInCode, body.first != ">" {
                hasSpace = true
                readLine(lineStart, lineEnd)
            }
            let next = lineEnd < scalars.endIndex ? scalars.index(after: lineEnd) : lineEnd
            append(.lineEnd, folded: "\n", from: lineEnd, to: next)
            lineStart = next
        }
    }

    private mutating func readLine(_ start: String.Index, _ end: String.Index) {
        let scalars = text.unicodeScalars
        var index = start
        while index < end {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            if Self.isSpace(scalar) {
                hasSpace = true
                index = next
            } else if Self.isDigit(scalar) {
                index = readNumber(index, end)
            } else if Self.isWordPart(scalar) {
                index = readWord(index, end)
            } else if scalar == "`", let behind = endOfCode(index, end) {
                append(.code, folded: "", from: index, to: behind)
                index = behind
            } else {
                append(.sign, folded: String(scalar), from: index, to: next)
                index = next
            }
        }
    }

    /// Where code ends that begins with one backtick: behind the next one of the line.
    private func endOfCode(_ start: String.Index, _ end: String.Index) -> String.Index? {
        let scalars = text.unicodeScalars
        let inside = scalars.index(after: start)
        guard let close = scalars[inside..<end].firstIndex(of: "`"), close > inside else { return nil }
        return scalars.index(after: close)
    }

    private mutating func readNumber(_ start: String.Index, _ end: String.Index) -> String.Index {
        let scalars = text.unicodeScalars
        var index = start
        var value = 0
        while index < end, Self.isDigit(scalars[index]) {
            value = min(value * 10 + Int(scalars[index].value) - 0x30, Self.largestNumber)
            index = scalars.index(after: index)
        }
        append(
            .number,
            folded: String(text[start..<index].prefix(Self.longestFolded)),
            from: start,
            to: index,
            number: value
        )
        return index
    }

    private mutating func readWord(_ start: String.Index, _ end: String.Index) -> String.Index {
        let scalars = text.unicodeScalars
        var index = start
        bytes.removeAll(keepingCapacity: true)
        while index < end {
            let scalar = scalars[index]
            let next = scalars.index(after: index)
            let isApostrophe = scalar == "'" || scalar == "\u{2019}" || scalar == "`"
            let isInside = isApostrophe && next < end && Self.isLetter(scalars[next])
            guard isInside || Self.isWordPart(scalar) else { break }
            if bytes.count < Self.longestFolded { Self.fold(isApostrophe ? "'" : scalar, into: &bytes) }
            index = next
        }
        let folded = String(decoding: bytes, as: UTF8.self)
        if folded == "http" || folded == "https" || folded == "www", index < end,
            scalars[index] == ":" || scalars[index] == "."
        {
            index = scalars[index..<end].firstIndex(where: Self.isSpace) ?? end
            append(.link, folded: "", from: start, to: index)
        } else {
            append(
                .word,
                folded: folded,
                from: start,
                to: index,
                isCapital: Self.isCapital(scalars[start])
            )
        }
        return index
    }

    private mutating func append(
        _ kind: Token.Kind,
        folded: String,
        from start: String.Index,
        to end: String.Index,
        isCapital: Bool = false,
        number: Int = -1
    ) {
        tokens.append(
            Token(
                kind: kind,
                folded: folded,
                range: start..<end,
                hasSpaceBefore: hasSpace,
                isCapital: isCapital,
                number: number,
                key: Token.key(of: folded)
            )
        )
        hasSpace = false
    }

    /// Marks what stands between two quotation marks of a line.
    private mutating func markQuotations() {
        let opening: Set<String> = ["\"", "\u{201E}", "\u{201C}", "\u{00AB}", "\u{00BB}"]
        let closing: Set<String> = ["\"", "\u{201C}", "\u{201D}", "\u{00AB}", "\u{00BB}"]
        var open: Int?
        for index in tokens.indices where tokens[index].kind != .word {
            let sign = tokens[index].folded
            if tokens[index].kind == .lineEnd {
                open = nil
            } else if let start = open, closing.contains(sign) {
                for inside in start...index { tokens[inside].isQuoted = true }
                open = nil
            } else if open == nil, opening.contains(sign) {
                open = index
            }
        }
    }

    /// The folded form of a word, as tokens have it.
    static func folded(_ word: String) -> String {
        var bytes: [UInt8] = []
        for scalar in word.unicodeScalars { fold(scalar, into: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func fold(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) {
        if scalar.isASCII {
            let isCapital = scalar.value >= 0x41 && scalar.value <= 0x5A
            bytes.append(UInt8(truncatingIfNeeded: isCapital ? scalar.value + 0x20 : scalar.value))
            return
        }
        switch scalar {
        case "ä", "Ä": bytes += [0x61, 0x65]
        case "ö", "Ö": bytes += [0x6F, 0x65]
        case "ü", "Ü": bytes += [0x75, 0x65]
        case "ß", "\u{1E9E}": bytes += [0x73, 0x73]
        case "\u{0308}": bytes.append(0x65)
        default:
            if scalar.properties.generalCategory != .nonspacingMark {
                bytes += Array(scalar.properties.lowercaseMapping.utf8)
            }
        }
    }

    private static func isCapital(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII ? scalar.value >= 0x41 && scalar.value <= 0x5A : scalar.properties.isUppercase
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value >= 0x30 && scalar.value <= 0x39
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII {
            let small = scalar.value | 0x20
            return small >= 0x61 && small <= 0x7A
        }
        return scalar.properties.isAlphabetic
    }

    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isLetter(scalar) || isDigit(scalar) || scalar == "_" }
        return scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || (!scalar.isASCII && scalar.properties.isWhitespace)
    }
}
