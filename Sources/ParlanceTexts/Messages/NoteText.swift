package import ParlanceControl
package import ParlanceWords

/// Describes a line that is no message in one sentence for people.
package enum NoteText {
    /// The sentence that the daemon gave, or the same of this program if the daemon is older; nil for a message.
    ///
    /// It came from elsewhere, so apply `VisibleText` before showing it.
    package static func sentence(_ message: MessageInfo) -> String? {
        message.note.map { say($0.sentence ?? phrase($0, of: message)) }
    }

    /// The sentence, from which the daemon makes `sentence` of NoteInfo.
    ///
    /// - Parameter message: the line of the note, with its author and its group.
    package static func phrase(_ note: NoteInfo, of message: MessageInfo) -> Phrase {
        let (isOwn, who) = (message.mine, message.shownSender)
        let text = NameText.plain(note.text ?? "")
        let count = note.count ?? note.people.count
        let people = PeopleText.whom(note.people, count: count)
        let isOne = count == 1
        switch note.kind {
        case .created:
            let others = note.people.filter { $0.id != message.sender }
            return created(text, by: message, with: others, count: count - (note.people.count - others.count))
        case .added: return isOwn ? Phrase("You added \(people)") : Phrase("\(who) added \(people)")
        case .removed: return isOwn ? Phrase("You removed \(people)") : Phrase("\(who) removed \(people)")
        case .left: return isOwn ? Phrase("You left") : Phrase("\(who) left")
        case .appointed where isOne:
            return isOwn ? Phrase("You made \(people) an admin") : Phrase("\(who) made \(people) an admin")
        case .appointed: return isOwn ? Phrase("You made \(people) admins") : Phrase("\(who) made \(people) admins")
        case .dismissed where isOne:
            return isOwn ? Phrase("You removed \(people) as admin") : Phrase("\(who) removed \(people) as admin")
        case .dismissed:
            return isOwn ? Phrase("You removed \(people) as admins") : Phrase("\(who) removed \(people) as admins")
        case .renamed:
            return isOwn
                ? Phrase("You renamed the group to \"\(text)\"") : Phrase("\(who) renamed the group to \"\(text)\"")
        case .topic where text.isEmpty:
            return isOwn ? Phrase("You removed the topic") : Phrase("\(who) removed the topic")
        case .topic: return isOwn ? Phrase("You set the topic: \(text)") : Phrase("\(who) set the topic: \(text)")
        case .lifetime: return lifetime(note.seconds ?? 0, by: message)
        case .forked:
            return isOwn
                ? Phrase(
                    "Your messages go on in two branches here: a restored backup or a copied folder (parlance doctor)"
                )
                : Phrase(
                    "\(who)'s messages go on in two branches here: a restored backup or a copied folder (parlance doctor)"
                )
        }
    }

    /// In a group it is so; in a direct conversation both must want it.
    private static func lifetime(_ seconds: Int, by message: MessageInfo) -> Phrase {
        let (isOwn, who, period) = (message.mine, message.shownSender, PeriodText.phrase(seconds: seconds))
        if seconds == 0 {
            return isOwn
                ? Phrase("You turned disappearing messages off") : Phrase("\(who) turned disappearing messages off")
        }
        if message.group == nil {
            return isOwn
                ? Phrase("You want messages to disappear after \(period)")
                : Phrase("\(who) wants messages to disappear after \(period)")
        }
        return isOwn
            ? Phrase("You let messages disappear after \(period)")
            : Phrase("\(who) lets messages disappear after \(period)")
    }

    private static func created(_ title: String, by message: MessageInfo, with others: [Person], count: Int) -> Phrase {
        let who = message.shownSender
        guard !others.isEmpty else {
            return message.mine
                ? Phrase("You created the group \"\(title)\"") : Phrase("\(who) created the group \"\(title)\"")
        }
        let people = PeopleText.whom(others, count: count)
        return message.mine
            ? Phrase("You created the group \"\(title)\" with \(people)")
            : Phrase("\(who) created the group \"\(title)\" with \(people)")
    }
}
