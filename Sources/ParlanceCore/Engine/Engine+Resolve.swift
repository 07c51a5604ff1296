import ParlanceHistory
import ParlanceLetters
import ParlanceRecords
import ParlanceWire

// Resolving names. Names are not unique: an ambiguous one is an error that lists the candidates. The engine never
// guesses.
extension Engine {
    /// Finds the only peer with a typed name, alias or beginning of a peer ID.
    func resolve(_ who: String) -> Result<PeerID, Refusal> { resolve(who, among: people(called: who).peers) }

    /// The people with a typed name. If there are none, it may be the name as it is shown: with the mark of a verified
    /// person behind it, or with the `@` of a mention before it.
    private func people(called who: String) -> (match: NameMatch, peers: [PeerID]) {
        let found = contacts.matches(of: who)
        guard found.peers.isEmpty else { return found }
        guard let name = markedName(in: who) else {
            return who.hasPrefix("@") ? contacts.matches(of: String(who.dropFirst())) : found
        }
        let marked = contacts.matches(of: name)
        return (marked.match, marked.peers.filter { contacts[$0]?.trust == .verified })
    }

    /// The name in a typed text that ends with the mark of a verified person; `nil`: it has none.
    private func markedName(in who: String) -> String? {
        let name = who.hasPrefix("@") ? who.dropFirst() : who[...]
        return name.hasSuffix(" \u{2713}") ? String(name.dropLast(2)) : nil
    }

    /// - Parameters:
    ///   - found: the peers that match the text.
    ///   - orGroup: whether a group would do as well, and none matches.
    private func resolve(_ who: String, among found: [PeerID], orGroup: Bool = false) -> Result<PeerID, Refusal> {
        // This user's own name does not resolve to a stranger of the same name.
        let isOwn = !found.contains { contacts.isAccepted($0) } && isOwn(who, orAlike: found.isEmpty)
        if found.count == 1 && !isOwn { return .success(found[0]) }
        let shown = who.withoutControlCharacters
        if found.isEmpty {
            if let name = markedName(in: who), !contacts.matches(of: name).peers.isEmpty {
                return .failure(.naming(.unverified(name.withoutControlCharacters)))
            }
            return .failure(.naming(isOwn ? .ownIdentity(shown) : .unknownPeer(shown, orGroup: orGroup)))
        }
        let candidates = found.map { Refusal.Candidate.peer($0) }
        return .failure(.naming(isOwn ? .sharedName(shown, candidates) : .severalPeers(shown, candidates)))
    }

    /// The recipient of a message.
    enum Addressee {
        case peer(PeerID)
        case group(ConversationID)
    }

    /// Finds the only conversation that a typed name means.
    func resolveConversation(_ who: String) -> Result<ConversationID, Refusal> {
        resolveAddressee(who).map { addressee in
            switch addressee {
            case .peer(let peer): ConversationID(direct: identity, peer)
            case .group(let group): group
            }
        }
    }

    /// Finds the only person with a typed name, or the only group with this title or beginning of its ID.
    ///
    /// An accepted person comes before a group, so that nobody takes a person's messages by giving a group that name. A
    /// group of which this user is a member comes before a stranger, whose name is the stranger's choice, and before a
    /// group that this user has left. Whoever is called exactly so, but for upper and lower case, comes before whoever is
    /// called so without accents; only a group whose title is so, and one that this user made under that title, do not come
    /// after an accepted person: nobody can tell whom the user means.
    func resolveAddressee(_ who: String) -> Result<Addressee, Refusal> {
        let who = who.trimmed
        let (called, titled) = (people(called: who), groups(called: who))
        // A group may have any title. A whole ID means the person; with the beginning of one, alone or after a name, the text
        // is ambiguous.
        if PeerID(text: who) != nil {
            return resolve(who, among: called.peers).map { .peer($0) }
        }
        if called.peers.contains(where: { $0.isMeant(by: who) }), !titled.groups.isEmpty {
            let groups = liveBeforeLeft(titled.groups).map { candidate($0) }
            let candidates = called.peers.map { Refusal.Candidate.peer($0) } + groups
            return .failure(.naming(.severalConversations(who.withoutControlCharacters, candidates)))
        }
        let isLoose = (people: called.match == .noAccents, groups: titled.match == .noAccents)
        let groups = isLoose.groups && !isLoose.people && !called.peers.isEmpty ? [] : liveBeforeLeft(titled.groups)
        let isTitle = isLoose.people && !isLoose.groups && groups.contains { isLive($0) }
        let known = isTitle ? called.peers.filter { contacts.isAccepted($0) } : []
        guard known.isEmpty else {
            let candidates = known.map { Refusal.Candidate.peer($0) } + groups.map { candidate($0) }
            return .failure(.naming(.severalConversations(who.withoutControlCharacters, candidates)))
        }
        let people = isTitle ? [] : called.peers
        let (accepted, own) = (people.filter { contacts.isAccepted($0) }, groups.filter { isMadeByUser($0) })
        guard accepted.isEmpty || own.isEmpty else {
            let candidates = accepted.map { Refusal.Candidate.peer($0) } + own.map { candidate($0) }
            return .failure(.naming(.severalConversations(who.withoutControlCharacters, candidates)))
        }
        let isGroup = groups.first.map { people.isEmpty || isLive($0) } ?? false
        guard isGroup, accepted.isEmpty else {
            return resolve(who, among: people, orGroup: true).map { .peer($0) }
        }
        if groups.count == 1 { return .success(.group(groups[0])) }
        return .failure(
            .naming(.severalConversations(who.withoutControlCharacters, groups.map { candidate($0) }))
        )
    }

    private func isLive(_ group: ConversationID) -> Bool {
        conversations[group]?.group?.membership.isMember(identity) == true
    }

    /// Whether this user, a member of the group, created it with the title that it has. Who gave a later title is not known
    /// here.
    private func isMadeByUser(_ id: ConversationID) -> Bool {
        guard let group = conversations[id]?.group, group.membership.isMember(identity) else { return false }
        return group.membership.seniority.first == identity && group.title == group.membership.title
    }

    /// The groups of which this user is a member; if there are none, all.
    private func liveBeforeLeft(_ groups: [ConversationID]) -> [ConversationID] {
        let live = groups.filter { isLive($0) }
        return live.isEmpty ? groups : live
    }

    /// Finds the only group with a typed title, or refuses the command.
    mutating func resolveGroup(_ who: String, _ id: CommandID) -> ConversationID? {
        let groups = liveBeforeLeft(groups(called: who).groups)
        if groups.count == 1 { return groups[0] }
        let shown = who.withoutControlCharacters
        turn.refuse(
            id,
            .naming(groups.isEmpty ? .unknownGroup(shown) : .severalGroups(shown, groups.map { candidate($0) }))
        )
        return nil
    }

    private func candidate(_ group: ConversationID) -> Refusal.Candidate {
        .group(group, title: conversations[group]?.group?.title ?? "")
    }

    /// A peer with its display name, for a refusal.
    func named(_ peer: PeerID) -> Refusal.Named {
        Refusal.Named(id: peer, name: contacts.displayName(of: contacts[peer] ?? PeerRecord(id: peer)))
    }

    private func groups(called typed: String) -> (match: NameMatch, groups: [ConversationID]) {
        let who = typed.trimmed
        let all = conversations.values.filter { $0.group != nil }.sorted { $0.id < $1.id }
        guard !all.isEmpty else { return (.anyCase, []) }
        let lowered = who.lowercased()
        if who.utf8.count >= PeerID.shortestPrefix {
            let byID = all.filter { $0.id.text.hasPrefix(lowered) }
            if !byID.isEmpty { return (.anyCase, byID.map(\.id)) }
        }
        // Others may have given a title with characters that are not shown: it is found by what is shown of it too.
        let closest = NameMatch.closest(who, among: all) { conversation in
            guard let title = conversation.group?.title else { return [] }
            return [title, title.withoutControlCharacters.withoutCheckMarks]
        }
        return closest.map { ($0.match, $0.found.map(\.id)) } ?? (.anyCase, [])
    }

    /// Finds the members that a text mentions (`MentionScan`).
    ///
    /// A name that several members share is an error. A name that no member has is plain text. In a group `@all`
    /// mentions everybody else, also if a member is called so.
    func mentions(in text: String, of conversation: Conversation) -> Result<[PeerID], Refusal> {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return .success([]) }
        let others = conversation.recipients(identity)
        var names = others.flatMap { peer in
            contacts[peer].map { contacts.names(of: $0).map { MentionScan.Name($0, of: peer) } } ?? []
        }
        names.append(MentionScan.Name(presence.profile.name, of: identity))
        if conversation.group != nil { names.append(MentionScan.Name("all", of: nil)) }
        var found: [PeerID] = []
        for mention in MentionScan(text, names: names).mentions {
            let meant = mention.meant.compactMap { $0 }
            if meant.count < mention.meant.count {
                found += others.filter { !found.contains($0) }
                continue
            }
            guard meant.count == 1 else {
                return .failure(.naming(.severalMembers(mention.typed, meant.sorted().map { .peer($0) })))
            }
            if !found.contains(meant[0]) { found.append(meant[0]) }
        }
        return .success(Array(found.prefix(Limits.mentions)))
    }

    /// - Parameter orAlike: whether the own name counts without its accents as well.
    private func isOwn(_ who: String, orAlike: Bool) -> Bool {
        PeerID(text: who) == identity || identity.matches(prefix: who)
            || who.lowercased() == presence.profile.name.lowercased()
            || orAlike && !who.isEmpty && who.folded == presence.profile.name.folded
    }
}

extension PeerID {
    /// Whether a typed text is the beginning of the ID, or a name with its first characters, as `Contacts.displayName` has it.
    fileprivate func isMeant(by typed: String) -> Bool {
        matches(prefix: typed) || typed.lowercased().hasSuffix("~\(text.prefix(4))")
    }
}
