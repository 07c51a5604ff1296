import CParlanceSystem
import Foundation
import ParlanceWords

/// The exclusive lock of a store, in a separate file beside it, so that two daemons never share a store.
///
/// It is a `flock`, so it ends with the process in any case. Never open the database file itself outside SQLite while
/// it is in use: closing it would release SQLite's locks.
final class StoreLock: Sendable {
    private let descriptor: Int32

    init(path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw .cannotOpen(path, because: errno) }
        guard parlance_lock_exclusive(descriptor) == 0 else {
            let reason = errno
            let holder = Self.readHolder(descriptor)
            close(descriptor)
            throw reason == EWOULDBLOCK ? Self.inUse(path, by: holder) : .cannotOpen(path, because: reason)
        }
        self.descriptor = descriptor
        writeHolder()
    }

    deinit {
        // A program that is being started has the descriptor too until it runs, and would keep the lock that long.
        parlance_unlock(descriptor)
        close(descriptor)
    }

    private func writeHolder() {
        let text = Array("\(getpid())\n".utf8)
        // The process ID only helps people; the lock works without it, so a full disk is no reason to fail here.
        if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, text, text.count, 0) }
    }

    private static func readHolder(_ descriptor: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
    }

    private static func inUse(_ path: String, by holder: Int32?) -> StoreError {
        guard let holder else {
            return StoreError(
                .inUse,
                "The message store is in use by another process.",
                advice: "Stop it, or choose another profile for this one.",
                cause: path
            )
        }
        return StoreError(
            .inUse,
            "A node uses this message store already: process \(holder).",
            advice: "If that is your node, nothing is to be done. For another node, choose another profile.",
            cause: path
        )
    }
}

extension StoreError {
    static func cannotOpen(_ path: String, because reason: Int32) -> StoreError {
        StoreError(
            .cannotOpen,
            "The message store cannot be opened: \(path): \(String(cString: strerror(reason))).",
            advice: "Check that the folder exists, belongs to you and can be written to.",
            cause: "errno \(reason)"
        )
    }
}
