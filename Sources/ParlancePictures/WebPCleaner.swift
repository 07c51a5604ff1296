/// Removes what a WebP file tells besides the picture: Exif, XMP, and chunks that nobody knows (RFC 9649, 2.7).
enum WebPCleaner {
    private struct Chunk {
        let type: String
        /// With the byte that makes its length even.
        let range: Range<Int>
        let data: Range<Int>
    }

    private static let kept: Set = ["VP8 ", "VP8L", "VP8X", "ANIM", "ANMF", "ALPH", "ICCP"]
    /// In the first byte of the chunk VP8X.
    private static let exifFlag: UInt8 = 0x08, xmpFlag: UInt8 = 0x04

    /// - Returns: `nil` if the file is damaged.
    static func clean(_ bytes: [UInt8]) -> PieceList? {
        guard let chunks = read(bytes) else { return nil }
        let extended = chunks.first?.type == "VP8X"
        let told = chunks.first { $0.type == "EXIF" }.flatMap { Orientation.read(bytes, $0.data) }
        // Only the extended form can say it.
        let exif = extended ? told.map { made("EXIF", Orientation.block($0)) } : nil
        var list = PieceList()
        list.copy(0..<12)
        var hasExif = false
        for chunk in chunks {
            if chunk.type == "VP8X" {
                let flags = bytes[chunk.data.lowerBound]
                let right = flags & ~(exifFlag | xmpFlag) | (exif == nil ? 0 : exifFlag)
                list.copy(chunk.range.lowerBound..<chunk.data.lowerBound)
                if flags == right {
                    list.copy(chunk.data.lowerBound..<(chunk.data.lowerBound + 1))
                } else {
                    list.add([right])
                }
                list.copy((chunk.data.lowerBound + 1)..<chunk.range.upperBound)
            } else if kept.contains(chunk.type) {
                list.copy(chunk.range)
            } else if chunk.range == chunks.last?.range, let exif, bytes[chunk.range].elementsEqual(exif) {
                // It is there already if the picture was cleaned before.
                list.copy(chunk.range)
                hasExif = true
            }
        }
        if let exif, !hasExif { list.add(exif) }
        guard list.pieces != [.copy(bytes.indices)] else { return list }
        return withLength(list)
    }

    /// The first piece begins with the length of the rest, which is another now.
    private static func withLength(_ list: PieceList) -> PieceList? {
        guard case .copy(let first)? = list.pieces.first else { return nil }
        var result = PieceList()
        let length = [UInt8].big32(UInt32(clamping: list.count - 8)).reversed()
        result.add(Array("RIFF".utf8) + length + Array("WEBP".utf8))
        result.copy(12..<first.upperBound)
        for piece in list.pieces.dropFirst() {
            switch piece {
            case .copy(let range): result.copy(range)
            case .bytes(let bytes): result.add(bytes)
            }
        }
        return result
    }

    /// All chunks; `nil` unless they fill the length that the file says, and begin with the picture.
    private static func read(_ bytes: [UInt8]) -> [Chunk]? {
        guard let length = bytes.little32(4), length <= bytes.count - 8 else { return nil }
        let end = 8 + length
        var chunks: [Chunk] = []
        var offset = 12
        while offset < end {
            guard end - offset >= 8, let length = bytes.little32(offset + 4) else { return nil }
            let padded = length + length % 2
            guard padded <= end - offset - 8 else { return nil }
            let data = (offset + 8)..<(offset + 8 + length)
            let type = String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self)
            chunks.append(Chunk(type: type, range: offset..<(offset + 8 + padded), data: data))
            offset += 8 + padded
        }
        guard let first = chunks.first, ["VP8 ", "VP8L", "VP8X"].contains(first.type) else { return nil }
        // There is one such chunk, of 10 bytes.
        let extended = chunks.filter { $0.type == "VP8X" }
        guard extended.count == (first.type == "VP8X" ? 1 : 0), extended.allSatisfy({ $0.data.count == 10 }) else {
            return nil
        }
        return chunks
    }

    /// - Parameter data: of an even length.
    private static func made(_ type: String, _ data: [UInt8]) -> [UInt8] {
        Array(type.utf8) + [UInt8].big32(UInt32(clamping: data.count)).reversed() + data
    }
}
