import ParlanceHistory
import ParlanceRecords
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

    /// Notes what counts now. What was lost of it, with a batch or at a crash, is noted at the next sweep.
    mutating func noteAgreement(in conversation: Conversation) {
        preferences.note(agreed: conversation.agreedLifetime, in: conversation.id, &turn)
    }

    func lifetimeView(of id: ConversationID) -> LifetimeView {
        guard let conversation = conversations[id] else { return LifetimeView(terms: LifetimeTerms(conversation: id)) }
        let agreed = conversation.agreedLifetime
        let noted = preferences[id].agreement
        let since = noted?.milliseconds == agreed ? noted?.since : nil
        return LifetimeView(terms: conversation.lifetime, agreed: agreed, since: since)
    }

    /// The age at which texts of a conversation are removed here: what this user has set, or what its members have agreed
    /// on, if that is shorter; `nil` if they stay. An agreement removes nothing until this node has known it for its whole
    /// time, so nobody loses at once what was there before.
    func removalAge(in conversation: Conversation) -> Int64? {
        let own = preferences[conversation.id].retention
        guard let agreement = preferences[conversation.id].agreement,
            agreement.milliseconds == conversation.agreedLifetime
        else { return own }
        let (stood, overflows) = turn.now.wall.subtractingReportingOverflow(agreement.since)
        return overflows || stood < agreement.milliseconds ? own : min(own ?? .max, agreement.milliseconds)
    }
}
