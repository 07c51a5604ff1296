import Glibc
import ParlanceCore
import ParlanceWords

/// A new folder in somebody's folder that has a hidden name until everything is in it. If the process is killed, the hidden
/// folder stays until a process of the same number makes one there.
struct DraftFolder: ~Copyable {
    let folder: OpenFile
    private let parent: Int32
    private let draft: String

    /// - Parameter parent: an open folder, which has to stay open as long as this.
    init(in parent: borrowing OpenFile) throws(ShelfError) {
        self.parent = parent.descriptor
        draft = ".parlance-\(getpid())-\(parent.descriptor)"
        Self.remove(draft, in: parent.descriptor)
        guard mkdirat(parent.descriptor, draft, 0o755) == 0 else { throw .lastFailure }
        folder = try OpenFile(draft, in: parent, O_RDONLY | O_DIRECTORY)
    }

    /// Gives it a name, if nothing has that name.
    ///
    /// - Returns: whether it has it.
    func appear(as name: UserPath) throws(ShelfError) -> Bool {
        let name = name.system
        // This takes the name, or fails. A folder replaces an empty one, and fails if something came into it since.
        guard mkdirat(parent, name, 0o755) == 0 else {
            if errno == EEXIST { return false }
            throw .lastFailure
        }
        guard renameat(parent, draft, parent, name) == 0 else {
            let error = ShelfError.lastFailure
            unlinkat(parent, name, AT_REMOVEDIR)
            throw error
        }
        return true
    }

    deinit { Self.remove(draft, in: parent) }

    /// Removes a file, or a folder with all that is in it. Links are removed, not followed. It was made here, so it is no
    /// deeper than a listing allows.
    private static func remove(_ name: String, in parent: Int32) {
        guard unlinkat(parent, name, 0) != 0, errno == EISDIR || errno == EPERM else { return }
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        let folder = OpenFile(descriptor: descriptor)
        for inner in (try? folder.names(limit: .max)) ?? [] { remove(inner.text, in: folder.descriptor) }
        unlinkat(parent, name, AT_REMOVEDIR)
    }
}
