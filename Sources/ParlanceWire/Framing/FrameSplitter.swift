/// Cuts the stream of a link into frames: a varint length (protobuf's, at most 4 bytes) and that many bytes.
/// It accepts any fragmentation. Once it has thrown, no frame boundary of the stream is known any more and the link
/// ends.
package struct FrameSplitter: Sendable {
    private var buffer: [UInt8] = []
    private var start = 0
    private let limit: Int

    package init(limit: Int = Limits.frameBytes) {
        self.limit = limit
    }

    /// Bytes that wait for the rest of their frame.
    package var bufferedCount: Int { buffer.count - start }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= limit)
            start = 0
        } else if start > limit {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The bytes of the next whole frame, or `nil` until more has arrived.
    package mutating func next() throws(WireError) -> [UInt8]? {
        var length = 0
        var index = start
        var shift = 0
        while true {
            guard index < buffer.count else { return nil }
            let byte = buffer[index]
            index += 1
            length |= Int(byte & 0x7F) << shift
            if byte & 0x80 == 0 { break }
            shift += 7
            if shift > 21 { throw .frameTooLarge(limit: limit) }
        }
        guard length <= limit else { throw .frameTooLarge(limit: limit) }
        guard length > 0 else { throw .emptyFrame }
        guard buffer.count - index >= length else { return nil }
        start = index + length
        return Array(buffer[index..<start])
    }

    /// The bytes of a frame, preceded by their length.
    package static func frame(_ bytes: [UInt8]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count + 4)
        var length = bytes.count
        while length >= 0x80 {
            out.append(UInt8(length & 0x7F) | 0x80)
            length >>= 7
        }
        out.append(UInt8(length))
        out.append(contentsOf: bytes)
        return out
    }
}
