import ParlanceWire

/// In which hours of the last seven days a peer was here, as far as this node saw: a bit for each.
package struct SeenHours: Equatable, Sendable {
    /// The latest hour that was noted, counted from 1970. The bits are of this hour and of those before it.
    private var latest: Int64 = 0
    /// The bit of an hour stands at its number modulo `Limits.seenHours`. Empty if there is none.
    private var bits: [UInt8] = []

    package static let milliseconds: Int64 = 3_600_000
    private static let count = Int64(Limits.seenHours)
    private static let bytes = (Limits.seenHours + 7) / 8

    package init() {}

    /// Notes that the peer is here. If the clock was set by more than what is kept, what was noted before is dropped.
    ///
    /// - Parameter wall: milliseconds since 1970.
    package mutating func note(_ wall: Int64) {
        let hour = Self.hour(of: wall)
        if bits.isEmpty || abs(hour - latest) >= Self.count {
            (latest, bits) = (hour, [UInt8](repeating: 0, count: Self.bytes))
        }
        while latest < hour {
            latest += 1
            bits[Self.place(of: latest)] &= ~Self.bit(of: latest)
        }
        bits[Self.place(of: hour)] |= Self.bit(of: hour)
    }

    /// When the hours of the last seven days in which the peer was here began, in order.
    ///
    /// - Parameter wall: now, in milliseconds since 1970.
    package func all(until wall: Int64) -> [Int64] {
        let first = Self.first(until: wall) / Self.milliseconds
        guard !bits.isEmpty else { return [] }
        // What was noted while the clock was ahead is left out.
        let hours = (first..<first + Self.count).filter { (latest - Self.count + 1...latest).contains($0) }
        return hours.filter { bits[Self.place(of: $0)] & Self.bit(of: $0) != 0 }.map { $0 * Self.milliseconds }
    }

    /// When the first of the hours that `all` tells of began.
    package static func first(until wall: Int64) -> Int64 { (hour(of: wall) - count + 1) * milliseconds }

    private static func hour(of wall: Int64) -> Int64 { max(count, wall / milliseconds) }

    private static func place(of hour: Int64) -> Int { Int(hour % count) / 8 }

    private static func bit(of hour: Int64) -> UInt8 { 1 << UInt8(hour % count % 8) }

    /// For the disk; nil if nothing was noted.
    package var encoded: [UInt8]? {
        bits.isEmpty ? nil : (0..<8).map { UInt8(truncatingIfNeeded: latest >> (8 * $0)) } + bits
    }

    package init?(encoded: [UInt8]) {
        guard encoded.count == 8 + Self.bytes else { return nil }
        latest = encoded.prefix(8).reversed().reduce(0) { $0 << 8 | Int64($1) }
        bits = Array(encoded.dropFirst(8))
        guard (Self.count...Self.hour(of: .max)).contains(latest) else { return nil }
    }
}
