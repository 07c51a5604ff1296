/// The text of a configuration file by lines: it finds where a setting is, and changes one setting without touching
/// anything else.
///
/// It knows only the forms that people write, keys at the beginnings of lines. Whoever changes a file checks the result
/// with the reader of YAML (`SettingsFile`).
struct SettingsText {
    private var lines: [String]

    init(_ text: String) {
        lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    }

    var text: String { lines.joined(separator: "\n") }

    /// Whether it has more than comments; YAML does not treat comments alone as a mapping.
    var saysSomething: Bool { !lines.allSatisfy(Self.isCommentOrBlank) }

    /// The number of the line, from 1, at which a key begins, as it is spelled in the file.
    func line(of spelled: String) -> Int? {
        lines.firstIndex { Self.key(of: $0) == spelled }.map { $0 + 1 }
    }

    /// The characters of a line, as Unicode counts them; none if there is no such line.
    func scalars(of number: Int) -> Substring.UnicodeScalarView {
        lines.indices.contains(number - 1) ? lines[number - 1][...].unicodeScalars : Substring().unicodeScalars
    }

    /// The number of the last line before another one that has more than a comment.
    func lineWithText(before number: Int) -> Int? {
        lines.prefix(number - 1).lastIndex { !Self.isCommentOrBlank($0) }.map { $0 + 1 }
    }

    /// Puts a value in place of the present one, or at the end.
    ///
    /// - Parameter value: the value in YAML, on one line; nil removes the setting, so that its default holds.
    mutating func set(_ key: SettingKey, _ value: String?) {
        guard let start = lines.firstIndex(where: { Self.key(of: $0).flatMap { SettingKey(spelled: $0) } == key })
        else {
            if let value { append("\(key.rawValue): \(value)") }
            return
        }
        let old = lines[start]
        let end = valueEnd(after: start)
        let comments = lines[(start + 1)..<end].filter(Self.isCommentOrBlank)
        let changed = value.map { value in
            let comment = Self.comment(of: old).map { "  \($0)" } ?? ""
            return "\(Self.key(of: old) ?? key.rawValue): \(value)\(comment)" + (old.hasSuffix("\r") ? "\r" : "")
        }
        lines.replaceSubrange(start..<end, with: (changed.map { [$0] } ?? []) + comments)
    }

    private mutating func append(_ line: String) {
        while lines.last?.isEmpty == true { lines.removeLast() }
        lines += [line, ""]
    }

    /// The index after the last line of the value that begins at `start`: a value goes on in indented lines, in the items
    /// of a list, and to the bracket that closes it.
    private func valueEnd(after start: Int) -> Int {
        var end = start + 1
        for index in end..<lines.count where !Self.isCommentOrBlank(lines[index]) {
            guard let first = lines[index].first, " \t-]}".contains(first), !lines[index].hasPrefix("---") else {
                break
            }
            end = index + 1
        }
        return end
    }

    private static func isCommentOrBlank(_ line: String) -> Bool {
        line.first { !$0.isWhitespace }.map { $0 == "#" } ?? true
    }

    /// The key at the beginning of a line, without its quotes.
    private static func key(of line: String) -> String? {
        guard let first = line.first, !first.isWhitespace, first != "#", first != "-",
            let colon = line.firstIndex(of: ":")
        else { return nil }
        let rest = line[line.index(after: colon)...]
        guard rest.isEmpty || rest.first?.isWhitespace == true else { return nil }
        var key = line[..<colon]
        while key.last?.isWhitespace == true { key.removeLast() }
        for quote in ["\"", "'"] where key.count >= 2 && key.hasPrefix(quote) && key.hasSuffix(quote) {
            key = key.dropFirst().dropLast()
        }
        return String(key)
    }

    /// The comment at the end of a line: a number sign after a space, outside quotes.
    private static func comment(of line: String) -> String? {
        var quote: Character?
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                if character == open, previous != "\\" || open == "'" { quote = nil }
            } else if character == "\"" || character == "'", " [,{:".contains(previous) {
                quote = character
            } else if character == "#", previous.isWhitespace {
                let text = line[index...]
                return String(text.last == "\r" ? text.dropLast() : text)
            }
            previous = character
        }
        return nil
    }
}

extension SettingKey {
    /// The value of this setting in YAML, on one line.
    func yaml(_ values: [String]) -> String {
        switch descriptor.form {
        case .list: "[" + values.map(Self.quoted).joined(separator: ", ") + "]"
        case .number, .flag: values.joined()
        case .text, .word: Self.isPlain(values.joined()) ? values.joined() : Self.quoted(values.joined())
        }
    }

    /// Words that mean something else than text in YAML.
    private static let reserved: Set<String> = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"]

    private static func isPlain(_ text: String) -> Bool {
        text.wholeMatch(of: /[A-Za-z][A-Za-z0-9_]*([ -][A-Za-z0-9_]+)*/) != nil && !reserved.contains(text.lowercased())
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: result += format(scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    /// `\x1B`
    private static func format(_ value: UInt32) -> String {
        "\\x" + (value < 0x10 ? "0" : "") + String(value, radix: 16, uppercase: true)
    }
}
