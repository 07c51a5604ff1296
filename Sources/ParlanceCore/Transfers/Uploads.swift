import ParlanceWire

/// What peers that fetch files from this node have told, for people to see.
struct Uploads: Equatable, Sendable {
    private var entries: [Key: Entry] = [:]
    private var lastNumber: UInt64 = 0

    private struct Key: Hashable {
        var file: FileID
        var peer: PeerID
    }

    private struct Entry: Equatable {
        var view: UploadView
        /// Counts changes.
        var number: UInt64
        var toldAt: Int64
    }

    var count: Int { entries.count }

    /// The one that changed last comes first.
    var views: [UploadView] { entries.values.sorted { $0.number > $1.number }.map(\.view) }

    /// Notes how far a peer is. People are told at most once a second, but of its end at once.
    mutating func note(_ view: UploadView, isEnd: Bool, _ turn: inout Turn) {
        let key = Key(file: view.file, peer: view.peer)
        let before = entries[key]
        guard before?.view != view else { return }
        lastNumber += 1
        let now = turn.now.monotonic
        let tells = isEnd || now - (before?.toldAt ?? .min / 2) >= Limits.progressMilliseconds
        entries[key] = Entry(view: view, number: lastNumber, toldAt: tells ? now : before?.toldAt ?? now)
        if tells { turn.emit(.notify(.upload(view))) }
        guard entries.count > Limits.uploadsShown, let oldest = entries.min(by: { $0.value.number < $1.value.number })
        else { return }
        entries[oldest.key] = nil
    }

    /// A peer asks for no more of a file, unless it has it.
    mutating func end(_ file: FileID, _ peer: PeerID, _ trouble: UploadView.Trouble, _ turn: inout Turn) {
        let known = entries[Key(file: file, peer: peer)]?.view
        // A disk can be full before the first piece is asked for.
        guard var view = known ?? (trouble == .noRoom ? UploadView(file: file, peer: peer, bytes: 0) : nil) else {
            return
        }
        view.trouble = trouble
        note(view, isEnd: true, &turn)
    }
}
