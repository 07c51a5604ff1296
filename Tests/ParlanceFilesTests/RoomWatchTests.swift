import Foundation
import ParlanceWire
import Testing

@testable import ParlanceFiles

/// The reserve of the disk, while a file is written (Limits.diskReserveBytes).
@Suite struct RoomWatchTests {
    private func isFull(_ watch: inout RoomWatch, _ file: borrowing OpenFile) -> Bool {
        do throws(ShelfError) {
            try watch.wrote(1, to: file)
            return false
        } catch {
            return true
        }
    }

    @Test func theReserveIsLookedForAtEachSomeBytes() throws {
        let folder = try TestFolder()
        let file = try OpenFile(folder.path + "/file", O_WRONLY | O_CREAT)
        // No disk has so much.
        var watch = RoomWatch(reserve: .max)
        for _ in 0..<3 {
            try watch.wrote(Limits.unsyncedFileBytes - 1, to: file)
            let hasNoRoom = isFull(&watch, file)
            #expect(hasNoRoom)
        }
        var small = RoomWatch(reserve: 0)
        try small.wrote(10 * Limits.unsyncedFileBytes, to: file)
    }

    @Test func whatIsFoundIsSaid() throws {
        let folder = try TestFolder()
        let file = try OpenFile(folder.path + "/file", O_WRONLY | O_CREAT)
        do throws(ShelfError) {
            try RoomWatch(reserve: .max).check(file)
            Issue.record("no disk has so much room")
        } catch {
            guard case .full(needed: UInt64.max, free: let free) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(free > 0)
        }
    }
}
