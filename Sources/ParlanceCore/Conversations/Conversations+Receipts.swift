import FoundationEssentials
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// Receipts of this node for what it has received and read, and their recipients (sync.md, "Watermarks").
extension Conversations {
    /// Takes a mark from a peer, about the peer itself or another member.
    ///
    /// - Returns: whether it went up.
    mutating func take(_ mark: WatermarkRecord, from peer: PeerID, _ turn: inout Turn) -> Bool {
        let (key, via) = (mark.key, mark.key.member == peer ? nil : peer)
        return change(key.conversation) {
            $0.marks.raise(key, to: mark.position, signature: mark.signature, via: via, &turn)
        } ?? false
    }

    /// Signs how far this node has received or read a log.
    ///
    /// - Returns: the key of the mark, if it went up.
    private mutating func sign(
        _ level: WatermarkLevel,
        of log: LogID,
        in id: ConversationID,
        through position: LogPosition,
        _ turn: inout Turn
    ) -> WatermarkRecord.Key? {
        let key = WatermarkRecord.Key(
            conversation: id,
            member: turn.own.identity,
            replica: turn.own.replica,
            log: log,
            level: level
        )
        guard let known = self[id]?.marks.through(key), position.sequence > known else { return nil }
        let signature = turn.own.signer.sign(WatermarkSeal.bytes(key, position))
        let isRaised = change(id) { $0.marks.raise(key, to: position, signature: signature, &turn) }
        return isRaised == true ? key : nil
    }

    /// Marks a conversation as read by this node's user: each log through the given position, or everything shown if
    /// there are none.
    mutating func markRead(
        _ conversation: ConversationID,
        through positions: [LogID: LogPosition]?,
        command: CommandID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        var raised: [WatermarkRecord.Key] = []
        for log in self[conversation]?.logs.keys ?? [] where log.author != turn.own.identity {
            guard let state = self[conversation]?.logs[log], let asked = positions.map({ $0[log] }) ?? state.applied
            else { continue }
            // The store may have applied more than it has reported.
            let end = asked.sequence <= state.applied.sequence ? asked : state.applied
            guard end.sequence > 0,
                // Read implies delivered, so a log with missing bodies is not marked as read.
                state.durable.completeThrough(besides: told(log, in: conversation, links)) >= end.sequence
            else { continue }
            if let key = sign(.read, of: log, in: conversation, through: end, &turn) { raised.append(key) }
        }
        turn.whenDurable(.answer(command, .done))
        sendMarks(of: conversation, byLink(raised, in: conversation, links), &turn)
    }

    /// What the author of a log, if it is linked, says of it. What is missing there counts only if this replica of the
    /// author writes the log: to another it may only not have come back yet. What has been removed there is gone.
    private func told(_ log: LogID, in conversation: ConversationID, _ links: Links) -> Clock.Entry? {
        guard let link = links.main(of: log.author),
            var entry = link.sessions[conversation]?.theirs?.entries[log]
        else { return nil }
        if link.replica != log.replica { entry.missing = [] }
        return entry
    }

    /// The links on which to send a member its receipts: its own links or, while it is away, those of a few members
    /// that pass them on. All nodes choose the same few: the next ones in the order of IDs.
    private func linksFor(_ author: PeerID, in id: ConversationID, _ links: Links) -> [Link] {
        let open = links.open(in: id)
        let own = open.filter { $0.peer == author }
        guard own.isEmpty, self[id]?.group != nil else { return own }
        let after = Set(open.map(\.peer)).sorted { ($0 < author ? 1 : 0, $0) < ($1 < author ? 1 : 0, $1) }
        let carriers = Set(after.prefix(Limits.carriers))
        return open.filter { carriers.contains($0.peer) }
    }

    /// Schedules a receipt through others for a log that is held while its author is away.
    mutating func noteReceipt(_ key: LogKey, _ links: Links, _ turn: inout Turn) {
        guard self[key.conversation]?.group != nil, key.log.author != turn.own.identity,
            !isOpenMain(key.log.author, key.conversation, links)
        else { return }
        change(key.conversation) { $0.oweReceipt(of: key.log) }
        turn.deadlines.advance(.receipts(key.conversation), to: turn.now.monotonic + Limits.receiptDelayMilliseconds)
    }

    /// Whether a conversation is open on the main link to a peer.
    private func isOpenMain(_ peer: PeerID, _ id: ConversationID, _ links: Links) -> Bool {
        links.main(of: peer, hasOpen: id)
    }

    /// Restores receipts that a crash left unsigned: for logs held beyond our last mark. Authors that were present
    /// learnt it from our clock; whether an author is present is checked when a link is up.
    mutating func restoreReceipts(_ own: OwnNode) {
        for conversation in inOrder {
            guard let membership = conversation.group?.membership, membership.isMember(own.identity) else { continue }
            var told: [LogID: UInt64] = [:]
            for mark in conversation.marks.values where mark.key.member == own.identity {
                told[mark.key.log] = max(told[mark.key.log] ?? 0, mark.position.sequence)
            }
            for (log, state) in conversation.logs where log.author != own.identity && membership.isMember(log.author) {
                guard state.durable.position.sequence > told[log] ?? 0 else { continue }
                change(conversation.id) { $0.oweReceipt(of: log) }
            }
        }
    }

    /// Schedules pending receipts once a link is up.
    func resumeReceipts(of id: ConversationID, _ turn: inout Turn) {
        guard self[id]?.owesReceipts == true else { return }
        turn.deadlines.advance(.receipts(id), to: turn.now.monotonic + Limits.receiptDelayMilliseconds)
    }

    mutating func receiptsDue(_ id: ConversationID, _ links: Links, _ turn: inout Turn) {
        // Without links, wait: the first peer to come may be the author.
        guard links.areOpen(in: id) else { return }
        let logs = change(id) { $0.takeUnsignedReceipts() } ?? []
        var raised: [WatermarkRecord.Key] = []
        for log in logs where !isOpenMain(log.author, id, links) {
            guard let entry = self[id]?.durable(of: log) else { continue }
            guard entry.missing.isEmpty else {
                // Sign it once the bodies are here.
                change(id) { $0.oweReceipt(of: log) }
                continue
            }
            if let key = sign(.delivered, of: log, in: id, through: entry.position, &turn) { raised.append(key) }
        }
        turn.saveLazily()
        sendMarks(of: id, byLink(raised, in: id, links), &turn)
    }

    /// Signs how far this node holds each log of others: in a parcel it is the only sign of that.
    mutating func signDelivered(in id: ConversationID, _ turn: inout Turn) {
        for log in self[id]?.logs.keys ?? [] where log.author != turn.own.identity {
            // Delivered means with bodies.
            guard let entry = self[id]?.durable(of: log), entry.missing.isEmpty else { continue }
            _ = sign(.delivered, of: log, in: id, through: entry.position, &turn)
        }
        turn.saveLazily()
    }

    /// The signed marks of a conversation for a parcel to a peer: in a group of everybody, otherwise of this replica.
    func carriedMarks(of id: ConversationID, for peer: PeerID, _ own: OwnNode) -> [WireWatermark] {
        guard let conversation = self[id] else { return [] }
        let isGroup = conversation.group != nil
        return conversation.marks.values.filter { mark in
            mark.key.member != peer
                && (isGroup || mark.key.member == own.identity && mark.key.replica == own.replica)
        }.compactMap(\.wire)
    }

    /// The marks to send on each link.
    private func byLink(
        _ keys: [WatermarkRecord.Key],
        in id: ConversationID,
        _ links: Links
    ) -> SortedTable<LinkID, [WatermarkRecord.Key]> {
        var chosen: SortedTable<LinkID, [WatermarkRecord.Key]> = [:]
        for author in Set(keys.map(\.log.author)).sorted() {
            let concerning = keys.filter { $0.log.author == author }
            for link in linksFor(author, in: id, links) { chosen[link.id, default: []] += concerning }
        }
        return chosen
    }

    /// Notes marks that went up in a group, to be handed on to the authors of their logs.
    ///
    /// - Returns: whether there are any to hand on.
    mutating func owe(_ raised: [WatermarkRecord.Key], to id: ConversationID) -> Bool {
        guard !raised.isEmpty, self[id]?.group != nil else { return false }
        change(id) { $0.owe(raised) }
        return true
    }

    mutating func takeOwedMarks(of id: ConversationID) -> [WatermarkRecord.Key] {
        change(id) { $0.takeOwedMarks() } ?? []
    }

    /// Sends a peer the marks that concern it: in a direct conversation the read marks of this replica, in a group the
    /// marks of all other members about the peer's logs.
    func sendMarks(
        of conversation: ConversationID,
        on id: LinkID,
        _ links: Links,
        _ turn: inout Turn,
        where concerns: (LogID) -> Bool = { _ in true }
    ) {
        guard let link = links[id], !link.closing, let marks = self[conversation]?.marks else { return }
        let own = turn.own
        let isGroup = self[conversation]?.group != nil
        // A large group has many marks, and few concern one peer: filter before reading them.
        let concerning = marks.values.map(\.key).filter { key in
            guard key.member != link.peer, concerns(key.log) else { return false }
            guard !isGroup else { return key.log.author == link.peer }
            // In a direct conversation the peer accepts a mark only from the replica that made it.
            return key.member == own.identity && key.level == .read && key.replica == own.replica
        }
        let keys = concerning.filter { marks[$0]?.signature != nil }.sorted()
        sendMarks(of: conversation, [id: keys], &turn)
    }

    /// Sends the marks of each link: those that are not on disk yet once they are, since a crash would undo them.
    func sendMarks(
        of id: ConversationID,
        _ chosen: SortedTable<LinkID, [WatermarkRecord.Key]>,
        _ turn: inout Turn
    ) {
        for (link, keys) in chosen {
            let pending = keys.filter { turn.batch.watermarks[$0] != nil || turn.writing?.watermarks[$0] != nil }
            let durable = keys.filter { !pending.contains($0) }
            for frame in watermarkFrames(id, durable) { turn.emit(.send(link, frame)) }
            for frame in watermarkFrames(id, pending) { turn.whenDurable(.effect(.send(link, frame))) }
        }
    }

    private func watermarkFrames(_ conversation: ConversationID, _ keys: [WatermarkRecord.Key]) -> [WireFrame] {
        stride(from: 0, to: keys.count, by: Limits.marksPerFrame).map { start in
            watermarksFrame(conversation, Array(keys[start..<min(start + Limits.marksPerFrame, keys.count)]))
        }
    }

    private func watermarksFrame(_ conversation: ConversationID, _ keys: [WatermarkRecord.Key]) -> WireFrame {
        var watermarks = WireWatermarks()
        watermarks.conversation = Data(conversation.bytes)
        watermarks.entries = self[conversation]?.marks.wire(of: keys) ?? []
        var frame = WireFrame()
        frame.watermarks = watermarks
        return frame
    }

    /// Whether to accept a mark: in a direct conversation only from the replica that made it, in a group about any
    /// other member.
    func maySpeak(
        _ key: WatermarkRecord.Key,
        in id: ConversationID,
        by peer: PeerID,
        _ replica: ReplicaID,
        _ own: OwnNode
    ) -> Bool {
        guard let conversation = self[id], let group = conversation.group else {
            return key.member == peer && key.replica == replica
        }
        return key.member != own.identity && group.membership.mentions(key.member)
    }
}
