import ParlanceWire

// How long messages stay for everybody in a conversation (events.md, "Disappearing messages").
extension Engine {
    mutating func setLifetime(_ seconds: UInt64, _ who: String, _ id: CommandID) {
        guard seconds == 0 || Lifetime.range.contains(seconds) else { return turn.refuse(id, .retentionLength) }
        guard let conversation = begun(with: who, id), mayWrite(in: conversation, id) else { return }
        if let membership = conversation.group?.membership, !membership.isAdmin(identity) {
            let admins = membership.members.filter { membership.isAdmin($0) }
            return turn.refuse(id, .group(.adminsOnly(admins.map { named($0).name })))
        }
        var body = WireLifetimeBody()
        body.seconds = seconds
        conversations.append(.lifetime, body: body.encodedBytes(), to: conversation.id, &turn)
        turn.whenDurable(.answer(id, .done))
        startOver(conversation.recipients(identity).filter { !links.serve($0) })
    }

    /// The age at which texts of a conversation are removed here: what this user has set, or what its members have agreed
    /// on, if that is shorter; `nil` if they stay.
    ///
    /// An agreement removes nothing until it has stood for its whole time, so nobody loses at once what was there before.
    func removalAge(in conversation: Conversation) -> Int64? {
        let own = preferences[conversation.id].retention
        guard let agreed = conversation.agreedLifetime, turn.now.wall >= agreed.since + agreed.milliseconds else {
            return own
        }
        return min(own ?? .max, agreed.milliseconds)
    }
}
