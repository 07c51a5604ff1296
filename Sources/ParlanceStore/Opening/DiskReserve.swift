import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Synchronization

/// A file that takes room from the disk, so that there is some when the disk is full: what makes room may use it, such as
/// the clearing of a conversation, any other command that brings no texts, and a start. It holds nothing, and no backup has
/// it.
///
/// Without it a disk that only this program fills could not be emptied: SQLite writes what it removes to its log first.
final class DiskReserve: Sendable {
    private let path: String
    private let folder: String
    /// Whether the room is given away. Until it is there again, nothing that takes room is written.
    private let isOut = Mutex(false)
    /// Whether only a part of the room is taken.
    private let isShort = Mutex(false)

    init(in folder: StoreFolder) {
        (path, self.folder) = (folder.path + "/store.reserve", folder.path)
    }

    /// Bytes that can still be written to the disk; a very great number if that is not known.
    var free: UInt64 {
        var status = statvfs()
        guard statvfs(folder, &status) == 0 else { return .max / 2 }
        return UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize)).partialValue
    }

    /// Whether the disk is so full that the write-ahead log has to stay short: the database needs room to take it in.
    var isTight: Bool { free < Limits.tightDiskBytes }

    /// Makes room for a start, which writes a little.
    func beforeStart() {
        if free < Limits.diskReserveFileBytes { release() }
    }

    /// Takes the room, as far as there is some. Before anything was cleared there has to be enough for all of it.
    func afterStart() { _ = take(leaving: Limits.diskReserveLeftBytes, atLeast: Limits.diskReserveFileBytes) }

    /// Gives the room away.
    ///
    /// - Returns: whether there was any.
    @discardableResult
    func release() -> Bool {
        let held = held
        guard held > 0, truncate(path, 0) == 0 else { return false }
        isOut.withLock { $0 = true }
        return true
    }

    /// Takes the room again if it was given away and there is enough of it.
    ///
    /// - Parameter hasCleared: whether the store has just made room in itself. Then half of what is left on the disk will
    ///   do: new messages take the place of those that are gone, and need the other half for the write-ahead log.
    /// - Returns: whether messages can be stored.
    @discardableResult
    func restore(hasCleared: Bool = false) -> Bool {
        guard isOut.withLock({ $0 }) else { return true }
        return hasCleared
            ? take(leaving: free / 2, atLeast: Limits.diskReserveFileBytes / 8)
            : take(leaving: Limits.diskReserveLeftBytes, atLeast: Limits.diskReserveFileBytes)
    }

    /// Takes the rest of the room as soon as the disk has enough of it.
    func refill() {
        guard isShort.withLock({ $0 }), !isTight else { return }
        _ = take(leaving: Limits.diskReserveLeftBytes, atLeast: 0)
    }

    /// Bytes that the file takes from the disk.
    var held: UInt64 {
        var status = stat()
        guard stat(path, &status) == 0 else { return 0 }
        return UInt64(clamping: status.st_blocks) * 512
    }

    private func take(leaving left: UInt64, atLeast least: UInt64) -> Bool {
        // Where a file system cannot take room at once, the C library reads what is there and writes it again.
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return note(isTaken: !Self.meansFull(errno)) }
        defer { close(descriptor) }
        let room = free
        let size = min(Limits.diskReserveFileBytes, held + (room > left ? room - left : 0))
        defer { isShort.withLock { $0 = held < Limits.diskReserveFileBytes } }
        guard size > held else { return note(isTaken: held >= least) }
        // Some file systems take the room only when it is written to; this call does that there.
        let code = posix_fallocate(descriptor, 0, off_t(size))
        guard code == 0 else { return note(isTaken: held >= least || !Self.meansFull(code)) }
        return note(isTaken: size >= least)
    }

    /// Whether an error of the system says that there is no room. Any other one, such as that of a file system without this
    /// call, must not keep messages out.
    private static func meansFull(_ code: Int32) -> Bool { code == ENOSPC || code == EDQUOT }

    private func note(isTaken: Bool) -> Bool {
        isOut.withLock { $0 = !isTaken }
        return isTaken
    }
}

extension PersistBatch {
    /// Whether it may be written with the reserved room: it brings no texts, and removes some, or says which are to be
    /// removed, or a command of the user does something else, such as to forget or to block somebody.
    var mayUseReserve: Bool { (!retention.isEmpty || !preferences.isEmpty || answersCommand) && !takesRoom }

    /// Whether it brings texts.
    var takesRoom: Bool {
        !events.isEmpty || !bodies.isEmpty || !envelopes.isEmpty || !membership.isEmpty
            || pictures.contains { $0.picture != nil }
    }

    /// A rough estimate of what it adds to the database, in bytes.
    var roughBytes: UInt64 {
        let texts = events.reduce(0) { $0 + ($1.body?.count ?? 0) } + bodies.reduce(0) { $0 + $1.body.count }
        let kept = envelopes.reduce(0) { $0 + $1.bytes.count }
        // An event has a header and a signature, and stands in several tables.
        return Limits.diskReserveLeftBytes + UInt64(2 * (texts + kept + 512 * (events.count + bodies.count)))
    }
}
