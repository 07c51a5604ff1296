import ParlanceErrorCode
package import ParlanceWords

/// The bytes of an argument as a text, from which they can be had back: parsers of command lines take nothing but text.
///
/// A byte that is not UTF-8 becomes two code points that no text may hold (noncharacters): U+FDD0 to U+FDDF for its upper
/// half, U+FDE0 to U+FDEF for its lower one. The same happens to the bytes of these code points themselves.
package enum ArgumentText {
    private static let upper: ClosedRange<UInt32> = 0xFDD0...0xFDDF
    private static let lower: ClosedRange<UInt32> = 0xFDE0...0xFDEF

    package static func text(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self), !isMarked(text) { return text }
        var result = ""
        var rest = Array(bytes)[...]
        while let first = rest.first {
            let length = length(of: rest)
            let scalar = length.flatMap { String(validating: rest.prefix($0), as: UTF8.self)?.unicodeScalars.first }
            if let scalar, let length, !isMark(scalar) {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst(length)
            } else {
                result.unicodeScalars.append(mark(upper.lowerBound + UInt32(first >> 4)))
                result.unicodeScalars.append(mark(lower.lowerBound + UInt32(first & 15)))
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// The bytes of which `text` made this.
    package static func bytes(_ text: String) -> [UInt8] {
        guard isMarked(text) else { return Array(text.utf8) }
        var result: [UInt8] = []
        var half: UInt32 = 0
        for scalar in text.unicodeScalars {
            if upper.contains(scalar.value) {
                half = scalar.value - upper.lowerBound
            } else if lower.contains(scalar.value) {
                result.append(UInt8(half << 4 | (scalar.value - lower.lowerBound)))
            } else {
                result += Array(String(scalar).utf8)
            }
        }
        return result
    }

    /// Whether the argument was not UTF-8.
    package static func isMarked(_ text: String) -> Bool { text.unicodeScalars.contains(where: isMark) }

    /// For people: a byte that is not UTF-8 as `\xFC`.
    package static func shown(_ text: String) -> String {
        guard isMarked(text) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case upper: result += "\\x" + String(scalar.value - upper.lowerBound, radix: 16, uppercase: true)
            case lower: result += String(scalar.value - lower.lowerBound, radix: 16, uppercase: true)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Refuses what a command took for text and is none. Only paths may be bytes, and a command keeps those as `UserPath`.
    ///
    /// - Parameters:
    ///   - command: a command with its arguments, which was parsed.
    ///   - words: the words from which it was.
    package static func check(_ command: Any, of words: [String]) throws(ControlFailure) {
        guard words.contains(where: isMarked) else { return }
        try check(command)
    }

    static func check(_ command: Any) throws(ControlFailure) {
        guard let (name, text) = marked(in: command, "") else { return }
        if let option = places[name] {
            throw ControlFailure(
                code: ErrorCode.invalidValue.rawValue,
                message: """
                    The path \(VisibleText.line(shown(text))) of \(option) is not valid UTF-8. The message store, hooks and JSON \
                    take no other name.
                    """,
                advice: "Nothing was done. Give the file or folder another name, or name another one."
            )
        }
        throw ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: Phrase("The argument \(VisibleText.line(shown(text))) is not valid UTF-8."),
            advice: Phrase("Nothing was done. Convert it, for example with iconv.")
        )
    }

    /// The paths that cannot be bytes, by the names of the properties that keep them: the library of the message store takes
    /// its file's name as a text, hooks are told where the socket is, and all of them stand in JSON.
    private static let places = ["dataDir": "--data-dir", "socket": "--socket", "config": "--config"]

    /// - Parameter name: that of the property in which the value is.
    private static func marked(in value: Any, _ name: String) -> (name: String, text: String)? {
        if let text = value as? String { return isMarked(text) ? (name, text) : nil }
        for child in Mirror(reflecting: value).children {
            // The value of a property with a wrapper stands somewhere in the wrapper, whose name begins with "_".
            let label = child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 } ?? ""
            if let found = marked(in: child.value, places[label] == nil ? name : label) { return found }
        }
        return nil
    }

    private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
        upper.contains(scalar.value) || lower.contains(scalar.value)
    }

    private static func mark(_ value: UInt32) -> Unicode.Scalar { Unicode.Scalar(value) ?? "\u{FFFD}" }

    /// How many bytes a code point has that begins so; `nil` if none does.
    private static func length(of bytes: ArraySlice<UInt8>) -> Int? {
        switch bytes.first ?? 0 {
        case 0..<0x80: 1
        case 0xC2...0xDF: 2
        case 0xE0...0xEF: 3
        case 0xF0...0xF4: 4
        default: nil
        }
    }
}

extension UserPath {
    /// - Parameter argument: in the form of `ArgumentText`; an empty one is no path.
    package init?(argument: String) {
        guard !argument.isEmpty else { return nil }
        self.init(bytes: ArgumentText.bytes(argument))
    }

    /// In the form of `ArgumentText`.
    package var argument: String { ArgumentText.text(bytes) }
}
