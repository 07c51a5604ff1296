import Foundation
import ParlancePictures

/// Pictures from whoever made them: cleaning, and the size that people are shown.
enum PictureFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        let bytes = Array(bytes)
        if let facts = PictureFacts(bytes) {
            promise(facts.width > 0 && facts.height > 0 && facts.type == PictureType(bytes), "a picture of no size")
        }
        let cleaning = PictureCleaning(bytes)
        let clean = cleaning.applied(to: bytes)
        guard case .removed(let type, let pieces) = cleaning else {
            return promise(clean == bytes, "a picture is changed")
        }
        var end = 0
        for case .copy(let range) in pieces {
            promise(
                range.lowerBound >= end && range.upperBound <= bytes.count && !range.isEmpty,
                "a piece is not in order"
            )
            end = range.upperBound
        }
        promise(PictureCleaning(clean) == .clean(type), "a clean picture is not clean")
    }

    /// The pictures of the tests that fit into an input.
    static var seeds: [[UInt8]] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "ParlancePicturesTests/Pictures")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension != "py" }.sorted { $0.path < $1.path }.compactMap {
            try? [UInt8](Data(contentsOf: $0))
        }
    }
}
