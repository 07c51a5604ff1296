/// Removes what a JPEG file tells besides the picture: Exif, XMP, IPTC, comments, and whatever an application adds. Of the
/// application segments only those stay that say how the picture is decoded: JFIF, color profiles, and Adobe's transform.
/// What is behind the end of the picture, where telephones put other pictures and films, goes as well.
enum JPEGCleaner {
    /// - Returns: `nil` if the file is damaged.
    static func clean(_ bytes: [UInt8]) -> PieceList? {
        var reader = JPEGReader(bytes)
        var list = PieceList()
        list.copy(0..<2)
        // What is to stand before the first segment that is not JFIF.
        var missing = orientation(bytes).map(exif)
        var hasScan = false
        while let segment = reader.next() {
            if let segmentBytes = missing, !(segment.marker == 0xE0 && isKept(segment, bytes)) {
                missing = nil
                // It is there already if the picture was cleaned before.
                if bytes[segment.range].elementsEqual(segmentBytes) {
                    list.copy(segment.range)
                    continue
                }
                list.add(segmentBytes)
            }
            if let short = shortened(segment, bytes) {
                list.add(short)
            } else if isKept(segment, bytes) {
                list.copy(segment.range)
            }
            hasScan = hasScan || segment.isStartOfScan
            if segment.isEnd { return hasScan ? list : nil }
        }
        return nil
    }

    private static func isKept(_ segment: JPEGReader.Segment, _ bytes: [UInt8]) -> Bool {
        let start = segment.payload.lowerBound
        return switch segment.marker {
        case 0xE0: bytes.has("JFIF\0", at: start) && segment.payload.count >= 14
        case 0xE2: bytes.has("ICC_PROFILE\0", at: start)
        case 0xEE: bytes.has("Adobe", at: start) && segment.payload.count >= 12
        case 0xE1...0xEF, 0xFE: false
        default: true
        }
    }

    /// A segment that has more than it needs to decode the picture, without that: JFIF can have a preview behind its 14
    /// bytes, and Adobe's segment has 12.
    ///
    /// - Returns: `nil` if it has nothing more.
    private static func shortened(_ segment: JPEGReader.Segment, _ bytes: [UInt8]) -> [UInt8]? {
        let payload = bytes[segment.payload]
        let needed: [UInt8]
        switch segment.marker {
        case 0xE0 where isKept(segment, bytes) && payload.count >= 14: needed = payload.prefix(12) + [0, 0]
        case 0xEE where isKept(segment, bytes) && payload.count >= 12: needed = Array(payload.prefix(12))
        default: return nil
        }
        guard !payload.elementsEqual(needed) else { return nil }
        return [0xFF, segment.marker, 0, UInt8(clamping: needed.count + 2)] + needed
    }

    /// The orientation that the first Exif segment says.
    static func orientation(_ bytes: [UInt8]) -> Int? {
        var reader = JPEGReader(bytes)
        while let segment = reader.next(), !segment.isStartOfScan, !segment.isEnd {
            if isExif(segment, bytes) { return Orientation.read(bytes, segment.payload) }
        }
        return nil
    }

    static func isExif(_ segment: JPEGReader.Segment, _ bytes: [UInt8]) -> Bool {
        segment.marker == 0xE1 && bytes.has("Exif\0\0", at: segment.payload.lowerBound)
    }

    private static func exif(_ orientation: Int) -> [UInt8] {
        let payload = Array("Exif\0\0".utf8) + Orientation.block(orientation)
        return [0xFF, 0xE1, 0, UInt8(clamping: payload.count + 2)] + payload
    }
}
