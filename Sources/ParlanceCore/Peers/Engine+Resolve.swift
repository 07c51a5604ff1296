import ParlanceWire

// Who is meant: a name is a label, so an ambiguous one is an error that lists the candidates, never a guess.
extension Engine {
    /// Finds the one peer that a typed name, alias or beginning of a peer ID means.
    func resolve(_ who: String) -> Result<PeerID, CommandError> {
        let found = candidates(who)
        if found.count == 1 { return .success(found[0]) }
        if found.isEmpty && isOwn(who) {
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
                "\"\(who.withoutControlCharacters)\" could be \(found.count) peers.",
                advice: "Use the beginning of a peer ID instead.",
                candidates: found
            )
        )
    }

    private func isOwn(_ who: String) -> Bool {
        PeerID(text: who) == identity || identity.matches(prefix: who) || who.lowercased() == profile.name.lowercased()
    }

    private func candidates(_ who: String) -> [PeerID] {
        if let exact = PeerID(text: who) { return peers[exact] == nil ? [] : [exact] }
        let typed = who.utf8
        let byID = peers.keys.filter { $0.matches(prefix: who) }
        if !byID.isEmpty {
            // What a stranger calls itself never stands for somebody's ID; what one has named oneself does.
            let byAlias = peers.values.filter { $0.record.alias?.utf8.elementsEqual(typed) == true }
            return Set(byID + byAlias.map(\.record.id)).sorted()
        }
        let named = peers.values.filter { peer in
            names(of: peer.record).contains { $0.utf8.elementsEqual(typed) }
        }
        if !named.isEmpty { return named.map(\.record.id).sorted() }
        let lowered = who.lowercased()
        let alike = peers.values.filter { peer in names(of: peer.record).contains { $0.lowercased() == lowered } }
        return alike.map(\.record.id).sorted()
    }

    /// What a peer answers to: its alias and its pinned name, or what it announces unless somebody
    /// else is known by that, and the name shown.
    private func names(of record: PeerRecord) -> [String] {
        var names = [displayName(of: record)]
        if let alias = record.alias { names.append(alias) }
        if let pinned = record.pinnedName {
            names.append(pinned)
        } else if !isPinned(record.announcedName, byOtherThan: record.id) {
            names.append(record.announcedName)
        }
        return names.filter { !$0.isEmpty }
    }

    /// The name to show. A newcomer that announces the name of somebody accepted gets the beginning of its ID behind it.
    func displayName(of record: PeerRecord) -> String {
        let own = record.alias ?? record.pinnedName ?? record.announcedName
        guard !own.isEmpty else { return record.id.prefix }
        guard record.alias == nil, record.pinnedName == nil, isPinned(own, byOtherThan: record.id) else { return own }
        return "\(own)~\(record.id.text.prefix(4))"
    }

    func isPinned(_ name: String, byOtherThan id: PeerID) -> Bool {
        let lowered = name.lowercased()
        return peers.values.contains {
            $0.record.id != id && [$0.record.alias, $0.record.pinnedName].contains { $0?.lowercased() == lowered }
        }
    }
}
