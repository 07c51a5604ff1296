import Foundation
import Logging
import ParlanceCore
import ParlanceFiles
import ParlanceStore
import ParlanceWire
import Synchronization

// Which files stay.
extension ShelfService {
    /// Removes what no message names any more, and what somebody was about to put on the shelf and never did.
    ///
    /// What was used within the last hour stays, because somebody may be about to send it.
    ///
    /// - Parameter now: in seconds since 1970.
    package func sweep(at now: Int64 = WallClock.milliseconds() / 1_000) {
        keeper.async { [self] in
            guard let named = findNamed() else { return }
            let old = now - Limits.fileGraceSeconds
            change { [logger] shelf in
                shelf.removeIncoming(before: now - Limits.incomingFileSeconds)
                let unnamed = shelf.entries().filter { !named.all.contains($0.id) && $0.used < old }.map(\.id)
                let whole = unnamed.filter { shelf.remove($0, unusedSince: old) }
                let left = unnamed.count { shelf.entry(of: $0).map { $0.used < old } == true }
                if left > 0 {
                    logger.warning("Files that no message names could not be removed", metadata: ["files": "\(left)"])
                }
                let parts = shelf.unfinished().filter {
                    !named.all.contains($0) && shelf.lastWritten(part: $0) ?? old < old
                }
                for file in parts { shelf.drop(part: file) }
                let removed = whole + parts
                if !removed.isEmpty {
                    logger.info("Files that no message names were removed", metadata: ["files": "\(removed.count)"])
                }
                return removed
            }
            keepToQuota(at: now)
        }
    }

    /// A file has come: compares the shelf with the quota if that may be passed now. Where what may not be removed is more
    /// than the quota, does so once for each 64th of it.
    func keepToQuota(after bytes: UInt64) {
        let isNear = room.withLock { room in
            defer { room -= min(room, bytes) }
            return bytes > room
        }
        if isNear { keepToQuota() }
    }

    /// Removes files that others sent, the ones used longest ago first, if all files do not fit into the quota. They can be
    /// fetched again. What this user has sent stays, and so does what was used within the last hour.
    ///
    /// - Parameter now: in seconds since 1970.
    func keepToQuota(at now: Int64 = WallClock.milliseconds() / 1_000) {
        guard allowance.quota != nil, !isShrinking.exchange(true, ordering: .relaxed) else { return }
        keeper.async { [self] in
            isShrinking.store(false, ordering: .relaxed)
            guard let quota = allowance.quota, let named = findNamed() else { return }
            let old = now - Limits.fileGraceSeconds
            change { [self] shelf in
                let (removed, bytes) = shelf.shrink(to: quota) { named.own.contains($0.id) || $0.used >= old }
                room.withLock { $0 = bytes > quota ? quota / 64 : quota - bytes }
                if !removed.isEmpty {
                    logger.info("Files were removed to keep to file-quota", metadata: ["files": "\(removed.count)"])
                }
                return removed.map(\.id)
            }
        }
    }

    /// Nil: nothing is known, so everything stays.
    private func findNamed() -> NamedFiles? {
        do throws(StoreError) {
            return try named()
        } catch {
            logger.error("The store could not be read", metadata: ["error": "\(error)"])
            return nil
        }
    }
}
