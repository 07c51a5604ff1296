/// The segments of a JPEG file, one after the other (ITU-T T.81, annex B).
struct JPEGReader {
    struct Segment: Equatable {
        let marker: UInt8
        /// With the marker, and behind the start of a scan with the data of the scan.
        let range: Range<Int>
        /// What is behind the length.
        let payload: Range<Int>

        var isStartOfScan: Bool { marker == 0xDA }
        var isEnd: Bool { marker == 0xD9 }

        /// Whether it says the size of the picture: a start of frame, of any kind of coding.
        var isFrame: Bool { (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC }
    }

    private let bytes: [UInt8]
    private var offset = 2

    /// Begins behind the start of the picture.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next segment; `nil` if there is none in its place. Nothing is behind the end of the picture.
    mutating func next() -> Segment? {
        let start = offset
        guard bytes.byte(start) == 0xFF else { return nil }
        var at = start + 1
        while bytes.byte(at) == 0xFF { at += 1 }
        guard at < bytes.count else { return nil }
        let marker = bytes[at]
        at += 1
        switch marker {
        case 0x00, 0xD8: return nil
        case 0x01, 0xD0...0xD7, 0xD9:
            offset = at
            return Segment(marker: marker, range: start..<at, payload: at..<at)
        default: break
        }
        guard let length = bytes.big16(at), length >= 2, at + length <= bytes.count else { return nil }
        let payload = (at + 2)..<(at + length)
        offset = at + length
        if marker == 0xDA {
            guard let end = endOfScan(offset) else { return nil }
            offset = end
        }
        return Segment(marker: marker, range: start..<offset, payload: payload)
    }

    /// Where the data of a scan ends: at a marker that is not one of those within it.
    private func endOfScan(_ start: Int) -> Int? {
        var at = start
        while at + 1 < bytes.count {
            guard bytes[at] == 0xFF else {
                at += 1
                continue
            }
            switch bytes[at + 1] {
            case 0x00, 0xD0...0xD7: at += 2
            case 0xFF: at += 1
            default: return at
            }
        }
        return nil
    }
}
