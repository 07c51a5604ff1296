import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Synchronization

/// How far each file has come, as the engine last told: whoever describes a message asks nobody else.
final class TransferBook: Sendable {
    private let views = Mutex<[FileID: TransferView]>([:])
    /// Whether a file is on the shelf as a whole. After the restore of a backup none is, whatever the rows say.
    private let isOnShelf: @Sendable (FileID) -> Bool

    /// Files that are remembered: as many as the engine keeps rows, and those that it forgot since.
    private static let most = 2 * (Limits.transfers + Limits.finishedTransfers)

    init(isOnShelf: @escaping @Sendable (FileID) -> Bool) { self.isOnShelf = isOnShelf }

    func learn(_ view: TransferView) {
        views.withLock { views in
            views[view.record.file] = view
            guard views.count > Self.most else { return }
            // What is here is found again when it is fetched again.
            views = views.filter { $0.value.record.state != .done }
        }
    }

    func view(of file: FileID) -> TransferView? { views.withLock { $0[file] } }

    /// Describes a file of a message.
    ///
    /// - Parameter mine: whether the user has sent it: then it is here as a rule.
    /// - Parameters:
    ///   - number: which of the files of the message it is, from 1; `nil` if it is the only one.
    ///   - message: the message that names it.
    func info(_ mention: FileMention, number: Int?, of message: EventID, mine: Bool) -> FileInfo {
        var info = FileInfo(
            file: mention.file.text,
            name: SafeFileName(mention.name).text,
            size: mention.size,
            state: .offered
        )
        if info.name != mention.name { info.sentName = mention.name }
        info.reference = number.map { "\(message.text)/\($0)" } ?? message.text
        if mention.isFolder { info.folder = true }
        if mention.width > 0, mention.height > 0 {
            (info.width, info.height) = (Int(mention.width), Int(mention.height))
        }
        let view = view(of: mention.file)
        if mine || view?.record.state == .done, isOnShelf(mention.file) {
            info.state = .here
        } else if let view, view.record.state != .done {
            info.state = FileState(view.record.state)
            if view.bytes > 0 { info.bytes = view.bytes }
            if view.waits { info.waits = true }
            if case .failed(let trouble) = view.record.state { info.why = trouble.words }
        }
        return info
    }
}

extension FileState {
    init(_ state: TransferRecord.State) {
        switch state {
        case .wanted: self = .fetching
        case .paused: self = .paused
        case .done: self = .here
        // Fetched again only by hand, like one that was never fetched.
        case .removed: self = .offered
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        }
    }
}
