import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Checks receipts: each is signed by its member, is true, and reaches the author, if necessary through others.
extension Checker {
    /// A receipt and since when a disk holds it.
    struct Mark {
        let sequence: UInt64
        let since: Int64
    }

    func noteMarks(_ batch: PersistBatch, _ node: Int) {
        let own = world.nodes[node].identity
        for row in batch.watermarks {
            if watches[node].marks[row.key]?.sequence ?? 0 < row.position.sequence {
                watches[node].marks[row.key] = Mark(sequence: row.position.sequence, since: world.now)
            }
            if row.key.member == own && row.key.level == .read {
                watches[node].readEver.insert(row.position.head)
                let key = LogKey(row.key.conversation, row.key.log)
                let applied = world.nodes[node].disk.logs[key]?.applied.sequence ?? 0
                if batch.branches.isEmpty, row.position.sequence > applied {
                    violate(
                        "\(name(node)) has read \(key.log.short) through \(row.position.sequence), and shows \(applied)"
                    )
                }
            }
            checkSigned(row, node)
        }
        noteOwed(batch, node)
    }

    /// Each receipt of others that is kept is signed; one without a signature came from a clock on the member's link.
    private func checkSigned(_ row: WatermarkRecord, _ node: Int) {
        // One at the beginning is erased: of a member with many copies those of the furthest are kept (sync.md, "Watermarks").
        guard row.position.sequence > 0 else { return }
        guard let signature = row.signature else {
            // For a log that turned out to be forked, the watermark is put back to the base.
            let isParted = world.nodes[node].disk.branches.contains { branch in
                branch.conversation == row.key.conversation && branch.log.author == row.key.log.author
            }
            if !isParted, row.key.level == .read || row.key.log.author != world.nodes[node].identity {
                violate("\(name(node)) keeps a receipt without a signature")
            }
            return
        }
        if row.via == nil, let member = indexes[row.key.member], member != node,
            watches[node].handed[[member, member]] == nil
        {
            return violate("\(name(node)) says that \(name(member)) told it itself what others have told")
        }
        // Only some of them are checked, because a signature costs as much as all the other checks.
        signaturesSeen += 1
        guard !isAllHonest || signaturesSeen % 8 == 0 else { return }
        let key = row.key
        let bytes: [UInt8] =
            [0x07] + key.conversation.bytes + key.member.bytes + key.replica.bytes + key.log.author.bytes
            + key.log.replica.bytes + row.position.sequence.bigEndianBytes + row.position.head.bytes
            + [UInt8(key.level.rawValue)]
        if !Ed25519.verify(signature, of: bytes, by: key.member.bytes) {
            violate("\(name(node)) keeps a receipt that its member has not signed")
        }
    }

    /// A node owes a receipt, told through others, for what it received of the log of an absent author.
    private func noteOwed(_ batch: PersistBatch, _ node: Int) {
        for event in batch.events {
            guard let author = indexes[event.header.log.author], author != node,
                let membership = world.nodes[node].disk.memberships[event.header.conversation],
                membership.isMember(event.header.log.author), membership.isMember(world.nodes[node].identity)
            else { continue }
            let key = LogKey(event.header.conversation, event.log)
            if watches[node].links.isLinked(author) { continue }
            watches[node].owed[key] = Mark(sequence: event.header.sequence, since: world.now)
        }
    }

    /// A receipt is settled by clocks if the author of the log has been linked since.
    func settleOwed(to author: Int, by node: Int) {
        for key in watches[node].owed.keys where key.log.author == world.nodes[author].identity {
            watches[node].owed[key] = nil
        }
    }

    func checkReceipts() {
        for node in world.nodes.indices where world.nodes[node].isUp && isHonest(node) {
            checkOwed(by: node)
            for author in world.nodes.indices where author != node && isHonest(author) && violation == nil {
                if isSteady(node, author) { checkHandedOn(by: node, to: author) }
            }
        }
    }

    private func checkOwed(by node: Int) {
        let (disk, own) = (world.nodes[node].disk, world.nodes[node].identity)
        for (key, mark) in watches[node].owed.sorted(by: {
            ($0.key.conversation, $0.key.log) < ($1.key.conversation, $1.key.log)
        })
        where world.now - mark.since > Self.settling {
            guard let membership = disk.memberships[key.conversation], membership.isMember(key.log.author),
                membership.isMember(own), isSettled(key.conversation, node), disk.missingBodies(of: key).isEmpty,
                !disk.branches.contains(where: { $0.parent == key.log && $0.conversation == key.conversation })
            else { continue }
            let isHeard = world.nodes.indices.contains { other in
                other != node && isHonest(other) && isSteady(node, other)
                    && talk(node, other, in: key.conversation)
                    && isSettled(key.conversation, other)
            }
            guard isHeard else { continue }
            let told = disk.watermarks.values.lazy
                .filter { $0.key.member == own && $0.key.log == key.log && $0.key.conversation == key.conversation }
                .map(\.position.sequence).max()
            if told ?? 0 < mark.sequence {
                return violate(
                    "\(name(node)) holds \(key.log.short) through \(mark.sequence), whose author is away, and has signed "
                        + "a receipt through \(told ?? 0)"
                )
            }
        }
    }

    /// Whether a node keeps watermarks of as many replicas of a member as it may, and all of them are further (sync.md,
    /// "Watermarks").
    func hasEnoughCopies(_ row: WatermarkRecord, _ node: Int) -> Bool {
        let key = row.key
        let alike = world.nodes[node].disk.watermarks.values.filter { other in
            other.key.conversation == key.conversation && other.key.member == key.member && other.key.log == key.log
                && other.key.level == key.level
        }
        return alike.count >= Limits.copiesPerMember
            && alike.allSatisfy { ($0.position.sequence, $0.key.replica) > (row.position.sequence, key.replica) }
    }

    /// An author has every receipt that a node linked with it keeps for it.
    private func checkHandedOn(by node: Int, to author: Int) {
        let (mine, theirs) = (world.nodes[node], world.nodes[author])
        for row in mine.disk.watermarks.values
        where row.key.log.author == theirs.identity && row.key.member != theirs.identity && row.signature != nil {
            guard let mark = watches[node].marks[row.key], world.now - mark.since > Self.settling,
                isSettled(row.key.conversation, node), isSettled(row.key.conversation, author)
            else { continue }
            if mine.disk.memberships[row.key.conversation] == nil {
                guard row.key.member == mine.identity, row.key.replica == mine.replica, isMutual(node, author),
                    [(node, author), (author, node)].allSatisfy({
                        world.now - (watches[$0].opinionSince[$1] ?? 0) > Self.settling
                    })
                else { continue }
            } else {
                guard talk(node, author, in: row.key.conversation) else { continue }
            }
            let key = LogKey(row.key.conversation, row.key.log)
            guard theirs.disk.holds(row.position.head, at: row.position.sequence, of: key) else { continue }
            let has = theirs.disk.watermarks[row.key]?.position.sequence ?? 0
            guard has < row.position.sequence, !hasEnoughCopies(row, author) else { continue }
            return violate(
                "\(name(node)) has known for long that \(row.key.level) of \(row.key.log.short) is at "
                    + "\(row.position.sequence); \(name(author)), its author, knows of \(has)"
            )
        }
    }

    /// Whether a group has been unchanged for so long that all its members know it.
    private func isSettled(_ place: ConversationID, _ node: Int) -> Bool {
        world.now - (watches[node].groupSince[place] ?? 0) > Self.settling
    }

    // The ledger of a message: who has received it, who has read it, and from whom the author knows that.

    func checkLedger(_ view: DeliveryView, _ node: Int) {
        for log in view.logs {
            checkReach(view, log, node)
            for (recipient, progress) in zip(view.recipients, log.progress) {
                guard let peer = indexes[recipient.peer], isHonest(peer) else { continue }
                if progress.read.sequence > progress.delivered.sequence {
                    return violate("\(name(node)) says that \(name(peer)) has read what it has not got")
                }
                for (via, level, sequence) in [
                    (progress.deliveredVia, "got", progress.delivered.sequence),
                    (progress.readVia, "read", progress.read.sequence),
                ] where sequence > 0 {
                    guard let via else { continue }
                    let times = indexes[via].flatMap { watches[node].handed[[$0, peer]] } ?? 0
                    guard via == recipient.peer || via == world.nodes[node].identity || times == 0 else { continue }
                    let who = indexes[via].map(name) ?? "somebody"
                    return violate(
                        "\(name(node)) knows through \(who) what \(name(peer)) \(level), which never said so"
                    )
                }
                checkRead(progress.read, LogKey(view.conversation, log.log), peer, node)
            }
        }
    }

    /// The status of a message is true for each of its recipients.
    private func checkReach(_ view: DeliveryView, _ log: DeliveryView.LogDelivery, _ node: Int) {
        for level in [WatermarkLevel.delivered, .read] {
            let through = view.reachedByAll(log, level).sequence
            for sequence in [through, through + 1] + view.recipients.map(\.after) where sequence > 0 {
                let expected = zip(view.recipients, log.progress).filter { recipient, _ in
                    !log.isWritten || recipient.after < sequence
                }
                let lacking = expected.filter { _, progress in
                    sequence > (level == .read ? progress.read : progress.delivered).sequence
                }
                let reach = view.reach(of: sequence, in: log.log)
                let reached = level == .read ? reach.read : reach.delivered
                guard reach.recipients == expected.map(\.0.peer), reached.count == expected.count - lacking.count,
                    sequence != through || lacking.isEmpty,
                    sequence != through + 1 || !lacking.isEmpty || view.recipients.isEmpty || expected.isEmpty
                else {
                    return violate(
                        "\(name(node)) says that \(reached.count) of \(reach.recipients.count) have got \(sequence) of "
                            + "\(log.log.short), and all have through \(through)"
                    )
                }
            }
        }
    }

    /// A member who is said to have read an event has read it, or a later one.
    private func checkRead(_ read: LogPosition, _ key: LogKey, _ peer: Int, _ node: Int) {
        guard read.sequence > 0, !watches[peer].readEver.contains(read.head) else { return }
        // For a log that turned out to be forked, the watermark is put back to the base.
        let isParted = world.nodes.contains { node in
            node.disk.branches.contains { $0.conversation == key.conversation && $0.log.author == key.log.author }
        }
        if isParted { return }
        violate("\(name(node)) says that \(name(peer)) has read \(key.log.short) through \(read.sequence), who has not")
    }

    /// Receipts that others bring.
    func noteHanded(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        guard case .watermarks(let frame) = frame.kind, let from = watches[node].links.links[link]?.peer else { return }
        for entry in frame.entries {
            guard let member = PeerID(entry.member).flatMap({ indexes[$0] }) else { continue }
            watches[node].handed[[from, member], default: 0] += 1
        }
    }
}
