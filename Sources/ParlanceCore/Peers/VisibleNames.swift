import ParlanceWire

/// An index that finds peers by name (contacts.md, "Names").
///
/// It covers the rows that `Contacts` keeps: each change of a row must go through `change`.
struct VisibleNames: Equatable, Sendable {
    private typealias Index = [String: Set<PeerID>]

    /// Aliases and pinned names, by `likeness`.
    private var lookalikes: Index = [:]
    /// Aliases, pinned and announced names, in lower case.
    private var spoken: Index = [:]

    mutating func change(_ peer: PeerID, from old: PeerRecord?, to new: PeerRecord?) {
        let isSame = old?.alias == new?.alias && old?.pinnedName == new?.pinnedName
        if !isSame { Self.move(peer, from: Self.likenesses(old), to: Self.likenesses(new), in: &lookalikes) }
        guard !isSame || old?.announcedName != new?.announcedName else { return }
        Self.move(peer, from: Self.spoken(old), to: Self.spoken(new), in: &spoken)
    }

    /// Whether another peer has an alias or a pinned name that looks the same.
    func isTaken(_ name: String, byOtherThan peer: PeerID) -> Bool {
        guard let owners = lookalikes[name.likeness] else { return false }
        return owners.count > 1 || !owners.contains(peer)
    }

    /// A superset of the peers that a typed name may mean: those with that name, those with that name before a suffix,
    /// and those without a name, which are shown by ID.
    func candidates(for typed: String) -> Set<PeerID> {
        let lowered = typed.lowercased()
        var found = (spoken[lowered] ?? []).union(spoken[""] ?? [])
        if let tilde = lowered.utf8.lastIndex(of: UInt8(ascii: "~")) {
            found.formUnion(spoken[String(lowered[..<tilde])] ?? [])
        }
        return found
    }

    private static func likenesses(_ record: PeerRecord?) -> Set<String> {
        Set([record?.alias, record?.pinnedName].compactMap { $0?.likeness })
    }

    private static func spoken(_ record: PeerRecord?) -> Set<String> {
        Set([record?.alias, record?.pinnedName, record?.announcedName].compactMap { $0?.lowercased() })
    }

    private static func move(_ peer: PeerID, from old: Set<String>, to new: Set<String>, in index: inout Index) {
        for gone in old.subtracting(new) {
            index[gone]?.remove(peer)
            if index[gone]?.isEmpty == true { index[gone] = nil }
        }
        for added in new.subtracting(old) { index[added, default: []].insert(peer) }
    }
}
