package import ParlanceRecords
package import ParlanceWire

/// The verdict on an event by the table of void events (events.md).
package enum PlainMeaning {
    /// The text of a message or an edit; unknown without a body.
    case text(String, [PeerID], [FileMention])
    case unknownText
    case delete
    case reaction(emoji: String, removed: Bool)
    case withdraw(UInt64)
    case note(GroupNote)
    case nothing
    case void
    /// Void because of its body alone: for a deleted message that can no longer be decided.
    case voidByText

    init(text event: StoredEvent) {
        guard let body = event.body else {
            self = .unknownText
            return
        }
        self = .voidByText
        guard let message = WireMessageBody(decoding: body), message.mentions.count <= Limits.mentions,
            message.text.utf8.count <= Limits.textBytes
        else { return }
        let names = event.header.kind == .edit ? [] : message.files
        guard !(TextRules.isBlank(message.text) && names.isEmpty), names.count <= 32 else { return }
        var files: [FileMention] = []
        for file in names {
            guard let id = FileID(file.file), file.size <= 1 << 40, (1...1_024).contains(file.name.utf8.count) else {
                return
            }
            files.append(
                FileMention(
                    file: id,
                    name: file.name,
                    size: file.size,
                    isFolder: file.folder,
                    width: file.width,
                    height: file.height
                )
            )
        }
        self = .text(message.text, message.mentions.compactMap { PeerID($0) }, files)
    }

    package init(withdrawal event: StoredEvent) {
        self = .void
        guard let body = event.body, let withdrawal = WireWithdrawBody(decoding: body) else { return }
        guard withdrawal.sequence > 0, withdrawal.sequence < event.header.sequence else { return }
        self = .withdraw(withdrawal.sequence)
    }

    init(reaction event: StoredEvent) {
        self = .void
        guard let body = event.body, let reaction = WireReactionBody(decoding: body) else { return }
        guard reaction.emoji.utf8.count <= 32, !TextRules.isBlank(reaction.emoji),
            !TextRules.hasControls(reaction.emoji)
        else { return }
        self = .reaction(emoji: reaction.emoji, removed: reaction.removed)
    }

    init(label event: StoredEvent) {
        self = .void
        guard let body = event.body else { return }
        if event.header.kind == .title {
            if let title = WireTitleBody(decoding: body)?.title, TextRules.isTitle(title) {
                self = .note(.renamed(title))
            }
        } else if let topic = WireTopicBody(decoding: body)?.topic, topic.isEmpty || TextRules.isTitle(topic) {
            self = .note(.topic(topic))
        }
    }

    init(lifetime event: StoredEvent) {
        self = .void
        guard let seconds = event.body.flatMap({ WireLifetimeBody(decoding: $0) })?.seconds else { return }
        if seconds == 0 || seconds >= 3_600 && seconds <= 315_360_000 { self = .note(.lifetime(seconds: seconds)) }
    }

    var isVoid: Bool {
        switch self {
        case .void, .voidByText: true
        default: false
        }
    }
}
