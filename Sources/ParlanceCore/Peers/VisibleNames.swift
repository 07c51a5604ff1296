import ParlanceLetters
import ParlanceRecords
import ParlanceWire

/// An index that finds peers by name (contacts.md, "Names").
///
/// It covers the rows that `Contacts` keeps: each change of a row must go through `change`.
struct VisibleNames: Equatable, Sendable {
    private typealias Index = SortedSet<Name>

    /// A name and one of the peers that have it.
    private struct Name: Comparable {
        var text: String
        var peer: PeerID

        static func < (a: Name, b: Name) -> Bool { (a.text, a.peer) < (b.text, b.peer) }
    }

    /// Aliases and pinned names, by their `looks`.
    private var lookalikes: Index = []
    /// Aliases, pinned and announced names, by their `looks` and without accents.
    private var spoken: Index = []
    /// The names that are words which the program uses itself, as they are written: `isReservedName` is too slow to be asked
    /// for each name of each message.
    private var reserved: Index = []

    /// The peers whose shown names have changed, and of whom nobody was told yet.
    private var renamed: Set<PeerID> = []

    /// Takes the names of a peer's new row, before the row replaces that in `records`. Notes who is shown by another name
    /// because of it: those whose names look like one that the peer gained or lost.
    ///
    /// - Parameter new: `nil` if the row is dropped.
    mutating func change(_ peer: PeerID, to new: PeerRecord?, in records: SortedTable<PeerID, PeerRecord>) {
        let old = records[peer]
        if new == nil { renamed.remove(peer) }
        let isSame = old?.alias == new?.alias && old?.pinnedName == new?.pinnedName
        guard !isSame || old?.announcedName != new?.announcedName else { return }
        Self.move(peer, from: Self.spoken(old), to: Self.spoken(new), in: &spoken)
        Self.move(peer, from: Self.reserved(old), to: Self.reserved(new), in: &reserved)
        guard !isSame else { return }
        let (before, after) = (Self.own(old), Self.own(new))
        Self.move(peer, from: before, to: after, in: &lookalikes)
        for name in before.symmetricDifference(after).sorted() {
            let owners = Self.owners(of: name, in: lookalikes).filter { $0 != peer }
            // If two others own the name, it was taken before, and still is.
            guard owners.count < 2 else { continue }
            let others = owners.isEmpty ? Self.owners(of: name, in: spoken).filter { $0 != peer } : owners
            renamed.formUnion(others.filter { Self.isShown($0, by: name, in: records) })
        }
    }

    private static func isShown(_ peer: PeerID, by name: String, in records: SortedTable<PeerID, PeerRecord>) -> Bool {
        guard let record = records[peer], record.alias == nil else { return false }
        let own = record.pinnedName ?? record.announcedName
        // A word that the program uses itself is shown with the ID anyway.
        return own.withoutCheckMarks.hasVisibleCharacters && own.looks.contains(name) && !own.isReservedName
    }

    /// Notes that a peer is shown by another name.
    mutating func noteRenamed(_ peer: PeerID) { renamed.insert(peer) }

    /// Removes and returns the peers whose shown names have changed and of whom nobody was told yet, in order.
    mutating func takeRenamed() -> [PeerID] {
        defer { renamed = [] }
        return renamed.sorted()
    }

    /// Whether another peer has an alias or a pinned name that looks the same.
    func isTaken(_ name: String, byOtherThan peer: PeerID) -> Bool {
        name.looks.contains { look in Self.owners(of: look, in: lookalikes).contains { $0 != peer } }
    }

    private static func owners(of name: String, in index: Index) -> [PeerID] {
        let start = index.first { $0.text >= name }
        return index[start...].prefix { $0.text == name }.map(\.peer)
    }

    /// A superset of the peers that a typed name may mean: those with that name, with or without its accents, those with
    /// that name before a suffix, and those without a name, which are shown by ID.
    func candidates(for typed: String) -> Set<PeerID> {
        let likeness = typed.likeness
        // A name that ends like one with a suffix is shown with a second suffix.
        let forms: Set = [likeness, likeness.likeness, "", likeness.folded, likeness.likeness.folded]
        return Set(forms.flatMap { Self.owners(of: $0, in: spoken) })
    }

    /// Whether a name of a peer is a word that the program uses itself.
    func isReserved(_ name: String, of peer: PeerID) -> Bool {
        !reserved.isEmpty && reserved.contains(Name(text: name, peer: peer))
    }

    private static func reserved(_ record: PeerRecord?) -> Set<String> {
        let names = [record?.alias, record?.pinnedName, record?.announcedName].compactMap { $0 }
        return names.filter(\.isReservedName).reduce(into: []) { $0.formUnion([$1, $1.withoutCheckMarks]) }
    }

    private static func own(_ record: PeerRecord?) -> Set<String> {
        [record?.alias, record?.pinnedName].reduce(into: []) { $0.formUnion($1?.looks ?? []) }
    }

    private static func spoken(_ record: PeerRecord?) -> Set<String> {
        guard let record else { return [] }
        let names = [record.alias, record.pinnedName, record.announcedName].compactMap { $0 }
        return names.reduce(into: []) { $0.formUnion($1.looks.union([$1.likeness.folded])) }
    }

    private static func move(_ peer: PeerID, from old: Set<String>, to new: Set<String>, in index: inout Index) {
        for gone in old.subtracting(new) { index.remove(Name(text: gone, peer: peer)) }
        for added in new.subtracting(old) { index.insert(Name(text: added, peer: peer)) }
    }
}
