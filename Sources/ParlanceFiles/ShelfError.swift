/// Why something could not be done with a file. In each case what was on the shelf before is there still.
package enum ShelfError: Error, Equatable, Sendable {
    /// The disk has no room: so many bytes are needed, and so many are free.
    case full(needed: UInt64, free: UInt64)
    /// The file is larger than `Limits.fileBytes`.
    case tooLarge
    /// What is to be taken is no ordinary file.
    case notAFile
    /// The file changed while it was read.
    case changed
    /// The shelf does not have it, or not that part of it.
    case missing
    /// The bytes on the disk are not those of the file any more.
    case damaged
    /// The bytes are those of the file, but they are no folder, although its message says so.
    case malformed
    /// A call of the system failed with this `errno`.
    case failed(Int32)
}
