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
            if let failure = Self.apply(changes, to: file) { tell(.draftsFailed(failure, changes)) }
        }
    }

    /// Keeps the last changes.
    ///
    /// - Returns: once everything is on the disk, nil; otherwise why it is not.
    func finish(_ changes: [KeptDraft]) -> ControlFailure? {
        guard let file, !changes.isEmpty else {
            queue.sync {}
            return nil
        }
        return queue.sync { Self.apply(changes, to: file) }
    }

    private static func apply(_ changes: [KeptDraft], to file: DraftFile) -> ControlFailure? {
        do throws(ControlFailure) {
            try file.apply(changes)
            return nil
        } catch { return error }
    }
}
