import ParlanceWire

/// The name of a file or folder that comes from somebody else, made safe to write to a disk and to a screen on any system
/// (files.md, "Names"). An ordinary name in any script stays as it is, and a safe name is safe already.
package struct SafeFileName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    package init(_ name: String) {
        let whole = Self.withVisibleDots(Self.withoutDotsAndSpacesAtItsEnd(Self.visible(name)))
        var cut = Self.cut(whole, to: Limits.fileNameBytes)
        // A cut can leave nothing to show, or the name of a device.
        if Self.isDevice(whole) || Self.isDevice(cut) { cut = "_" + Self.cut(whole, to: Limits.fileNameBytes - 1) }
        text = Self.showsNothing(cut) ? Self.fallback : cut
    }

    /// Reads bytes that may not be UTF-8: what is not becomes U+FFFD.
    package init(_ bytes: some Collection<UInt8>) {
        self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// For a name that has nothing to show.
    static let fallback = "file"

    package var description: String { text }

    /// What two names have in common that some file system takes for one: letter case and the composition of accents.
    package var folded: String { text.uppercased().lowercased() }

    /// The name before the last dot, and the dot with what follows. A dot at the beginning starts no extension, and what
    /// is longer than 32 bytes is none either.
    package var parts: (stem: String, suffix: String) { Self.parts(of: text) }

    private static func parts(of text: String) -> (stem: String, suffix: String) {
        let scalars = text.unicodeScalars
        guard let dot = scalars.lastIndex(of: "."), dot > scalars.startIndex else { return (text, "") }
        let suffix = String(scalars[dot...])
        return suffix.utf8.count > suffixBytes ? (text, "") : (String(scalars[..<dot]), suffix)
    }

    private static let suffixBytes = 33

    /// The same name with a number, as "name (2).ext". The stem is cut as for every number of up to five digits, so that the
    /// cut does not depend on the number.
    package func numbered(_ number: Int) -> SafeFileName {
        let (stem, suffix) = parts
        let mark = " (\(number))"
        let room = Limits.fileNameBytes - suffix.utf8.count - max(mark.utf8.count, " (99999)".utf8.count)
        return SafeFileName(Self.beginning(of: stem, room) + mark + suffix)
    }

    /// This name, or the first with a number that is not among `existing`, by `folded`.
    package func distinct(from existing: Set<SafeFileName>) -> SafeFileName {
        var names = FileNameSet()
        for name in existing { names.insert(name) }
        return names.insert(self)
    }

    // The steps.

    /// Without what separates paths, what Windows does not take, what steers a screen, and what nobody sees.
    private static func visible(_ name: String) -> String {
        var shown = String.UnicodeScalarView()
        var isFlag = false
        var previous: Unicode.Scalar?
        for scalar in name.unicodeScalars {
            defer { previous = scalar }
            isFlag = scalar.value == 0x1F3F4 || isFlag && isTag(scalar)
            if isBreak(scalar) {
                // A carriage return with a line feed is one break.
                if !(previous == "\r" && scalar == "\n") { shown.append(" ") }
            } else if forbidden.contains(scalar) {
                shown.append("_")
            } else if !isHidden(scalar) || isFlag && isTag(scalar) || joins(scalar, after: shown.last) {
                shown.append(scalar)
            }
        }
        return String(shown)
    }

    private static let forbidden = Set("/\\<>:\"|?*".unicodeScalars)

    /// Line feed, tabs, form feed, carriage return, next line, line and paragraph separator.
    private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }

    /// Controls, format characters (but those that have a shape of their own), noncharacters, and letters without a shape.
    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x3164, 0xFFA0, 0x2800, 0xFFF9...0xFFFB, 0xFDD0...0xFDEF: return true
        default: break
        }
        if scalar.value & 0xFFFE == 0xFFFE { return true }
        let properties = scalar.properties
        return switch properties.generalCategory {
        case .control: true
        case .format: properties.isDefaultIgnorableCodePoint
        default: false
        }
    }

    /// The joiner and non-joiner, which many scripts and emoji need behind a letter.
    private static func joins(_ scalar: Unicode.Scalar, after last: Unicode.Scalar?) -> Bool {
        guard scalar.value == 0x200C || scalar.value == 0x200D, let last else { return false }
        return !last.isASCII && last.value != 0x200C && last.value != 0x200D
    }

    /// The characters that make the flags of England, Scotland and Wales of a black flag.
    private static func isTag(_ scalar: Unicode.Scalar) -> Bool { (0xE0020...0xE007F).contains(scalar.value) }

    /// Windows drops them, so the name would mean another file.
    private static func withoutDotsAndSpacesAtItsEnd(_ name: String) -> String {
        var scalars = name.unicodeScalars
        while let last = scalars.last, last == "." || last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    /// A name that begins with a dot would be hidden.
    private static func withVisibleDots(_ name: String) -> String {
        let dots = name.unicodeScalars.prefix { $0 == "." }.count
        guard dots > 0 else { return name }
        return String(repeating: "_", count: dots) + String(name.unicodeScalars.dropFirst(dots))
    }

    private static func showsNothing(_ name: String) -> Bool {
        name.unicodeScalars.allSatisfy { $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint }
    }

    /// Whether Windows takes the name for a device: by what is before the first dot.
    private static func isDevice(_ name: String) -> Bool {
        let first = String(name.unicodeScalars.prefix { $0 != "." })
        let stem = withoutDotsAndSpacesAtItsEnd(first).uppercased()
        if devices.contains(stem) { return true }
        guard stem.hasPrefix("COM") || stem.hasPrefix("LPT"), stem.unicodeScalars.count == 4 else { return false }
        return stem.unicodeScalars.last.map { "0123456789¹²³".unicodeScalars.contains($0) } ?? false
    }

    private static let devices: Set = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", "CLOCK$"]

    /// At most `limit` bytes, with the extension kept.
    private static func cut(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        let (stem, suffix) = parts(of: name)
        return withoutDotsAndSpacesAtItsEnd(beginning(of: stem, limit - suffix.utf8.count) + suffix)
    }

    /// The longest beginning of whole characters in `limit` bytes; part of a character if not even one fits.
    private static func beginning(of text: String, _ limit: Int) -> String {
        guard text.utf8.count > limit else { return text }
        var (end, count) = (text.startIndex, 0)
        for index in text.indices {
            count += text[index].utf8.count
            if count > limit { break }
            end = text.index(after: index)
        }
        if end > text.startIndex { return String(text[..<end]) }
        var scalars = String.UnicodeScalarView()
        count = 0
        for scalar in text.unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { break }
            scalars.append(scalar)
        }
        return String(scalars)
    }
}
