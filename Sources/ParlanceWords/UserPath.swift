/// A path as the system has it: bytes, which need not be text. What a user named is opened under exactly these bytes.
package struct UserPath: Hashable, Sendable {
    package let bytes: [UInt8]

    package init(bytes: some Sequence<UInt8>) {
        self.bytes = Array(bytes)
    }

    package init(_ text: String) {
        bytes = Array(text.utf8)
    }

    /// For people, and for JSON; what is not UTF-8 becomes U+FFFD.
    package var shown: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether `shown` is the path.
    package var isText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// As the calls of the system take it.
    package var system: [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

    package static func + (path: UserPath, suffix: String) -> UserPath {
        UserPath(bytes: path.bytes + Array(suffix.utf8))
    }

    /// A name in this folder.
    package func appending(_ name: UserPath) -> UserPath {
        UserPath(bytes: bytes + (bytes.last == Self.slash ? [] : [Self.slash]) + name.bytes)
    }

    /// The path without slashes at its end; the root stays.
    package var withoutSlashes: UserPath {
        var bytes = bytes[...]
        while bytes.count > 1, bytes.last == Self.slash { bytes.removeLast() }
        return UserPath(bytes: bytes)
    }

    /// What stands before the last slash, `/` for the root and `.` if there is none, and what stands behind it.
    package var parts: (folder: UserPath, name: UserPath) {
        guard let slash = bytes.lastIndex(of: Self.slash) else { return (".", self) }
        let folder = slash == 0 ? "/" : UserPath(bytes: bytes[..<slash])
        return (folder, UserPath(bytes: bytes[(slash + 1)...]))
    }

    private static let slash = UInt8(ascii: "/")
}

extension UserPath: ExpressibleByStringInterpolation {
    package init(stringLiteral text: String) {
        self.init(text)
    }
}
