import Foundation

/// One line from a daemon, searched instead of parsed.
///
/// It relies on two habits of our daemon that the specification does not promise: no white space between tokens, and
/// `jsonrpc` and `id` as the first members.
struct DaemonLine {
    private static let replyStart: StaticString = "{\"jsonrpc\":\"2.0\",\"id\":"

    let bytes: UnsafeRawBufferPointer

    /// The ID of the answered request; `nil` for an event.
    var replyID: UInt64? {
        starts(with: Self.replyStart, at: 0) ? number(at: Self.replyStart.utf8CodeUnitCount) : nil
    }

    /// Whether this is an event of the given kind.
    func isEvent(_ kind: StaticString) -> Bool {
        guard let place = end(of: "\"type\":\"") else { return false }
        return starts(with: kind, at: place)
    }

    /// Whether the line contains the text.
    func has(_ text: StaticString) -> Bool { end(of: text) != nil }

    /// The number that follows the first occurrence of the text.
    func number(after text: StaticString) -> UInt64? { end(of: text).flatMap(number(at:)) }

    /// The beginning of the line, for people.
    var text: String { String(decoding: bytes.prefix(500), as: UTF8.self) }

    private func number(at place: Int) -> UInt64? {
        var result: UInt64?
        var index = place
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
            result = (result ?? 0) &* 10 &+ UInt64(digit)
            index += 1
        }
        return result
    }

    private func starts(with text: StaticString, at place: Int) -> Bool {
        guard place + text.utf8CodeUnitCount <= bytes.count, let base = bytes.baseAddress else { return false }
        return memcmp(base + place, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// The end of the first occurrence of the text.
    private func end(of text: StaticString) -> Int? {
        let first = text.utf8Start.pointee
        let last = bytes.count - text.utf8CodeUnitCount
        var index = 0
        while index <= last {
            if bytes[index] == first, starts(with: text, at: index) { return index + text.utf8CodeUnitCount }
            index += 1
        }
        return nil
    }
}
