/// Bytes that have arrived and have not been consumed yet: appended at the end, removed from the start.
struct ByteQueue {
    private var bytes: [UInt8] = []
    private var start = 0

    /// How many consumed bytes may stay in front before the rest is moved, so that moving is rare.
    private static let slack = 64 * 1024

    var count: Int { bytes.count - start }

    mutating func append(_ new: some Collection<UInt8>) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 2 * Self.slack)
            start = 0
        } else if start > Self.slack {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: new)
    }

    /// The 16-bit big-endian number at the start; `nil` until both bytes are there.
    var leadingLength: Int? {
        guard count >= 2 else { return nil }
        return Int(bytes[start]) << 8 | Int(bytes[start + 1])
    }

    /// Removes exactly `length` bytes; `nil` until they are there.
    mutating func take(_ length: Int) -> [UInt8]? {
        guard count >= length else { return nil }
        defer { start += length }
        return Array(bytes[start..<start + length])
    }

    /// Removes `length` bytes and lends them in place for modification. The caller has checked that they are there.
    mutating func consume<Failure: Error>(
        _ length: Int,
        _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let range = start..<start + length
        start = range.upperBound
        try bytes.withUnsafeMutableBufferPointer { buffer throws(Failure) in
            try body(UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[range])))
        }
    }

    mutating func removeAll() {
        bytes = []
        start = 0
    }
}
