/// The TXT record of `_parlance._tcp`: how it is written, and how it is read from anybody on the network.
///
/// Keys are compared without case and the first of each counts (RFC 6763, 6.4); unknown keys are ignored, so that
/// later versions can add some; a record with a malformed value is ignored as a whole.
package struct ServiceText: Hashable {
    package var peerIDPrefix: String?
    package var workspaceTags: [UInt32]
    /// The port of a model server on the same computer, which others may use.
    package var modelPort: UInt16?

    /// The version of the record; records of another version are ignored.
    static let version = "1"
    /// Characters of a peer ID that are announced: enough to recognise a contact, too few to prove who it is.
    static let peerIDPrefixLength = 8
    /// Tags in a record: 16 take 145 of the 255 bytes one string may have; more are ignored.
    static let maximumTags = 16
    /// The most strings that are read: we write four, the rest is room for later versions.
    static let maximumStrings = 32
    /// The most bytes that are read (RFC 6763, 6.2, advises at most 1,300).
    static let maximumBytes = 1_300

    init(peerIDPrefix: String?, workspaceTags: [UInt32], modelPort: UInt16? = nil) {
        self.peerIDPrefix = peerIDPrefix
        self.workspaceTags = workspaceTags
        self.modelPort = modelPort
    }

    init(_ instance: ServiceInstance) {
        self.init(
            peerIDPrefix: instance.peerIDPrefix,
            workspaceTags: instance.workspaceTags,
            modelPort: instance.modelPort
        )
    }

    static func isPeerIDPrefix(_ bytes: [UInt8]) -> Bool {
        bytes.count == peerIDPrefixLength
            && bytes.allSatisfy {
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                    || (UInt8(ascii: "2")...UInt8(ascii: "7")).contains($0)
            }
    }
}

// MARK: - Writing

extension ServiceText {
    /// The strings of the record, as they are announced.
    var strings: [String] {
        let tags = workspaceTags.prefix(Self.maximumTags).map(Self.hex).joined(separator: ",")
        var strings = ["v=\(Self.version)"]
        if let peerIDPrefix { strings.append("id=\(peerIDPrefix)") }
        if !tags.isEmpty { strings.append("w=\(tags)") }
        if let modelPort { strings.append("m=\(modelPort)") }
        return strings
    }

    /// The data of the record: each string preceded by a byte with its length (RFC 1035, 3.3.14).
    package var wireBytes: [UInt8] {
        strings.flatMap { [UInt8(clamping: $0.utf8.count)] + Array($0.utf8.prefix(255)) }
    }

    private static func hex(_ tag: UInt32) -> String {
        let digits = String(tag, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }
}

// MARK: - Reading

extension ServiceText {
    /// Splits the data of a TXT record into its strings; `nil` if it is malformed or too large.
    package static func strings(_ wireBytes: [UInt8]) -> [[UInt8]]? {
        guard wireBytes.count <= maximumBytes else { return nil }
        var strings: [[UInt8]] = []
        var rest = wireBytes[...]
        while let length = rest.popFirst() {
            guard rest.count >= Int(length), strings.count < maximumStrings else { return nil }
            strings.append(Array(rest.prefix(Int(length))))
            rest = rest.dropFirst(Int(length))
        }
        return strings
    }

    /// Reads the strings of a TXT record; `nil` if they are malformed, too many, or of another version.
    package init?(strings: [[UInt8]]) {
        guard strings.count <= Self.maximumStrings else { return nil }
        var values: [String: [UInt8]] = [:]
        for string in strings {
            guard let separator = string.firstIndex(of: UInt8(ascii: "=")), separator > 0 else { continue }
            let key = String(decoding: string[..<separator], as: UTF8.self).lowercased()
            if values[key] == nil { values[key] = Array(string[(separator + 1)...]) }
        }
        guard values["v"] == Array(Self.version.utf8) else { return nil }
        let prefix = values["id"] ?? []
        guard prefix.isEmpty || Self.isPeerIDPrefix(prefix) else { return nil }
        guard let tags = Self.tags(values["w"] ?? []) else { return nil }
        self.init(
            peerIDPrefix: prefix.isEmpty ? nil : String(decoding: prefix, as: UTF8.self),
            workspaceTags: tags,
            modelPort: values["m"].flatMap(Self.port)
        )
    }

    /// A port from 1 on, in digits alone.
    private static func port(_ value: [UInt8]) -> UInt16? {
        guard value.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(String(decoding: value, as: UTF8.self)), port != 0
        else { return nil }
        return port
    }

    private static func tags(_ value: [UInt8]) -> [UInt32]? {
        var tags: [UInt32] = []
        for field in value.split(separator: UInt8(ascii: ",")).prefix(maximumTags) {
            guard let tag = tag(field) else { return nil }
            if !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }

    private static func tag(_ field: ArraySlice<UInt8>) -> UInt32? {
        guard field.count == 8 else { return nil }
        var tag: UInt32 = 0
        for byte in field {
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            tag = tag << 4 | UInt32(digit)
        }
        return tag
    }
}
