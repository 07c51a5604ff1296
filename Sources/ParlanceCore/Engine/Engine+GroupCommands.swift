import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Creating and changing groups. Rights are checked first, so that no void event is written.
extension Engine {
    mutating func createGroup(_ title: String, _ who: [String], _ nonce: [UInt8], force: Bool, _ id: CommandID) {
        guard let shown = checkedTitle(title, id), force || isFree(title, id) else { return }
        guard nonce.count == ReplicaID.count else { return turn.refuse(id, .group(.nonce)) }
        guard let members = resolveAll(who, id) else { return }
        guard members.count < Limits.members else {
            return turn.refuse(id, .group(.large(members: members.count + 1)))
        }
        for peer in members { acceptContact(peer) }
        var creation = WireCreateBody()
        creation.nonce = Data(nonce)
        creation.title = shown
        creation.members = members.map { wireMember($0) }
        let body = creation.encodedBytes()
        let conversation = ConversationID(creator: identity, creation: body)
        conversations.create(ConversationRecord(id: conversation, kind: .group), &turn)
        appendChange(.create, body: body, to: conversation)
        answerGroup(conversation, id)
        startOver(members)
    }

    mutating func changeGroup(_ who: String, _ change: GroupChange, _ id: CommandID) {
        guard let conversation = resolveGroup(who, id) else { return }
        guard let group = conversations[conversation], let membership = group.group?.membership else {
            return broken("a title or an ID names a group that this node holds")
        }
        guard membership.isMember(identity) else { return failAsStranger(to: group, id) }
        guard mayBeCounted(in: group) else { return turn.refuse(id, .group(.notAppliedYet(.toChange))) }
        switch change {
        case .rename(let title, let force):
            guard let shown = checkedTitle(title, id), force || isFree(title, for: conversation, id) else { return }
            var body = WireTitleBody()
            body.title = shown
            conversations.append(.title, body: body.encodedBytes(), to: conversation, &turn)
        case .topic(let topic):
            guard topic.isEmpty || isLine(topic, id) else { return }
            var body = WireTopicBody()
            body.topic = topic
            conversations.append(.topic, body: body.encodedBytes(), to: conversation, &turn)
        case .leave: guard leave(conversation, membership, id) else { return }
        case .add(let who): guard changeMembers(.add, who, conversation, membership, id) else { return }
        case .remove(let who): guard changeMembers(.remove, who, conversation, membership, id) else { return }
        case .appoint(let who): guard changeMembers(.appoint, who, conversation, membership, id) else { return }
        case .dismiss(let who): guard changeMembers(.dismiss, who, conversation, membership, id) else { return }
        }
        answerGroup(conversation, id)
    }

    private mutating func answerGroup(_ conversation: ConversationID, _ id: CommandID) {
        turn.whenDurable(.answer(id, .group(groupView(of: conversation))))
    }

    private mutating func leave(_ id: ConversationID, _ membership: Membership, _ command: CommandID) -> Bool {
        let others = membership.members.filter { $0 != identity }
        guard others.isEmpty || !membership.isAdmin(identity) || others.contains(where: { membership.isAdmin($0) })
        else {
            turn.refuse(command, .group(.lastAdmin))
            return false
        }
        return appendMembers(.leave, [], id, membership, command)
    }

    private mutating func changeMembers(
        _ action: WireMemberAction,
        _ who: [String],
        _ id: ConversationID,
        _ membership: Membership,
        _ command: CommandID
    ) -> Bool {
        guard membership.isAdmin(identity) else {
            let admins = membership.members.filter { membership.isAdmin($0) }
            turn.refuse(command, .group(.adminsOnly(admins.map { named($0).name })))
            return false
        }
        let people = action == .add ? resolveAll(who, command) : resolveMembers(who, membership, command)
        guard let people else { return false }
        // Skips people for whom nothing would change. That is not an error.
        let changed = people.filter { peer in
            switch action {
            case .add: !membership.isMember(peer)
            case .appoint: !membership.isAdmin(peer)
            case .dismiss: membership.isAdmin(peer)
            default: true
            }
        }
        guard action != .add || membership.members.count + changed.count <= Limits.members else {
            turn.refuse(command, .group(.full(members: membership.members.count)))
            return false
        }
        guard !changed.isEmpty else { return true }
        guard MembershipChange.Action(action).map({ membership.hasRoom(for: identity, $0) }) != false else {
            turn.refuse(command, .group(.manyChanges))
            return false
        }
        if action == .add { for peer in changed { acceptContact(peer) } }
        return appendMembers(action, changed, id, membership, command)
    }

    /// - Returns: whether the change counts. If it does not, the command was answered with the reason.
    private mutating func appendMembers(
        _ action: WireMemberAction,
        _ people: [PeerID],
        _ id: ConversationID,
        _ membership: Membership,
        _ command: CommandID
    ) -> Bool {
        var body = WireMembersBody()
        body.action = action
        body.members = people.map { wireMember($0) }
        let known = action == .leave ? membership.frontierForLeaving : membership.frontier
        body.after = known.prefix(Limits.membershipParents).map { Data($0.bytes) }
        if action == .remove || action == .leave || action == .dismiss {
            let losers = action == .leave ? [identity] : people
            for log in conversations[id]?.logs.keys ?? [] where losers.contains(log.author) {
                var mark = WireLogMark()
                mark.log = log.wire
                let held = conversations[id]?.held(of: log) ?? .start
                mark.sequence = held.sequence
                mark.head = Data(held.head.bytes)
                if body.marks.count < Limits.membershipMarks { body.marks.append(mark) }
            }
        }
        let event = appendChange(.members, body: body.encodedBytes(), to: id)
        if let event, conversations[id]?.group?.membership.isValid(event.id) == true { return true }
        turn.refuse(command, .group(.voidChange))
        return false
    }

    /// Appends a membership event, and applies it to the group in memory.
    @discardableResult
    private mutating func appendChange(_ kind: EventKind, body: [UInt8], to id: ConversationID) -> StoredEvent? {
        guard let event = conversations.append(kind, body: body, to: id, &turn) else {
            broken("the user changes only groups that this node holds")
            return nil
        }
        takeMembership([event], in: id)
        return event
    }

    private func wireMember(_ peer: PeerID) -> WireMember {
        var member = WireMember()
        member.id = Data(peer.bytes)
        // The alias is private, so the announced name is used.
        member.name = peer == identity ? presence.profile.name : contacts[peer]?.announcedName ?? ""
        return member
    }

    /// The title as others get it: without invisible characters, as for names. `nil` if it cannot be a title, which refuses
    /// the command.
    private mutating func checkedTitle(_ title: String, _ id: CommandID) -> String? {
        guard !title.hasCheckMarks else {
            turn.refuse(id, .text(.markedTitle))
            return nil
        }
        let shown = title.withoutControlCharacters.trimmed
        guard !title.hasControlCharacters, shown.hasVisibleCharacters else {
            turn.refuse(id, .text(.title(title.hasControlCharacters ? .controlCharacters : .empty)))
            return nil
        }
        guard isLine(shown, id) else { return nil }
        guard !shown.isReservedName else {
            turn.refuse(id, .text(.reservedName(title)))
            return nil
        }
        return shown
    }

    /// Whether a title or topic has the right form. If it has not, the command was refused.
    private mutating func isLine(_ text: String, _ id: CommandID) -> Bool {
        guard !text.isTitle else { return true }
        let fault: TitleFault =
            text.hasControlCharacters ? .controlCharacters : text.isBlank ? .empty : .long(bytes: text.utf8.count)
        turn.refuse(id, .text(.title(fault)))
        return false
    }

    /// Whether a group may have a title: no person, this user included, and no other group of this user is called so or has
    /// an ID that begins so, since a typed name would mean two. If it may not, the command was refused.
    private mutating func isFree(_ title: String, for group: ConversationID? = nil, _ id: CommandID) -> Bool {
        if contacts.isTaken(title, byOtherThan: identity) || presence.profile.name.looksLike(title) {
            turn.refuse(id, .text(.titleOfPerson(title)))
            return false
        }
        if isID(title) {
            turn.refuse(id, .text(.titleOfID(title)))
            return false
        }
        let isGroups = isTitle(title, butOf: group)
        if isGroups { turn.refuse(id, .text(.titleOfGroup(title))) }
        return !isGroups
    }

    /// Whether a group of which this user is a member has a title that looks like a name.
    ///
    /// - Parameter group: a group whose title does not count.
    func isTitle(_ name: String, butOf group: ConversationID? = nil) -> Bool {
        conversations.values.contains { $0.id != group && ownTitle($0)?.looksLike(name) == true }
    }

    /// Under what the titles of all groups of this user are found by names that look like them: for many names at once.
    var looksOfTitles: Set<String> {
        conversations.values.reduce(into: []) { looks, other in looks.formUnion(ownTitle(other)?.looks ?? []) }
    }

    private func ownTitle(_ conversation: Conversation) -> String? {
        conversation.group.flatMap { $0.membership.isMember(identity) ? $0.title : nil }
    }

    private mutating func resolveAll(_ who: [String], _ id: CommandID) -> [PeerID]? {
        var found: [PeerID] = []
        for name in who {
            switch resolve(name) {
            case .success(let peer): if !found.contains(peer) { found.append(peer) }
            case .failure(let error):
                turn.refuse(id, error)
                return nil
            }
        }
        return found
    }

    private mutating func resolveMembers(_ who: [String], _ membership: Membership, _ id: CommandID) -> [PeerID]? {
        guard let found = resolveAll(who, id) else { return nil }
        if let stranger = found.first(where: { !membership.isMember($0) }) {
            turn.refuse(id, .group(.notMemberHere(named(stranger))))
            return nil
        }
        return found
    }

}
