import ParlanceControl
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import ParlanceWords

// Operations on groups: their members, titles and topics.

extension NodeOperations {
    static let groups: [any NodeOperation.Type] = [
        GroupCreateOperation.self, GroupShowOperation.self, GroupAddOperation.self, GroupRemoveOperation.self,
        GroupAdminOperation.self, GroupLeaveOperation.self, GroupRenameOperation.self, GroupTopicOperation.self,
    ]
}

extension GroupCreateOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> GroupInfo {
        let nonce = RandomBytes.bytes(16)
        return try await node.changeGroup(.createGroup(title: title, who: who, nonce: nonce, force: force ?? false))
    }
}

extension GroupShowOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> GroupInfo {
        try await node.showGroup(group)
    }
}

extension GroupAddOperation: GroupCommandOperation {
    var command: Command { .changeGroup(who: group, .add(who)) }
}

extension GroupRemoveOperation: GroupCommandOperation {
    var command: Command { .changeGroup(who: group, .remove(who)) }
}

extension GroupAdminOperation: GroupCommandOperation {
    var command: Command { .changeGroup(who: group, remove == true ? .dismiss(who) : .appoint(who)) }
}

extension GroupLeaveOperation: GroupCommandOperation {
    var command: Command { .changeGroup(who: group, .leave) }
}

extension GroupRenameOperation: GroupCommandOperation {
    var command: Command { .changeGroup(who: group, .rename(title, force: force ?? false)) }
}

extension GroupTopicOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> GroupInfo {
        guard let topic else { return try await node.showGroup(group) }
        return try await node.changeGroup(.changeGroup(who: group, .topic(topic)))
    }
}

/// An operation that is one command about a group. It replies with the group as the command left it.
protocol GroupCommandOperation: NodeOperation where Reply == GroupInfo {
    var command: Command { get }
}

extension GroupCommandOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> GroupInfo {
        try await node.changeGroup(command)
    }
}

extension LocalControl {
    /// Gives a command that answers with a group, and replies with the group once the change is durable: its title
    /// follows from events.
    fileprivate func changeGroup(_ command: Command) async throws(ControlError) -> GroupInfo {
        try await showGroup(try await ask(command, \.group).conversation.text)
    }

    fileprivate func showGroup(_ who: String) async throws(ControlError) -> GroupInfo {
        GroupInfo(try await ask(.findGroup(who: who), \.group), hub)
    }
}

extension GroupInfo {
    init(_ view: GroupView, _ hub: EventHub) {
        let members = view.members.map { member in
            let isMe = member.peer == hub.identity
            var info = MemberInfo(
                id: member.peer.controlID,
                displayName: member.displayName,
                me: isMe,
                admin: member.isAdmin,
                trust: isMe ? nil : hub.trust(of: member.peer),
                connected: member.connected,
                presence: PresenceState(member.presence.activity),
                statusText: member.presence.statusText.isEmpty || member.presence.activity == nil
                    ? nil : member.presence.statusText,
                lastSeen: member.presence.lastSeen.map { ControlTime(milliseconds: $0) },
                lacks: Int(clamping: view.events - min(member.holds, view.events))
            )
            if member.isAsked { info.asked = true }
            if member.isLeftOut { info.leftOut = true }
            return info
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
        disappear = Place.group(view).disappear
        ended = view.departure.map { DepartureInfo($0, hub) }
    }
}

extension DepartureInfo {
    init(_ departure: GroupView.Departure, _ hub: EventHub) {
        self.init(by: hub.person(departure.by), time: ControlTime(milliseconds: departure.time))
    }
}
