import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads a file of the shelf for the browser, piece by piece.
package final class PageDownload: Sendable {
    private let descriptor: Int32
    private let size: UInt64

    /// - Returns: nil if the file is not there, or of another size.
    init?(_ path: String, size: UInt64) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        self.size = size
        guard descriptor >= 0 else { return nil }
        var status = stat()
        guard fstat(descriptor, &status) == 0, UInt64(clamping: status.st_size) == size else { return nil }
    }

    deinit { close(descriptor) }

    /// - Throws: if the disk cannot be read: the browser then sees a cut download.
    func write(on threads: PageThreads, _ send: (ByteBuffer) async throws -> Void) async throws {
        var done: UInt64 = 0
        while done < size {
            let offset = done
            let piece = try await threads.run { self.piece(at: offset) }
            guard piece.readableBytes > 0 else { throw CutOff() }
            done += UInt64(piece.readableBytes)
            try await send(piece)
        }
    }

    private struct CutOff: Error {}

    private func piece(at offset: UInt64) -> ByteBuffer {
        let count = Int(min(size - offset, UInt64(PageLimits.pieceBytes)))
        var buffer = ByteBuffer()
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { room in
            while true {
                let read = pread(descriptor, room.baseAddress, count, off_t(offset))
                if read >= 0 || errno != EINTR { return max(0, read) }
            }
        }
        return buffer
    }

    /// `Content-Disposition` with a name in any script (RFC 6266, RFC 8187).
    package static func disposition(_ name: String) -> String {
        let plain = String(
            name.prefix(100).map { $0.isASCII && ($0.isLetter || $0.isNumber || "-_. ".contains($0)) ? $0 : "_" }
        )
        let encoded = name.utf8.map { byte in
            let character = Character(Unicode.Scalar(byte))
            let isPlain = byte < 0x80 && (character.isLetter || character.isNumber || "-_.".contains(character))
            return isPlain ? String(character) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        guard !name.isEmpty else { return "attachment" }
        return "attachment; filename=\"\(plain)\"; filename*=UTF-8''\(encoded.joined())"
    }
}
