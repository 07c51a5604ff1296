import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks that files come whole to those who may have them, and to nobody else (files.md, "Asking").
extension Checker {
    struct FileKey: Hashable {
        var file: FileID
        var peer: PeerID
    }

    func checkFile(_ effect: Effect, _ node: Int) {
        switch effect {
        case .notify(.message(let message)), .notify(.unwanted(let message)), .notify(.changed(let message)):
            for mention in message.rich?.files ?? [] {
                filePlaces[mention.file, default: []].insert(message.conversation)
            }
        case .readMention(let read, _, let file): watches[node].mentionsAsked[read] = file
        case .send(let link, let frame):
            guard isHonest(node), let peer = world.pipes[link]?.ends.first(where: { $0.link != link })?.node else {
                return
            }
            let other = world.nodes[peer].identity
            if case .fileAsk(let ask) = frame.kind, let file = FileID(ask.file) {
                watches[node].filesAsked.insert(FileKey(file: file, peer: other))
            }
            guard let (file, isNews) = frame.givenFile,
                !isNews || !watches[node].filesAsked.contains(FileKey(file: file, peer: other))
            else { return }
            checkGiven(file, to: peer, by: node)
        case .report(let peer, .breach(let rule, _)) where rule.rawValue.hasPrefix("file"):
            guard let other = indexes[peer], isHonest(other), isHonest(node) else { return }
            violate("\(name(other)) breaks a rule about files, says \(name(node)): \(rule.rawValue)")
        default: break
        }
    }

    /// The store has said whether a message names a file. What it says counts for a while.
    func noteMention(_ read: ReadID, _ isNamed: Bool, _ node: Int) {
        guard let file = watches[node].mentionsAsked.removeValue(forKey: read), isNamed else { return }
        watches[node].filesNamed[file] = world.now
    }

    /// A node says what it holds, and gives bytes, only to those who are members where a shown message names the file.
    private func checkGiven(_ file: FileID, to peer: Int, by node: Int) {
        let disk = world.nodes[node].disk
        let other = world.nodes[peer].identity
        let key = FileKey(file: file, peer: other)
        let places = disk.conversations.map(\.id)
        let isNamed = places.contains { disk.names(file, in: $0) }
        if isNamed { watches[node].filesNamed[file] = world.now }
        let isShared = places.contains {
            filePlaces[file]?.contains($0) == true && self.isShared($0, disk, other, node)
        }
        if isShared { watches[node].filesShared[key] = world.now }
        if !isNamed, world.now - (watches[node].filesNamed[file] ?? .min / 2) > Self.namingGrace {
            return violate("\(name(node)) gives \(name(peer)) a file that no message names any more")
        }
        // A change that is not durable yet may have brought a member back.
        guard world.nodes[node].engine?.isSettled == true else { return }
        if !isShared, world.now - (watches[node].filesShared[key] ?? .min / 2) > Self.memberGrace {
            violate("\(name(node)) gives \(name(peer)) a file of a conversation in which \(name(peer)) is not")
        }
    }

    private func isShared(_ place: ConversationID, _ disk: SimulatedDisk, _ other: PeerID, _ node: Int) -> Bool {
        guard disk.peers[other]?.trust != .blocked else { return false }
        if let membership = disk.memberships[place] {
            return membership.isMember(other) && membership.isMember(world.nodes[node].identity)
        }
        return place == ConversationID(direct: world.nodes[node].identity, other)
    }

    // In the end.

    /// What everybody wants has come, if somebody whom they can reach has it; and it is what was sent.
    func checkFiles(_ files: [FileID: [UInt8]]) {
        for node in world.nodes.indices where isHonest(node) && node != world.network.older {
            let shelf = world.nodes[node].shelf
            for (file, bytes) in files {
                guard let found = shelf.whole[file] else { continue }
                if found != bytes {
                    return violate("\(name(node)) has other bytes than were sent as \(file.text.prefix(8))")
                }
            }
            for record in world.nodes[node].disk.transfers.values.sorted(by: { $0.file < $1.file }) {
                if record.state == .done, shelf.whole[record.file] == nil {
                    return violate("\(name(node)) says that \(record.file.text.prefix(8)) is here")
                }
                guard record.state == .wanted, record.tries == 0, let holder = holder(of: record, for: node) else {
                    continue
                }
                return violate("\(name(node)) still lacks \(record.file.text.prefix(8)), which \(name(holder)) has")
            }
            for offer in world.nodes[node].disk.offers
            where offer.size <= Limits.autoFetchBytes && !isDeletedGroup(offer.conversation, node) {
                return violate("\(name(node)) decides nothing about \(offer.file.text.prefix(8))")
            }
        }
    }

    /// Somebody who has a file and gives it to a node.
    private func holder(of record: TransferRecord, for node: Int) -> Int? {
        let place = record.conversation
        guard world.nodes[node].disk.names(record.file, in: place) else { return nil }
        return world.nodes.indices.first { other in
            let isBad = other == node || !isHonest(other) || other == world.network.older || other == world.network.liar
            guard !isBad, world.canReach(node, other), world.nodes[other].shelf.whole[record.file] != nil,
                world.nodes[other].disk.names(record.file, in: place)
            else { return false }
            return world.nodes[node].disk.memberships[place] == nil
                ? conversation(node, other) == place && isMutual(node, other) : areFellows(node, other, place)
        }
    }

    /// A node may give a file for this long after its store confirmed that a message names it: it asks once a minute, and
    /// bytes may be on their way from the disk.
    private static let namingGrace: Int64 = 65_000
    /// A node may give a file to a former member for this long.
    private static let memberGrace: Int64 = 1_000
}

extension WireFrame {
    /// The file of which the frame tells something that only members may know, and whether that is only what is here of it.
    fileprivate var givenFile: (file: FileID, isNews: Bool)? {
        switch kind {
        case .fileHeld(let held): FileID(held.file).map { ($0, true) }
        case .filePiece(let piece): FileID(piece.file).map { ($0, false) }
        default: nil
        }
    }
}
