import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// Describes an event for people.
enum EventText {
    /// One sentence; it contains unescaped names, so apply `VisibleText` before showing it.
    static func sentence(_ event: any ControlEvent) -> String {
        (event as? any ShownEvent)?.sentence ?? event.kind.rawValue
    }

    static func role(_ event: any ControlEvent) -> TextStyle.Role {
        (event as? any ShownEvent)?.role ?? .faint
    }

    /// The group of an event as a prefix; empty for a direct conversation.
    fileprivate static func place(_ group: String?) -> String {
        group.map { "[\(NameText.plain($0))] " } ?? ""
    }
}

/// An event as the command shows it; every kind of event conforms.
protocol ShownEvent: ControlEvent {
    var sentence: String { get }
    var role: TextStyle.Role { get }
}

extension ShownEvent {
    var role: TextStyle.Role { .faint }
}

extension MessageEvent: ShownEvent {
    var sentence: String { EventText.place(message.group) + MessageSummary.line(message, withSender: true) }
}

extension NoteEvent: ShownEvent {
    var sentence: String { EventText.place(message.group) + MessageSummary.line(message, withSender: true) }
    var role: TextStyle.Role { .plain }
}

extension ChangedEvent: ShownEvent {
    var sentence: String {
        if message.status == .failed {
            return EventText.place(message.group) + MessageSummary.line(message, withSender: true)
                + "  [\(StatusText.words(message).map(say) ?? "")]"
        }
        let edited = message.versions != nil && message.deleted == nil ? " " + say("(edited)") : ""
        let reactions = message.reactions.map { "  " + MessageSummary.reactions($0) } ?? ""
        return EventText.place(message.group) + say("changed (\(message.id.prefix(12))):") + " "
            + MessageSummary.line(message, withSender: true) + edited + reactions
    }
    var role: TextStyle.Role { message.status == .failed ? .bad : .plain }
}

extension WithdrawnEvent: ShownEvent {
    var sentence: String {
        say("a message is no longer shown: it was taken back or does not count (\(id.prefix(12)))")
    }
}

extension RemovedEvent: ShownEvent {
    var sentence: String {
        let name = NameText.marked(title, trust)
        return ids.count == 1
            ? say("a message was removed from \(name)")
            : say("\(ids.count) messages were removed from \(name)")
    }
}

extension GroupInfo: ShownEvent {
    var sentence: String {
        guard isMember else {
            let name = NameText.plain(title)
            return ended.map { say("you are not a member of the group \"\(name)\" any more: \($0.sentence)") }
                ?? say("you are not a member of the group \"\(name)\" any more")
        }
        let name = say("the group \"\(NameText.plain(title))\"") + (topic.map { ": \($0)" } ?? "")
        return say("\(name) (with \(PeopleText.list(members.map(\.person))))")
    }
    var role: TextStyle.Role { .plain }
}

extension StatusEvent: ShownEvent {
    var sentence: String {
        say("your messages to \(NameText.marked(title, trust)) are \(status.words)")
    }
}

extension ReachedEvent: ShownEvent {
    var sentence: String {
        let (name, title) = (member.shownName, NameText.plain(title))
        return status == .read
            ? say("\(name) has read your messages to \(title)") : say("\(name) has got your messages to \(title)")
    }
}

extension FailedEvent: ShownEvent {
    var sentence: String { say("your messages to \(NameText.marked(title, trust)) failed: \(why)") }
    var role: TextStyle.Role { .bad }
}

extension PeerInfo: ShownEvent {
    var sentence: String {
        let link = connected ? Phrase("connected") : nearby ? Phrase("nearby") : Phrase("gone")
        let notes = [warning.map { Phrase("warning: \($0)") }, note].compactMap { $0 }.map(say)
        return say("\(shownName) (\(PeerIDText.short(id))) is \(link), \(trust.words)")
            + (notes.isEmpty ? "" : ": " + notes.joined(separator: "; "))
    }
}

extension PresenceEvent: ShownEvent {
    var sentence: String {
        say("\(NameText.marked(displayName, trust)) is \(presence.words)") + (statusText.map { " (\($0))" } ?? "")
    }
}

extension TypingEvent: ShownEvent {
    var sentence: String {
        let name = NameText.marked(displayName, trust)
        guard let group = group.map({ NameText.plain($0) }) else {
            return active ? say("\(name) is typing") : say("\(name) has stopped typing")
        }
        return active ? say("\(name) is typing in \(group)") : say("\(name) has stopped typing in \(group)")
    }
}

extension RequestEvent: ShownEvent {
    var sentence: String {
        say("\(NameText.plain(name)) (\(PeerIDText.short(peer))) asks to talk: \(preview)")
            + (warning.map { " " + say("(warning: \($0))") } ?? "")
    }
    var role: TextStyle.Role { .strong }
}

extension PreferenceInfo: ShownEvent {
    var sentence: String {
        let words = PreferenceText.words(
            pinned: pinned,
            muted: muted,
            until: mutedUntil,
            quiet: quiet,
            retain: retain,
            hidden: hidden == true,
            .system()
        )
        if words.isEmpty {
            return say("\(shownTitle) is not pinned, muted or hidden now, and keeps its messages")
        }
        return say("\(shownTitle) is now \(words)")
    }
}

extension DiscoveryInfo: ShownEvent {
    var sentence: String {
        let parts = [message, advice].compactMap { $0 }.map(say)
        return say("discovery is \(state.words)") + (parts.isEmpty ? "" : ": " + parts.joined(separator: " "))
    }
    var role: TextStyle.Role { state == .running ? .good : .warning }
}

extension FileEvent: ShownEvent {
    var sentence: String {
        let id = file.prefix(FileInfo.idCharacters)
        if let why { return say("the file \(id) could not be fetched: \(why.withoutPeriod)") }
        guard state == .fetching else { return say("the file \(id) is \(state.words)") }
        return say("the file \(id) is being fetched: \(FileText.percent(bytes, of: size)) % here")
    }
}

extension UploadEvent: ShownEvent {
    var sentence: String {
        let id = file.prefix(FileInfo.idCharacters)
        if let why { return say("\(peer.shownName) does not fetch the file \(id) any more: \(why.withoutPeriod)") }
        return say("\(peer.shownName) has \(FileText.size(bytes)) of the file \(id)")
    }
}

extension WorkspaceEvent: ShownEvent {
    var sentence: String {
        news.isEmpty ? say("the workspace has changed") : news.map(say).joined(separator: " ")
    }
    var role: TextStyle.Role { .strong }
}

extension AnswerEvent: ShownEvent {
    var sentence: String { say("the assistant writes: \(text)") }
}

extension StoppingEvent: ShownEvent {
    var sentence: String { say(why) }
    var role: TextStyle.Role { .bad }
}

extension LaggedEvent: ShownEvent {
    var sentence: String {
        dropped == 1
            ? say("1 event was lost, because events were not read fast enough")
            : say("\(dropped) events were lost, because events were not read fast enough")
    }
    var role: TextStyle.Role { .bad }
}
