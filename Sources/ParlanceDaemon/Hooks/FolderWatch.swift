import CParlanceSystem
import Dispatch
import Glibc

/// Tells when the contents of a folder may have changed, also when it is made, replaced or removed (inotify(7)).
///
/// It watches the folder, or the nearest folder above it that exists and can be read; where a link leads to none, also
/// the nearest to what it leads to. Everything happens on its queue.
final class FolderWatch: @unchecked Sendable {
    private let path: String
    private let queue: DispatchQueue
    private let changed: () -> Void
    private var source: (any DispatchSourceRead)?
    private var descriptor: Int32 = -1
    private var watched: Set<Int32> = []

    init(_ path: String, _ queue: DispatchQueue, changed: @escaping () -> Void) {
        (self.path, self.queue, self.changed) = (path, queue, changed)
    }

    /// Begins; calls `changed` at once, and then after each change. Without inotify it stays at the first call.
    func start() {
        dispatchPrecondition(condition: .onQueue(queue))
        descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        if descriptor >= 0 {
            let descriptor = descriptor
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
            source.setEventHandler { [weak self] in self?.read() }
            source.setCancelHandler { close(descriptor) }
            source.activate()
            self.source = source
            watchNearest()
        }
        changed()
    }

    func stop() {
        dispatchPrecondition(condition: .onQueue(queue))
        source?.cancel()
        source = nil
    }

    private func read() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard source != nil else { return }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while Glibc.read(descriptor, &buffer, buffer.count) > 0 {}
        // First the watch, then the look, so that nothing that happens in between is missed.
        watchNearest()
        changed()
    }

    private func watchNearest() {
        while true {
            let nearest = self.nearest
            var numbers: Set<Int32> = []
            var hasVanished = false
            for folder in nearest {
                // For a folder that is watched already this changes nothing; a new one in its place gets a new number.
                let number = inotify_add_watch(descriptor, folder, Self.events)
                if number >= 0 {
                    numbers.insert(number)
                } else {
                    hasVanished = hasVanished || Self.vanished.contains(errno)
                }
            }
            for number in watched.subtracting(numbers) { inotify_rm_watch(descriptor, number) }
            watched = numbers
            // A folder that goes at this moment leaves nothing to tell of what comes in its place.
            if !hasVanished && self.nearest == nearest { return }
        }
    }

    /// Errors of a folder that was there a moment ago.
    private static let vanished = [ENOENT, ENOTDIR]

    private static let events =
        UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_CLOSE_WRITE)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// The folder, or the nearest one above it that can be watched, which tells when that changes. Where the first part
    /// of the way that cannot is a link, also the nearest one to what it leads to, and so on.
    private var nearest: [String] {
        var found: [String] = []
        var place = path
        for _ in 0...FolderPath.mostLinks {
            var folder = place
            var missing: String?
            while folder != "/", !Self.canWatch(folder) {
                missing = folder
                folder = FolderPath.above(folder)
            }
            found.append(folder)
            guard let missing, let next = FolderPath.following(missing, in: place) else { break }
            place = next
        }
        return found
    }

    private static func canWatch(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return false }
        return faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0
    }
}
