/// How a camera was held: the only thing in Exif without which a picture would be shown differently (Exif 2.32, 4.6.4, tag
/// 0x0112).
enum Orientation {
    /// The orientation that a TIFF block says; `nil` if it says none, or that nothing is to be turned.
    ///
    /// - Parameter range: the block, perhaps after "Exif", in `bytes`.
    static func read(_ bytes: [UInt8], _ range: Range<Int>) -> Int? {
        let block = Array(bytes[range.clamped(to: bytes.indices)].prefix(mostBytes))
        let start = block.has("Exif\0\0", at: 0) ? 6 : 0
        let isBig = block.has("MM", at: start)
        guard isBig || block.has("II", at: start) else { return nil }
        func short(_ offset: Int) -> Int? { isBig ? block.big16(offset) : block.little16(offset) }
        func long(_ offset: Int) -> Int? { isBig ? block.big32(offset) : block.little32(offset) }
        guard short(start + 2) == 42, let table = long(start + 4), let count = short(start + table) else { return nil }
        for index in 0..<count {
            let entry = start + table + 2 + 12 * index
            guard let tag = short(entry) else { return nil }
            guard tag == 0x0112 else { continue }
            guard short(entry + 2) == 3, long(entry + 4) == 1, let value = short(entry + 8) else { return nil }
            return (2...8).contains(value) ? value : nil
        }
        return nil
    }

    /// A segment of JPEG has no more; blocks of the other types may, and begin with this table as well.
    private static let mostBytes = 65_536

    /// A TIFF block that says only this orientation.
    static func block(_ orientation: Int) -> [UInt8] {
        [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, UInt8(clamping: orientation), 0, 0, 0,
            0, 0, 0,
        ]
    }
}
