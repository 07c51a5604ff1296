package import NIOCore

/// Splits a stream of bytes into lines that end with a line feed, however the bytes arrive.
package struct LineSplitter: Sendable {
    private var buffer = ByteBuffer()
    /// Leading bytes of the buffer that are known to hold no line feed, so that each byte is scanned once.
    private var scanned = 0
    private let limit: Int

    /// The line is longer than the limit; the start of the next one is unknown.
    package struct LineTooLong: Error, Equatable {
        package let limit: Int
    }

    /// Takes lines of at most `limit` bytes, without their line feed.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Bytes that wait for the rest of their line, or to be taken.
    package var bufferedBytes: Int { buffer.readableBytes }

    package mutating func append(_ bytes: inout ByteBuffer) {
        if buffer.readableBytes == 0 {
            buffer = bytes
        } else {
            buffer.discardReadBytes()
            buffer.writeBuffer(&bytes)
        }
    }

    /// The next complete line that is not empty, without its line feed; nil if more bytes are needed.
    package mutating func next() throws(LineTooLong) -> [UInt8]? {
        while let length = lengthOfLine() {
            if length > limit { throw LineTooLong(limit: limit) }
            let line = buffer.readBytes(length: length) ?? []
            buffer.moveReaderIndex(forwardBy: 1)
            scanned = 0
            if !Self.isBlank(line) { return line }
        }
        if buffer.readableBytes > limit { throw LineTooLong(limit: limit) }
        return nil
    }

    /// The remainder once the stream has ended: a last line without a line feed.
    package mutating func rest() -> [UInt8]? {
        let line = buffer.readBytes(length: buffer.readableBytes) ?? []
        scanned = 0
        return Self.isBlank(line) ? nil : line
    }

    private mutating func lengthOfLine() -> Int? {
        let found = buffer.withUnsafeReadableBytes { bytes in
            bytes[min(scanned, bytes.count)...].firstIndex(of: UInt8(ascii: "\n"))
        }
        if found == nil { scanned = buffer.readableBytes }
        return found
    }

    private static func isBlank(_ line: [UInt8]) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
