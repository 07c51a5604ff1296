import ParlanceControl

/// Describes a line about a group in one sentence for people.
enum NoteText {
    /// The sentence; it contains unescaped names, so apply `VisibleText` before showing it.
    static func sentence(_ message: MessageInfo) -> String? {
        guard let note = message.note else { return nil }
        let who = message.mine ? "You" : message.shownSender
        let text = NameText.plain(note.text ?? "")
        switch note.kind {
        case .created:
            let others = note.people.filter { $0.id != message.sender }
            return "\(who) created the group \"\(text)\"" + (others.isEmpty ? "" : " with \(names(others))")
        case .added: return "\(who) added \(names(note.people))"
        case .removed: return "\(who) removed \(names(note.people))"
        case .left: return "\(who) left"
        case .appointed:
            return "\(who) made \(names(note.people)) \(note.people.count == 1 ? "an admin" : "admins")"
        case .dismissed: return "\(who) removed \(names(note.people)) as \(note.people.count == 1 ? "admin" : "admins")"
        case .renamed: return "\(who) renamed the group to \"\(text)\""
        case .topic:
            return text.isEmpty ? "\(who) removed the topic" : "\(who) set the topic: \(text)"
        case .forked:
            let whose = message.mine ? "Your" : "\(message.shownSender)'s"
            return
                "\(whose) messages go on in two branches here: a restored backup or a copied folder (parlance doctor)"
        }
    }

    private static func names(_ people: [Person]) -> String { PeopleText.list(people) }
}
