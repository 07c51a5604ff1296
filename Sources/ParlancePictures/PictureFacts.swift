/// What the header of a picture says, for people: its type and its size. Nothing is decoded.
package struct PictureFacts: Equatable, Sendable {
    package let type: PictureType
    /// Pixels, as the picture is shown: a JPEG that was taken upright is higher than it is wide.
    package let width: Int
    package let height: Int

    /// Bytes of the beginning of a file that are enough: the size may stand behind several segments of 64 KiB.
    package static let prefixBytes = 256 * 1024

    /// Reads the beginning of a file.
    ///
    /// - Returns: `nil` if it is no picture of a type whose header is known here, or says no size.
    package init?(_ bytes: [UInt8]) {
        let bytes = bytes.count > Self.prefixBytes ? Array(bytes.prefix(Self.prefixBytes)) : bytes
        guard let type = PictureType(bytes) else { return nil }
        let size: (width: Int, height: Int)? =
            switch type {
            case .jpeg: Self.jpeg(bytes)
            case .png: Self.png(bytes)
            case .gif: Self.pair(bytes.little16(6), bytes.little16(8))
            case .webp: Self.webp(bytes)
            case .heic, .avif, .tiff, .jpegXL, .video: nil
            }
        guard let size, size.width > 0, size.height > 0 else { return nil }
        (self.type, width, height) = (type, size.width, size.height)
    }

    private static func pair(_ width: Int?, _ height: Int?) -> (Int, Int)? {
        guard let width, let height else { return nil }
        return (width, height)
    }

    private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
        var reader = JPEGReader(bytes)
        var isUpright = false
        while let segment = reader.next(), !segment.isStartOfScan, !segment.isEnd {
            if JPEGCleaner.isExif(segment, bytes) {
                isUpright = (Orientation.read(bytes, segment.payload) ?? 1) > 4
            }
            guard segment.isFrame, segment.payload.count >= 6 else { continue }
            let start = segment.payload.lowerBound
            let (height, width) = (bytes.big16(start + 1), bytes.big16(start + 3))
            return isUpright ? pair(height, width) : pair(width, height)
        }
        return nil
    }

    private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
        guard bytes.has("IHDR", at: 12), let width = bytes.big32(16), let height = bytes.big32(20) else { return nil }
        return max(width, height) <= Int(Int32.max) ? (width, height) : nil
    }

    /// RFC 9649, 2.5 to 2.7: each of the three forms has its own header.
    private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
        if bytes.has("VP8X", at: 12) {
            func edge(_ offset: Int) -> Int? {
                guard let low = bytes.little16(offset), let high = bytes.byte(offset + 2) else { return nil }
                return (high << 16 | low) + 1
            }
            return pair(edge(24), edge(27))
        }
        if bytes.has("VP8L", at: 12), bytes.byte(20) == 0x2F, let bits = bytes.little32(21) {
            return ((bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1)
        }
        if bytes.has("VP8 ", at: 12), bytes.byte(23) == 0x9D, bytes.byte(24) == 0x01, bytes.byte(25) == 0x2A {
            return pair(bytes.little16(26).map { $0 & 0x3FFF }, bytes.little16(28).map { $0 & 0x3FFF })
        }
        return nil
    }
}
