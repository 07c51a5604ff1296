/// Splits an input into values; beyond its end it is zero, so every input has a meaning.
struct FuzzReader {
    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8 {
        guard !isAtEnd else { return 0 }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func number(below limit: Int) -> Int { Int(byte()) % limit }

    mutating func short() -> UInt16 { UInt16(byte()) | UInt16(byte()) << 8 }

    /// At most that many bytes.
    mutating func take(_ count: Int) -> [UInt8] {
        let end = min(bytes.count, position + count)
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// Bytes preceded by their number in two bytes.
    mutating func block() -> [UInt8] { take(Int(short())) }

    /// A short text; invalid UTF-8 is replaced.
    mutating func text() -> String { String(decoding: take(Int(byte())), as: UTF8.self) }

    mutating func rest() -> [UInt8] { take(bytes.count) }

    /// The bytes that `block` reads.
    static func block(_ bytes: [UInt8]) -> [UInt8] {
        let bytes = bytes.prefix(Int(UInt16.max))
        return [UInt8(truncatingIfNeeded: bytes.count), UInt8(truncatingIfNeeded: bytes.count >> 8)] + bytes
    }

    /// The bytes that `text` reads.
    static func text(_ text: String) -> [UInt8] {
        let bytes = text.utf8.prefix(Int(UInt8.max))
        return [UInt8(bytes.count)] + bytes
    }
}

/// Reports a broken promise: libFuzzer and the tests both see the trap, with its reason.
func promise(_ holds: Bool, _ what: @autoclosure () -> String) {
    if !holds { fatalError(what()) }
}
