/// Removes what a PNG file tells besides the picture: Exif, texts (XMP among them), the time, and whatever an application
/// adds (PNG 3rd edition, 11). Chunks that say how the picture is decoded and shown stay.
enum PNGCleaner {
    static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private struct Chunk {
        let type: String
        let range: Range<Int>
        let data: Range<Int>
    }

    /// - Returns: `nil` if the file is damaged.
    static func clean(_ bytes: [UInt8]) -> PieceList? {
        guard let told = orientation(bytes) else { return nil }
        var missing = told.map { made("eXIf", Orientation.block($0)) }
        var list = PieceList()
        list.copy(0..<signature.count)
        var offset = signature.count
        while let chunk = read(bytes, offset) {
            offset = chunk.range.upperBound
            if let exif = missing, chunk.type != "IHDR" {
                missing = nil
                // It is there already if the picture was cleaned before.
                if bytes[chunk.range].elementsEqual(exif) {
                    list.copy(chunk.range)
                    continue
                }
                list.add(exif)
            }
            if isKept(chunk.type) { list.copy(chunk.range) }
            if chunk.type == "IEND" { return list }
        }
        return nil
    }

    /// The orientation that an Exif chunk says, wherever it is. The outer `nil` stands for a damaged file.
    private static func orientation(_ bytes: [UInt8]) -> Int?? {
        guard let first = read(bytes, signature.count), first.type == "IHDR", first.data.count == 13 else { return nil }
        var offset = first.range.upperBound
        var orientation: Int?
        while let chunk = read(bytes, offset) {
            if chunk.type == "eXIf", orientation == nil { orientation = Orientation.read(bytes, chunk.data) }
            if chunk.type == "IEND" { return .some(orientation) }
            offset = chunk.range.upperBound
        }
        return nil
    }

    private static func read(_ bytes: [UInt8], _ offset: Int) -> Chunk? {
        guard let length = bytes.big32(offset), length <= bytes.count - offset - 12 else { return nil }
        let type = bytes[(offset + 4)..<(offset + 8)]
        guard type.allSatisfy({ (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0) }) else { return nil }
        let data = (offset + 8)..<(offset + 8 + length)
        return Chunk(type: String(decoding: type, as: UTF8.self), range: offset..<(data.upperBound + 4), data: data)
    }

    /// Chunks whose type begins with a capital letter are needed to decode the picture.
    private static func isKept(_ type: String) -> Bool {
        type.utf8.first.map { $0 & 0x20 == 0 } ?? false || shown.contains(type)
    }

    private static let shown: Set = [
        "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI", "bKGD", "hIST", "pHYs", "sPLT",
        "acTL", "fcTL", "fdAT",
    ]

    private static func made(_ type: String, _ data: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + data
        return .big32(UInt32(clamping: data.count)) + checked + .big32(checksum(checked))
    }

    /// CRC-32 of PNG (annex D).
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = (crc >> 1) ^ (crc & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~crc
    }
}
