import ParlanceRecords
import ParlanceWire

// People who are known from a list before they come (control-reference.md, `workspace.import`).
extension Engine {
    /// Admits those whom a list names, if the user is an admin; names and accepts them here. What the user has decided
    /// stays.
    mutating func importPeople(_ list: [PeopleList.Entry], _ id: CommandID) {
        guard let current = workspace.current else { return turn.refuse(id, .workspace(.none)) }
        var outcome = ImportedPeople()
        var taken: [PeopleList.Entry] = []
        for entry in list {
            if entry.peer == identity {
                outcome.known.append(identity)
            } else if let reason = reasonToLeaveOut(entry.peer) {
                outcome.leftOut.append(ImportedPeople.LeftOut(peer: entry.peer, name: entry.name, reason: reason))
            } else {
                taken.append(entry)
            }
        }
        if let charter = current.charter, charter.isAdmin(identity) {
            let admitted = Set(charter.admitted)
            outcome.admitted = taken.map(\.peer).filter { !admitted.contains($0) }
            guard let facts = workspace.admit(outcome.admitted, &turn) else {
                return turn.refuse(id, .workspace(.manyChanges))
            }
            route(facts)
        }
        let titles = looksOfTitles
        for entry in taken { meet(entry, titles, &outcome) }
        startOver(outcome.accepted)
        turn.whenDurable(.answer(id, .imported(outcome)))
    }

    private func reasonToLeaveOut(_ peer: PeerID) -> ImportedPeople.Reason? {
        if people.isRemoved(peer) { return .excluded }
        if contacts.isBlocked(peer) { return .blocked }
        return contacts[peer]?.declined == nil ? nil : .declined
    }

    /// Gives somebody the name of the list, unless the user has named them, or somebody else or a group of the user is called
    /// so or somebody else's ID begins so, and accepts them.
    ///
    /// - Parameter titles: how the titles of the user's groups look.
    private mutating func meet(_ entry: PeopleList.Entry, _ titles: Set<String>, _ outcome: inout ImportedPeople) {
        let peer = entry.peer
        // Who has never come has no row yet.
        contacts.remember([Conversation.NamedMember(peer: peer, name: nil, isNew: contacts[peer] == nil)], &turn)
        var isKnown = true
        if contacts[peer]?.alias == nil {
            isKnown = false
            let name = entry.name.withoutControlCharacters
            if contacts.isTaken(name, byOtherThan: peer) || isID(name, ofOtherThan: peer)
                || !titles.isDisjoint(with: name.looks)
            {
                outcome.leftOut.append(ImportedPeople.LeftOut(peer: peer, name: entry.name, reason: .nameTaken))
            } else {
                contacts.setAlias(name, of: peer, &turn)
                outcome.named.append(peer)
            }
        }
        if contacts[peer]?.isUndecided == true {
            isKnown = false
            acceptUnasked(peer)
            outcome.accepted.append(peer)
        }
        if isKnown { outcome.known.append(peer) } else { tellPeer(peer) }
    }
}
