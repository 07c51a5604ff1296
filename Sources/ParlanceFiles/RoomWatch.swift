import Glibc
import ParlanceWire

/// Looks now and then whether the disk still has its reserve while a long file is written: others write to it, too, and
/// messages need the reserve.
struct RoomWatch {
    private let reserve: UInt64
    /// Bytes that were written since it last looked.
    private var written = 0

    init(reserve: UInt64 = Limits.diskReserveBytes) {
        self.reserve = reserve
    }

    /// Takes note of bytes that were written.
    ///
    /// - Throws: `full` if the reserve is not free any more.
    mutating func wrote(_ count: Int, to file: borrowing OpenFile) throws(ShelfError) {
        written += count
        guard written >= Limits.unsyncedFileBytes else { return }
        written = 0
        try check(file)
    }

    /// - Parameter bytes: those that are still to be written.
    func check(_ file: borrowing OpenFile, for bytes: UInt64 = 0) throws(ShelfError) {
        var status = statvfs()
        guard fstatvfs(file.descriptor, &status) == 0 else { throw .lastFailure }
        let free = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
        guard bytes + reserve <= free else { throw .full(needed: bytes + reserve, free: free) }
    }
}
