import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks names (contacts.md, "Names"): a pinned name stays, no two look the same, and a name is never resolved by a
// guess.
extension Checker {
    /// A pinned name changes only if its peer is forgotten.
    func checkPinned(_ record: PeerRecord, _ node: Int) {
        guard let peer = indexes[record.id] else { return }
        let before = watches[node].pinned[peer] ?? ""
        watches[node].pinned[peer] = record.trust == .unknown ? nil : record.pinnedName
        guard record.trust != .unknown, !before.isEmpty, record.pinnedName != before else { return }
        violate("\(name(node)) knew \(name(peer)) as \(before), and pins \(record.pinnedName ?? "nothing") now")
    }

    /// Others in a group learn the name that a member bears, and not the alias that somebody gave it.
    func checkNamesTold(_ batch: PersistBatch, _ node: Int) {
        for event in batch.events where event.header.log.author == world.nodes[node].identity {
            for (id, told) in MembershipChange(event)?.names ?? [:] {
                guard let peer = indexes[id], isHonest(peer), !told.isEmpty, !watches[peer].namesBorne.contains(told)
                else {
                    continue
                }
                return violate("\(name(node)) tells a group of \(told), and \(name(peer)) has never borne that name")
            }
        }
    }

    /// Names as they look at a glance; people here use only names of letters, digits and "-".
    private func looks(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }

    /// The peer that a name means, by what is on a node's disk; `nil` if that cannot be decided.
    private func meant(by typed: String, _ node: Int) -> Set<Int>? {
        guard world.nodes[node].engine?.isSettled == true else { return nil }
        let records = Array(world.nodes[node].disk.peers.values)
        let accepted = records.flatMap { [$0.alias, $0.pinnedName] }.compactMap { $0 }
        guard accepted.contains(where: { looks($0, typed) }) else { return nil }
        let found = records.filter { record in
            [record.alias, record.pinnedName].contains { $0.map { looks($0, typed) } ?? false }
        }
        return Set(found.compactMap { indexes[$0.id] })
    }

    /// A command names a person: if two people go by that name, nothing may be done.
    func noteTypedName(_ command: CommandID, _ typed: String, _ node: Int) {
        guard let meant = meant(by: typed, node) else { return }
        typedNames[command] = (typed, meant)
    }

    func checkTypedName(_ command: CommandID, _ result: Result<Answer, Refusal>, _ node: Int) {
        guard let (typed, meant) = typedNames.removeValue(forKey: command) else { return }
        guard case .success(.sent(let sent)) = result else { return }
        if meant.count == 1, let peer = meant.first, sent.conversation == conversation(node, peer) { return }
        // A group may have the same name, or somebody may have got the name in the meantime.
        if world.nodes[node].disk.memberships[sent.conversation] != nil { return }
        violate(
            "\(name(node)) writes to \"\(typed)\", which \(meant.sorted().map(name)) go by, in \(sent.conversation)"
        )
    }

    /// A node lists each peer by the name that it has told its watchers last.
    func checkNamesListed(_ views: [PeerView], _ node: Int) {
        for view in views {
            guard let peer = indexes[view.record.id] else { continue }
            if let told = watches[node].shown.names.updateValue(view.displayName, forKey: peer),
                told != view.displayName
            {
                violate("\(name(node)) lists \(name(peer)) as \(view.displayName), and has told that it is \(told)")
            }
        }
    }

    /// In the end, each peer is shown by its alias, otherwise its pinned name, otherwise the announced one; and with
    /// the beginning of its ID if an accepted peer goes by the same name.
    func checkNames() {
        for node in world.nodes.indices {
            let views = finalPeers[node] ?? []
            for view in views {
                let record = view.record
                let base = record.alias ?? record.pinnedName ?? record.announcedName
                guard !base.isEmpty else { continue }
                let isShared = views.contains { other in
                    other.record.id != record.id
                        && [other.record.alias, other.record.pinnedName].contains {
                            $0.map { looks($0, base) } ?? false
                        }
                }
                let isMarked = base.isReservedName || record.alias == nil && isShared
                let name = isMarked ? "\(base)~\(record.id.text.prefix(4))" : base
                guard view.displayName != name else { continue }
                violate("\(self.name(node)) shows somebody as \(view.displayName), who goes by \(name)")
            }
        }
    }
}
