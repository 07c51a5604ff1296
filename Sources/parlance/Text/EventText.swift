import ParlanceControl

/// What an event means, in one sentence for people.
enum EventText {
    /// The sentence; it holds names of others as they are, so make it visible text before showing it.
    static func sentence(_ event: ControlEvent) -> String {
        switch event {
        case .message(let message), .note(let message):
            place(message.group) + MessageSummary.line(message, withSender: true)
        case .changed(let message):
            changeSentence(message)
        case .withdrawn(let withdrawn):
            "a message is shown no more, since it was taken back or does not count (\(withdrawn.id.prefix(12)))"
        case .group(let group):
            groupSentence(group)
        case .status(let status):
            "your messages to \(NameText.marked(status.title, status.trust)) are \(status.status.rawValue), "
                + "up to \(status.through.prefix(12))"
        case .reached(let reached):
            "\(reached.member.shownName) has \(reached.status == .read ? "read" : "got") your messages to "
                + NameText.plain(reached.title)
        case .failed(let failed):
            "your messages to \(NameText.marked(failed.title, failed.trust)) failed: \(failed.why)"
        case .peer(let peer):
            peerSentence(peer)
        case .presence(let presence):
            "\(NameText.marked(presence.displayName, presence.trust)) is \(presence.presence.rawValue)"
                + (presence.statusText.map { " (\($0))" } ?? "")
        case .typing(let typing):
            NameText.marked(typing.displayName, typing.trust) + (typing.active ? " is typing" : " has stopped typing")
                + (typing.group.map { " in \(NameText.plain($0))" } ?? "")
        case .request(let request):
            "\(NameText.plain(request.name)) (\(PeerIDText.short(request.peer))) asks to talk: \(request.preview)"
                + (request.warning.map { " (warning: \($0))" } ?? "")
        case .discovery(let discovery):
            discoverySentence(discovery)
        case .stopping(let stopping):
            stopping.why
        case .lagged(let lagged):
            "\(lagged.dropped) events were lost, because they were not read fast enough"
        }
    }

    /// The group that an event is about, before what happened in it.
    private static func place(_ group: String?) -> String {
        group.map { "[\(NameText.plain($0))] " } ?? ""
    }

    private static func changeSentence(_ message: MessageInfo) -> String {
        let edited = message.versions != nil && message.deleted == nil ? " (edited)" : ""
        let reactions = message.reactions.map { "  " + MessageLines.words($0) } ?? ""
        return "\(place(message.group))changed (\(message.id.prefix(12))): "
            + MessageSummary.line(message, withSender: true) + edited + reactions
    }

    private static func groupSentence(_ group: GroupInfo) -> String {
        guard group.isMember else {
            let how = group.ended.map { ": \($0.sentence)" } ?? ""
            return "you are not a member of the group \"\(NameText.plain(group.title))\" any more\(how)"
        }
        let topic = group.topic.map { ": \($0)" } ?? ""
        let members = group.members.map(\.person)
        return "the group \"\(NameText.plain(group.title))\"\(topic) (with \(PeopleText.list(members)))"
    }

    private static func peerSentence(_ peer: PeerInfo) -> String {
        let link = peer.connected ? "connected" : peer.nearby ? "nearby" : "gone"
        let notes = [peer.warning.map { "warning: \($0)" }, peer.note].compactMap { $0 }
        return "\(peer.shownName) (\(PeerIDText.short(peer.id))) is \(link), \(peer.trust.rawValue)"
            + (notes.isEmpty ? "" : ": " + notes.joined(separator: "; "))
    }

    private static func discoverySentence(_ discovery: DiscoveryInfo) -> String {
        let parts = [discovery.message, discovery.advice].compactMap { $0 }
        return "discovery is \(discovery.state.rawValue)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: " "))
    }
}
