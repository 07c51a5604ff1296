import ParlanceWire

/// The name of a file as people see it (files.md, "Names").
package struct PlainFileName {
    package let text: String

    package init(_ name: String) {
        var name = Self.trimmed(String(String.UnicodeScalarView(Self.visible(Array(name.unicodeScalars)))))
        let dots = name.unicodeScalars.prefix { $0 == "." }.count
        name = String(repeating: "_", count: dots) + String(name.unicodeScalars.dropFirst(dots))
        let cut = Self.cut(name, to: Limits.fileNameBytes)
        if Self.isDevice(name) || Self.isDevice(cut) {
            name = "_" + Self.cut(name, to: Limits.fileNameBytes - 1)
        } else {
            name = cut
        }
        let isEmpty = name.unicodeScalars.allSatisfy {
            $0.properties.isWhitespace || $0.properties.isDefaultIgnorableCodePoint
        }
        text = isEmpty ? "file" : name
    }

    /// Step 2.
    private static func visible(_ all: [Unicode.Scalar]) -> [Unicode.Scalar] {
        var kept: [Unicode.Scalar] = []
        // Whether the scalar before this one was a black flag, or a tag that stayed.
        var isInFlag = false
        for (index, scalar) in all.enumerated() {
            let isTag = (0xE0020...0xE007F).contains(scalar.value)
            let wasInFlag = isInFlag
            isInFlag = scalar.value == 0x1F3F4 || wasInFlag && isTag
            switch scalar.value {
            case 0x0A where index > 0 && all[index - 1].value == 0x0D: break
            case 0x09...0x0D, 0x85, 0x2028, 0x2029: kept.append(" ")
            case 0x200C, 0x200D:
                if let last = kept.last, !last.isASCII, last.value != 0x200C, last.value != 0x200D {
                    kept.append(scalar)
                }
            case 0xE0020...0xE007F where wasInFlag: kept.append(scalar)
            case 0xFFF9...0xFFFB, 0x2800, 0x3164, 0xFFA0, 0xFDD0...0xFDEF: break
            case let value where value & 0xFFFF >= 0xFFFE: break
            default:
                let (category, isIgnorable) = (
                    scalar.properties.generalCategory, scalar.properties.isDefaultIgnorableCodePoint
                )
                if category == .control || category == .format && isIgnorable { continue }
                kept.append("/\\<>:\"|?*".unicodeScalars.contains(scalar) ? "_" : scalar)
            }
        }
        return kept
    }

    /// Without dots and white space at its end.
    private static func trimmed(_ name: String) -> String {
        var scalars = Array(name.unicodeScalars)
        while let last = scalars.last, last == "." || last.properties.isWhitespace { scalars.removeLast() }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Step 4.
    private static func cut(_ name: String, to limit: Int) -> String {
        guard name.utf8.count > limit else { return name }
        let scalars = Array(name.unicodeScalars)
        var (stem, suffix) = (name, "")
        if let dot = scalars.lastIndex(of: "."), dot > 0 {
            let end = String(String.UnicodeScalarView(scalars[dot...]))
            if end.utf8.count <= 33 { (stem, suffix) = (String(String.UnicodeScalarView(scalars[..<dot])), end) }
        }
        let room = limit - suffix.utf8.count
        var short = TextRules.beginning(of: stem, bytes: room)
        if short.isEmpty {
            var scalars = Array(stem.unicodeScalars)
            while scalars.reduce(0, { $0 + UTF8.width($1) }) > room { scalars.removeLast() }
            short = String(String.UnicodeScalarView(scalars))
        }
        return trimmed(short + suffix)
    }

    /// Step 5.
    private static func isDevice(_ name: String) -> Bool {
        let first = trimmed(String(name.unicodeScalars.prefix { $0 != "." })).uppercased()
        let numbered = ["COM", "LPT"].flatMap { device in "0123456789¹²³".map { "\(device)\($0)" } }
        return (["CON", "PRN", "AUX", "NUL", "CLOCK$", "CONIN$", "CONOUT$"] + numbered).contains(first)
    }
}
