import ParlanceControl
import ParlanceCore
import ParlanceSodium
import ParlanceWire

// Groups: who is in them and what they are called.
extension LocalControl {
    func createGroup(_ request: GroupCreateRequest, _ reply: @escaping Reply) {
        let nonce = RandomBytes.bytes(16)
        changeGroup(.createGroup(title: request.title, who: request.who, nonce: nonce), reply)
    }

    func change(_ group: String, _ change: GroupChange, _ reply: @escaping Reply) {
        changeGroup(.changeGroup(who: group, change), reply)
    }

    func topic(_ request: GroupTopicRequest, _ reply: @escaping Reply) {
        guard let topic = request.topic else { return showGroup(request.group, reply) }
        change(request.group, .topic(topic), reply)
    }

    /// Gives a command that answers with a group, and tells how that is once it is durable: its title follows from events.
    private func changeGroup(_ command: Command, _ reply: @escaping Reply) {
        inbox.offer(command) { [self] result in
            guard case .success(.group(let view)) = result else {
                return give(result, reply) { _ in nil }
            }
            showGroup(view.conversation.text, reply)
        }
    }

    func showGroup(_ who: String, _ reply: @escaping Reply) {
        learnPeople()
        give(.findGroup(who: who), reply) { [newsroom] answer in
            guard case .group(let view) = answer else { return nil }
            return .group(GroupInfo(view, newsroom))
        }
    }
}

extension GroupInfo {
    init(_ view: GroupView, _ newsroom: Newsroom) {
        let members = view.members.map { member in
            let isMe = member.peer == newsroom.identity
            return MemberInfo(
                id: member.peer.controlID,
                displayName: member.displayName,
                me: isMe,
                admin: member.isAdmin,
                trust: isMe ? nil : newsroom.trust(of: member.peer),
                connected: member.connected,
                presence: PresenceState(member.presence.activity),
                statusText: member.presence.statusText.isEmpty || member.presence.activity == nil
                    ? nil : member.presence.statusText,
                lastSeen: member.presence.lastSeen.map { ControlTime(milliseconds: $0) },
                lacks: Int(clamping: view.events - min(member.holds, view.events))
            )
        }
        self.init(
            id: view.conversation.text,
            title: view.title,
            topic: view.topic.isEmpty ? nil : view.topic,
            isMember: view.isMember,
            isAdmin: view.isAdmin,
            events: Int(clamping: view.events),
            members: members.sorted { a, b in
                (a.me == true ? 0 : 1, a.displayName, a.id) < (b.me == true ? 0 : 1, b.displayName, b.id)
            }
        )
        ended = view.departure.map { DepartureInfo($0, newsroom) }
    }
}

extension DepartureInfo {
    init(_ departure: GroupView.Departure, _ newsroom: Newsroom) {
        self.init(by: newsroom.person(departure.by), time: ControlTime(milliseconds: departure.time))
    }
}
