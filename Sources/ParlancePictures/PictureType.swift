/// What a file is by its first bytes, whatever its name says.
package enum PictureType: String, Equatable, Sendable, CaseIterable {
    case jpeg, png, gif, webp
    /// Pictures whose metadata cannot be removed here.
    case heic, avif, tiff
    case jpegXL = "jpeg-xl"
    /// MPEG-4, QuickTime and other files of that form, in which telephones write positions too.
    case video

    /// Whether what a file of this type tells can be removed here.
    package var isCleanable: Bool {
        switch self {
        case .jpeg, .png, .gif, .webp: true
        case .heic, .avif, .tiff, .jpegXL, .video: false
        }
    }

    /// - Parameter bytes: the file or its beginning.
    package init?(_ bytes: [UInt8]) {
        if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if bytes.starts(with: PNGCleaner.signature) {
            self = .png
        } else if bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0) {
            self = .gif
        } else if bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) {
            self = .webp
        } else if bytes.starts(with: [0x49, 0x49, 0x2A, 0]) || bytes.starts(with: [0x4D, 0x4D, 0, 0x2A]) {
            self = .tiff
        } else if bytes.starts(with: [0xFF, 0x0A]) || bytes.has("JXL ", at: 4) {
            self = .jpegXL
        } else if bytes.has("ftyp", at: 4) {
            self = Self.media(bytes)
        } else {
            return nil
        }
    }

    /// Files of the ISO base media format (ISO/IEC 14496-12, 4.3): the main brand, or else the first compatible one, says.
    private static func media(_ bytes: [UInt8]) -> PictureType {
        let end = Swift.min(bytes.big32(0) ?? 0, bytes.count, 256)
        for offset in [8] + stride(from: 16, to: end, by: 4) {
            if bytes.has("avif", at: offset) || bytes.has("avis", at: offset) { return .avif }
            if bytes.has("hei", at: offset) || bytes.has("hev", at: offset) { return .heic }
        }
        return bytes.has("mif1", at: 8) || bytes.has("msf1", at: 8) ? .heic : .video
    }
}
