import ParlanceControl
import ParlanceWords

/// Describes a line about a group in one sentence for people.
enum NoteText {
    /// The sentence; it contains unescaped names, so apply `VisibleText` before showing it.
    static func sentence(_ message: MessageInfo) -> String? {
        message.note.map { say(message.mine ? own($0, message) : other($0, message)) }
    }

    /// What the user did.
    private static func own(_ note: NoteInfo, _ message: MessageInfo) -> Phrase {
        let text = NameText.plain(note.text ?? "")
        let people = PeopleText.whom(note.people)
        switch note.kind {
        case .created:
            let others = note.people.filter { $0.id != message.sender }
            return others.isEmpty
                ? Phrase("You created the group \"\(text)\"")
                : Phrase("You created the group \"\(text)\" with \(PeopleText.whom(others))")
        case .added: return Phrase("You added \(people)")
        case .removed: return Phrase("You removed \(people)")
        case .left: return Phrase("You left")
        case .appointed:
            return note.people.count == 1
                ? Phrase("You made \(people) an admin") : Phrase("You made \(people) admins")
        case .dismissed:
            return note.people.count == 1
                ? Phrase("You removed \(people) as admin") : Phrase("You removed \(people) as admins")
        case .renamed: return Phrase("You renamed the group to \"\(text)\"")
        case .topic: return text.isEmpty ? Phrase("You removed the topic") : Phrase("You set the topic: \(text)")
        case .forked:
            return Phrase(
                "Your messages go on in two branches here: a restored backup or a copied folder (parlance doctor)"
            )
        }
    }

    /// What somebody else did.
    private static func other(_ note: NoteInfo, _ message: MessageInfo) -> Phrase {
        let who = message.shownSender
        let text = NameText.plain(note.text ?? "")
        let people = PeopleText.whom(note.people)
        switch note.kind {
        case .created:
            let others = note.people.filter { $0.id != message.sender }
            return others.isEmpty
                ? Phrase("\(who) created the group \"\(text)\"")
                : Phrase("\(who) created the group \"\(text)\" with \(PeopleText.whom(others))")
        case .added: return Phrase("\(who) added \(people)")
        case .removed: return Phrase("\(who) removed \(people)")
        case .left: return Phrase("\(who) left")
        case .appointed:
            return note.people.count == 1
                ? Phrase("\(who) made \(people) an admin") : Phrase("\(who) made \(people) admins")
        case .dismissed:
            return note.people.count == 1
                ? Phrase("\(who) removed \(people) as admin") : Phrase("\(who) removed \(people) as admins")
        case .renamed: return Phrase("\(who) renamed the group to \"\(text)\"")
        case .topic:
            return text.isEmpty ? Phrase("\(who) removed the topic") : Phrase("\(who) set the topic: \(text)")
        case .forked:
            return Phrase(
                "\(who)'s messages go on in two branches here: a restored backup or a copied folder (parlance doctor)"
            )
        }
    }
}
