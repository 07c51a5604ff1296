import ParlanceWire

/// Which peers go by names that look alike: the aliases that were given, and the names that were pinned (contacts.md, "Names").
///
/// It is an index of rows that `Contacts` keeps: each change of a row goes through `change`.
struct VisibleNames: Equatable, Sendable {
    /// By what a reader sees of a name at a glance.
    private var owners: [String: Set<PeerID>] = [:]

    mutating func change(_ peer: PeerID, from old: PeerRecord?, to new: PeerRecord?) {
        guard old?.alias != new?.alias || old?.pinnedName != new?.pinnedName else { return }
        let (before, after) = (Self.likenesses(old), Self.likenesses(new))
        for gone in before.subtracting(after) {
            owners[gone]?.remove(peer)
            if owners[gone]?.isEmpty == true { owners[gone] = nil }
        }
        for added in after.subtracting(before) { owners[added, default: []].insert(peer) }
    }

    func isTaken(_ name: String, byOtherThan peer: PeerID) -> Bool {
        guard let owners = owners[name.likeness] else { return false }
        return owners.count > 1 || !owners.contains(peer)
    }

    private static func likenesses(_ record: PeerRecord?) -> Set<String> {
        Set([record?.alias, record?.pinnedName].compactMap { $0?.likeness })
    }
}
