import Foundation
import ParlancePictures

/// The pictures in `Pictures`, which `make.py` there has made. Whatever they tell contains `word`.
enum TestPictures {
    static let word = Array("Reykjavik".utf8)
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Pictures")

    static let telling = [
        "baseline.jpg", "progressive.jpg", "restarts.jpg", "rotated.png", "upright.png", "animated.png", "lossy.webp",
        "lossless.webp", "animated.webp", "animated.gif",
    ]
    static let plain = ["plain.jpg", "plain.png", "plain.webp", "plain-lossless.webp", "plain.gif"]

    static func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: folder.appending(path: name)))
    }

    static func contains(_ bytes: [UInt8], _ part: [UInt8]) -> Bool { Data(bytes).range(of: Data(part)) != nil }
}
