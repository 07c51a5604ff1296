import ParlanceWire

// Who is meant: a name is a label, so an ambiguous one is an error that lists the candidates, never a guess.
extension Engine {
    /// Finds the one peer that a typed name, alias or beginning of a peer ID means.
    func resolve(_ who: String) -> Result<PeerID, CommandError> {
        let found = contacts.called(who)
        // One's own name never means a stranger who goes by it too.
        let isOwn = isOwn(who) && !found.contains { isAccepted($0) }
        if found.count == 1 && !isOwn { return .success(found[0]) }
        if isOwn && found.isEmpty {
            return .failure(
                CommandError(
                    .ownIdentity,
                    "\"\(who.withoutControlCharacters)\" is you.",
                    advice: "Name somebody else; see \"parlance peers\"."
                )
            )
        }
        if found.isEmpty {
            return .failure(
                CommandError(
                    .unknownPeer,
                    "Nobody here is called \"\(who.withoutControlCharacters)\".",
                    advice: "See \"parlance peers\" for who is known and nearby; a name, an alias, or at least "
                        + "\(PeerID.shortestPrefix) characters of a peer ID will do."
                )
            )
        }
        return .failure(
            CommandError(
                .ambiguousPeer,
                isOwn
                    ? "\"\(who.withoutControlCharacters)\" is you, and others call themselves so."
                    : "\"\(who.withoutControlCharacters)\" could be \(found.count) peers.",
                advice: "Use the beginning of a peer ID instead.",
                candidates: found.map { .peer($0) }
            )
        )
    }

    /// Finds the one conversation that a typed name means: of a person, or a group by its title or the beginning of its ID.
    func resolveConversation(_ who: String) -> Result<ConversationID, CommandError> {
        let groups = groups(called: who)
        let people = contacts.called(who)
        if groups.isEmpty { return resolve(who).map { ConversationID(direct: identity, $0) } }
        if groups.count == 1 && people.isEmpty { return .success(groups[0]) }
        // A group that one has left stands in nobody's way.
        if people.count == 1,
            !groups.contains(where: { conversations[$0]?.group?.membership.isMember(identity) == true })
        {
            return .success(ConversationID(direct: identity, people[0]))
        }
        return .failure(
            CommandError(
                .ambiguousPeer,
                "\"\(who.withoutControlCharacters)\" could be \(groups.count + people.count) conversations.",
                advice: "Use the beginning of an ID instead.",
                candidates: people.map { .peer($0) }
                    + groups.map { .group($0, title: conversations[$0]?.group?.title ?? "") }
            )
        )
    }

    /// Finds the one group that a typed title means, or answers why there is none.
    mutating func resolveGroup(_ who: String, _ id: CommandID) -> ConversationID? {
        let groups = groups(called: who)
        if groups.count == 1 { return groups[0] }
        let shown = who.withoutControlCharacters
        turn.emit(
            .answer(
                id,
                .failure(
                    groups.isEmpty
                        ? CommandError(
                            .unknownPeer,
                            "There is no group called \"\(shown)\".",
                            advice: "See \"parlance conversations\" for the groups you are in."
                        )
                        : CommandError(
                            .ambiguousPeer,
                            "\"\(shown)\" could be \(groups.count) groups.",
                            advice: "Use the beginning of a group's ID instead.",
                            candidates: groups.map { .group($0, title: conversations[$0]?.group?.title ?? "") }
                        )
                )
            )
        )
        return nil
    }

    private func groups(called who: String) -> [ConversationID] {
        let all = conversations.values.filter { $0.group != nil }.sorted { $0.id < $1.id }
        let lowered = who.lowercased()
        if who.utf8.count >= PeerID.shortestPrefix {
            let byID = all.filter { $0.id.text.hasPrefix(lowered) }
            if !byID.isEmpty { return byID.map(\.id) }
        }
        let typed = Array(who.utf8)
        let exact = all.filter { $0.group.map { Array($0.title.utf8) == typed } == true }
        if !exact.isEmpty { return exact.map(\.id) }
        return all.filter { $0.group?.title.lowercased() == lowered }.map(\.id)
    }

    /// Whom a text mentions: each `@name` of somebody in the conversation, the longest name that fits.
    ///
    /// A name that several go by is an error, never a guess; a name that nobody goes by is text.
    func mentions(in text: String, of conversation: Conversation) -> Result<[PeerID], CommandError> {
        guard text.utf8.contains(UInt8(ascii: "@")) else { return .success([]) }
        var names: [(name: String, peer: PeerID)] = []
        for peer in conversation.recipients(identity) {
            guard let record = contacts[peer] else { continue }
            names += contacts.names(of: record).map { ($0.lowercased(), peer) }
        }
        names.append((presence.profile.name.lowercased(), identity))
        var found: [PeerID] = []
        for part in text.lowercased().split(separator: "@", omittingEmptySubsequences: false).dropFirst() {
            let fitting = names.filter { part.hasPrefix($0.name) && !$0.name.isEmpty && $0.name.ends(before: part) }
            guard let longest = fitting.map({ $0.name.utf8.count }).max() else { continue }
            let meant = Set(fitting.filter { $0.name.utf8.count == longest }.map(\.peer)).sorted()
            guard meant.count == 1 else {
                return .failure(
                    CommandError(
                        .ambiguousPeer,
                        "\"@\(String(part.prefix(longest)))\" could be \(meant.count) members.",
                        advice: "Nothing was sent. Give one of them an alias: parlance alias ID NAME",
                        candidates: meant.map { .peer($0) }
                    )
                )
            }
            if !found.contains(meant[0]) { found.append(meant[0]) }
        }
        return .success(Array(found.prefix(Limits.mentions)))
    }

    private func isOwn(_ who: String) -> Bool {
        PeerID(text: who) == identity || identity.matches(prefix: who)
            || who.lowercased() == presence.profile.name.lowercased()
    }

}

extension String {
    /// Whether this beginning of a text ends where a word does.
    fileprivate func ends(before text: Substring) -> Bool {
        guard let next = text.dropFirst(count).first else { return true }
        return !next.isLetter && !next.isNumber
    }
}
