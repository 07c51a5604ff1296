import Dispatch
import Glibc

/// Tells when the contents of a folder may have changed, also when it is made, replaced or removed (inotify(7)).
///
/// It watches the folder, or the nearest folder above it that exists. Everything happens on its queue.
final class FolderWatch: @unchecked Sendable {
    private let path: String
    private let queue: DispatchQueue
    private let changed: () -> Void
    private var source: (any DispatchSourceRead)?
    private var descriptor: Int32 = -1
    private var watched: (path: String, number: Int32)?

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
            if let watched, watched.path != nearest { inotify_rm_watch(descriptor, watched.number) }
            // For a folder that is watched already this changes nothing; a new one in its place gets a new number.
            let number = inotify_add_watch(descriptor, nearest, Self.events)
            watched = number < 0 ? nil : (nearest, number)
            if number < 0 || self.nearest == nearest { return }
        }
    }

    private static let events =
        UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_CLOSE_WRITE)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    /// The folder, or the nearest one above it that exists.
    private var nearest: String {
        var folder = path
        var status = stat()
        while stat(folder, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR {
            guard let end = folder.lastIndex(of: "/"), end != folder.startIndex else { return "/" }
            folder = String(folder[..<end])
        }
        return folder
    }
}
