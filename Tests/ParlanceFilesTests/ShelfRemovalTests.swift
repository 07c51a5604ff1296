import Foundation
import ParlanceCore
import ParlanceFiles
import Testing

@Suite struct ShelfRemovalTests {
    @Test func aFileThatCannotBeRemovedIsNotTakenForGone() throws {
        let folder = try TestFolder()
        let shelf = try FileShelf(at: folder.path + "/files")
        try Data("The ferry leaves at nine.".utf8).write(to: URL(fileURLWithPath: shelf.incoming("new")))
        let id = try shelf.take("new").id
        let path = try #require(shelf.path(of: id))
        // A folder in its place is not removed as a file is.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        let later = Int64.max
        #expect(!shelf.remove(id))
        #expect(!shelf.remove(id, unusedSince: later))
        let (removed, _) = shelf.shrink(to: 0) { _ in false }
        #expect(removed.isEmpty && shelf.has(id))
        try FileManager.default.removeItem(atPath: path)
        #expect(shelf.remove(id) && !shelf.has(id))
    }
}
