import Dispatch
import ParlanceChat
import ParlanceControl

/// Reads and writes the file of drafts beside the screen, so that a slow disk does not hold up what is typed.
final class DraftKeeper {
    private let queue = DispatchQueue(label: "drafts")
    private let folder: String
    private let tell: @Sendable (ChatInput) -> Void
    private var file: DraftFile?

    /// - Parameters:
    ///   - folder: the user's state folder.
    ///   - tell: takes what was read, and what cannot be written.
    init(_ folder: String, _ tell: @escaping @Sendable (ChatInput) -> Void) {
        self.folder = folder
        self.tell = tell
    }

    /// Reads the drafts of the node with this ID.
    func read(_ owner: String) {
        guard let file = DraftFile(in: folder, of: owner) else { return }
        self.file = file
        queue.async { [tell] in tell(.draftsRead(file.read())) }
    }

    func keep(_ changes: [KeptDraft]) {
        guard let file else { return }
        queue.async { [tell] in
            do throws(ControlFailure) {
                try file.apply(changes)
            } catch { tell(.draftsFailed(error)) }
        }
    }

    /// Keeps the last changes. Returns once everything is on the disk.
    func finish(_ changes: [KeptDraft]) {
        if !changes.isEmpty { keep(changes) }
        queue.sync {}
    }
}
