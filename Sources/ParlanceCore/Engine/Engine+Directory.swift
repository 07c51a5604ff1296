import ParlanceRecords
import ParlanceWire

// What is told of everybody and everything that this node knows (`Directory`).
extension Engine {
    /// The directory, if it has changed since the last call. The shell publishes it before it carries out the effects.
    package mutating func takeDirectory() -> Directory? {
        guard isDirectoryNew else { return nil }
        isDirectoryNew = false
        return directory
    }

    /// Begins the directory with a look at everything.
    mutating func beginDirectory() {
        directory = wholeDirectory
        _ = contacts.takeChanged()
        turn.changed = Directory.Changes()
    }

    /// Notes what a batch that is durable changes of the directory.
    mutating func noteDurable(_ done: PendingBatch, _ receipt: PersistReceipt) {
        turn.changed.groups.formUnion(done.groups.keys)
        turn.changed.groups.formUnion(receipt.labels.map(\.conversation))
        if done.rows.profile != nil || !done.rows.preferences.isEmpty { turn.changed.hasSettings = true }
    }

    /// Takes what an input has changed into the directory: looks at that alone, whatever else is known.
    mutating func updateDirectory() {
        for peer in contacts.takeChanged() {
            let known = known(peer)
            if directory.set(known, of: peer) { isDirectoryNew = true }
        }
        let changed = turn.changed
        guard changed != Directory.Changes() else { return }
        turn.changed = Directory.Changes()
        for group in changed.groups {
            let face = face(of: group)
            if directory.set(face, of: group) { isDirectoryNew = true }
        }
        for file in changed.files {
            let view = transfers.rows[file].map { transfers.view(of: $0, at: turn.now.monotonic) }
            if directory.set(view, of: file) { isDirectoryNew = true }
        }
        if changed.hasSettings {
            directory.set(stored.profile, stored.preferences)
            isDirectoryNew = true
        }
    }

    private func known(_ peer: PeerID) -> Directory.Peer? {
        contacts[peer].map { Directory.Peer($0, displayName: contacts.displayName(of: $0)) }
    }

    private func face(of group: ConversationID) -> Directory.GroupFace? {
        guard let group = conversations[group]?.group else { return nil }
        return Directory.GroupFace(group, own: identity)
    }

    /// The directory that a look at everything gives.
    private var wholeDirectory: Directory {
        var whole = Directory(identity: identity, profile: stored.profile, preferences: stored.preferences)
        for peer in contacts.ids { whole.set(known(peer), of: peer) }
        for id in conversations.ids { whole.set(face(of: id), of: id) }
        for view in transfers.views(at: turn.now.monotonic) { whole.set(view, of: view.record.file) }
        return whole
    }

    /// Whether the directory says what a look at everything gives: for tests.
    var isDirectorySound: Bool { directory.agrees(with: wholeDirectory) }
}
