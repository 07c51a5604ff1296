import Foundation
import Testing

@testable import parlance

/// Copies of files that the chat has begun.
@Suite struct UploadPlacesTests {
    @Test func whatIsNotFinishedIsRemovedWhenTheChatIsLeft() throws {
        let folder = NSTemporaryDirectory() + "/parlance-uploads-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let (half, whole) = (folder + "/half", folder + "/whole")
        // What comes through a pipe is in a file of its own at first.
        for path in [half, half + ".raw", whole] {
            try Data([1]).write(to: URL(fileURLWithPath: path))
        }
        let places = UploadPlaces()
        #expect(places.begin(half) && places.begin(whole))
        places.end(whole)
        places.leave()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["whole"])
        #expect(!places.begin(half), "nothing is begun any more")
    }
}
