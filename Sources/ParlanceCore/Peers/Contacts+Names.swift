import ParlanceRecords
import ParlanceWire

// The names of peers (contacts.md, "Names").
extension Contacts {
    /// The name to show, which never has a check mark: what follows a verified person's name is put there by the program. If
    /// another peer has an alias or pinned name that looks the same, the beginning of the ID is
    /// appended, unless the name is an alias. It always is if the name is a word that the program uses itself.
    func displayName(of record: PeerRecord) -> String {
        let written = (record.alias ?? record.pinnedName ?? record.announcedName).withoutCheckMarks
        let own = written.trimmed
        guard own.hasVisibleCharacters else { return record.id.prefix }
        var marked: String { "\(own)~\(record.id.text.prefix(4))" }
        if isReserved(written, of: record.id) { return marked }
        guard record.alias == nil, isTaken(own, byOtherThan: record.id) else { return own }
        return marked
    }

    /// The names of a peer: the one shown, its alias, and its pinned name, or without one the announced name unless
    /// that is taken. A word that the program uses itself is none.
    func names(of record: PeerRecord) -> [String] {
        var names: [String] = []
        if let alias = record.alias { names.append(alias) }
        if let pinned = record.pinnedName {
            names.append(pinned)
        } else if !isTaken(record.announcedName, byOtherThan: record.id) {
            names.append(record.announcedName)
        }
        let own = names.filter { !isReserved($0, of: record.id) }.map(\.trimmed)
        return ([displayName(of: record)] + own).filter { !$0.isEmpty }
    }

    /// The peers that a typed name, alias or prefix of a peer ID may mean.
    func called(_ who: String) -> [PeerID] { matches(of: who).peers }

    /// Whether a peer's name is its own choice alone: the user has neither accepted nor named it.
    func isNamedByItself(_ peer: PeerID) -> Bool {
        guard let record = self[peer] else { return false }
        return record.trust == .unknown && record.alias == nil && record.pinnedName == nil
    }

    /// The names by which a peer is found. An alias and a pinned name count even if another peer has the same.
    func allNames(of peer: PeerID) -> [String] {
        guard let record = self[peer] else { return [] }
        return [record.alias, record.pinnedName].compactMap { $0 }.filter { !isReserved($0, of: peer) }
            + names(of: record)
    }
}
