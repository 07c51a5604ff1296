import CZlib
import ParlanceEmbedding

/// Undoes the compression of one file of a ZIP archive (RFC 1951), part by part.
final class Inflater {
    /// In memory of its own: the library keeps a pointer to it.
    private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: ZipFormat.batch)
    /// So many bytes may still come.
    private var rest: Int
    private var hasEnded = false

    /// - size: how many bytes must come out.
    init(size: Int) throws(ModelError) {
        rest = size
        stream.initialize(to: z_stream())
        // Minus: without the header and the checksum of zlib.
        let status = inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw .malformedArchive(reason: "zlib fails with \(status)") }
    }

    deinit {
        // It does nothing with a stream that never started.
        inflateEnd(stream)
        stream.deallocate()
        buffer.deallocate()
    }

    /// Calls the closure with what comes out for a part of the compressed bytes.
    func inflate(
        _ part: UnsafeRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) throws(ModelError) -> Void
    ) throws(ModelError) {
        // zlib only reads from it.
        stream.pointee.next_in = UnsafeMutablePointer(mutating: part.assumingMemoryBound(to: UInt8.self).baseAddress)
        stream.pointee.avail_in = UInt32(part.count)
        repeat {
            guard !hasEnded else { throw .malformedArchive(reason: "bytes after the end of a file") }
            stream.pointee.next_out = buffer.baseAddress
            stream.pointee.avail_out = UInt32(buffer.count)
            let status = CZlib.inflate(stream, Z_NO_FLUSH)
            // Z_BUF_ERROR: it needs the next part.
            guard [Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(status) else {
                throw .malformedArchive(reason: "broken compressed data")
            }
            hasEnded = status == Z_STREAM_END
            let count = buffer.count - Int(stream.pointee.avail_out)
            guard count <= rest else { throw .malformedArchive(reason: "a file is longer than stated") }
            rest -= count
            if count > 0 { try body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])) }
        } while stream.pointee.avail_in > 0 || (stream.pointee.avail_out == 0 && !hasEnded)
    }

    /// Throws `malformedArchive` unless all bytes have come.
    func finish() throws(ModelError) {
        guard hasEnded, rest == 0 else { throw .malformedArchive(reason: "a file is shorter than stated") }
    }
}
