import Foundation
import ParlanceSodium
import ParlanceWire

// How far members have received and read: statuses follow from these, and are never typed in by hand.
extension Engine {
    /// In a group many tell at once what they have got; it is shown a moment later, together.
    mutating func tellDelivery(of conversation: ConversationID) {
        guard conversations[conversation]?.group != nil else {
            return turn.emit(.notify(.delivery(deliveryView(of: conversation))))
        }
        turn.deadlines.advance(.delivery(conversation), to: turn.now.monotonic + Limits.offerDelayMilliseconds)
    }

    /// Merges a watermark by maximum.
    ///
    /// - Returns: whether it went up.
    mutating func raise(
        _ key: WatermarkRecord.Key,
        to position: LogPosition,
        signature: [UInt8]?,
        via: PeerID? = nil
    ) -> Bool {
        conversations[key.conversation]?.marks.raise(key, to: position, signature: signature, via: via, &turn) ?? false
    }

    /// One has read a conversation, all that is shown of it.
    mutating func markRead(_ conversation: ConversationID, command: CommandID) {
        var raised: [WatermarkRecord.Key] = []
        for log in conversations[conversation]?.sortedLogs ?? [] where log.author != identity {
            guard let state = conversations[conversation]?.logs[log], state.applied.sequence > 0,
                // Who lacks a text has not read it, and says no more than is so: read is delivered, too.
                state.durable.completeThrough(besides: bodiesGone(from: log, in: conversation))
                    >= state.applied.sequence
            else { continue }
            let applied = state.applied
            let key = WatermarkRecord.Key(
                conversation: conversation,
                member: identity,
                replica: replica,
                log: log,
                level: .read
            )
            let signature = turn.own.signer.sign(WatermarkSeal.bytes(key, applied))
            if raise(key, to: applied, signature: signature) { raised.append(key) }
        }
        turn.whenDurable(.answer(command, .done))
        for author in Set(raised.map(\.log.author)).sorted() {
            let frames = watermarkFrames(conversation, raised.filter { $0.log.author == author })
            for link in linksFor(author, in: conversation) {
                for frame in frames { turn.whenDurable(.effect(.send(link.id, frame))) }
            }
        }
    }

    /// The bodies of a log that the copy which writes it says it has not got either.
    private func bodiesGone(from log: LogID, in conversation: ConversationID) -> [UInt64] {
        guard let link = mainLink(of: log.author), link.replica == log.replica else { return [] }
        return link.sessions[conversation]?.theirs?.entries[log]?.missing ?? []
    }

    /// The links on which a member hears of receipts for it: its own, or, while it is away, those of a few who pass them on,
    /// the same few for everybody: the next in the order of IDs.
    private func linksFor(_ author: PeerID, in id: ConversationID) -> [Link] {
        let open = links.open(in: id)
        let own = open.filter { $0.peer == author }
        guard own.isEmpty, conversations[id]?.group != nil else { return own }
        let after = Set(open.map(\.peer)).sorted { ($0 < author ? 1 : 0, $0) < ($1 < author ? 1 : 0, $1) }
        let carriers = Set(after.prefix(Limits.carriers))
        return open.filter { carriers.contains($0.peer) }
    }

    /// What is held now of a log whose author is away is told to it through others, a little later.
    mutating func noteReceipt(_ key: LogKey) {
        guard conversations[key.conversation]?.group != nil, key.log.author != identity,
            !isOpenMain(key.log.author, key.conversation)
        else { return }
        conversations[key.conversation]?.oweReceipt(of: key.log)
        turn.deadlines.advance(.receipts(key.conversation), to: turn.now.monotonic + Limits.receiptDelayMilliseconds)
    }

    /// Whether a conversation is open on the link that serves a peer.
    private func isOpenMain(_ peer: PeerID, _ id: ConversationID) -> Bool {
        mainLink(of: peer)?.sessions[id]?.isOpen == true
    }

    /// Receipts that a crash left unsigned: of what is held beyond what one has said of it. Whoever was there heard it by the
    /// clock, and is owed nothing; who was not is looked for when a link is up.
    mutating func restoreReceipts() {
        for conversation in conversations.inOrder {
            guard let membership = conversation.group?.membership, membership.isMember(identity) else { continue }
            var told: [LogID: UInt64] = [:]
            for mark in conversation.marks.values where mark.key.member == identity {
                told[mark.key.log] = max(told[mark.key.log] ?? 0, mark.position.sequence)
            }
            for (log, state) in conversation.logs where log.author != identity && membership.isMember(log.author) {
                guard state.durable.position.sequence > told[log] ?? 0 else { continue }
                conversations[conversation.id]?.oweReceipt(of: log)
            }
        }
    }

    /// A link is up on which receipts for others can go.
    mutating func resumeReceipts(of id: ConversationID) {
        guard conversations[id]?.owesReceipts == true else { return }
        turn.deadlines.advance(.receipts(id), to: turn.now.monotonic + Limits.receiptDelayMilliseconds)
    }

    mutating func receiptsDue(_ id: ConversationID) {
        // With nobody there it waits for whoever comes first: it may be the author.
        guard links.areOpen(in: id) else { return }
        let logs = conversations[id]?.takeUnsignedReceipts() ?? []
        var raised: [WatermarkRecord.Key] = []
        for log in logs where !isOpenMain(log.author, id) {
            guard let entry = conversations[id]?.logs[log]?.durable else { continue }
            guard entry.missing.isEmpty else {
                // Once its bodies are here.
                conversations[id]?.oweReceipt(of: log)
                continue
            }
            let key = WatermarkRecord.Key(
                conversation: id,
                member: identity,
                replica: replica,
                log: log,
                level: .delivered
            )
            let signature = turn.own.signer.sign(WatermarkSeal.bytes(key, entry.position))
            if raise(key, to: entry.position, signature: signature) { raised.append(key) }
        }
        turn.saveLazily()
        for author in Set(raised.map(\.log.author)).sorted() {
            let frames = watermarkFrames(id, raised.filter { $0.log.author == author })
            for link in linksFor(author, in: id) {
                for frame in frames { turn.emit(.send(link.id, frame)) }
            }
        }
    }

    /// What concerns the peer of a link: how far one has read what it wrote, and, in a group, what others have got and read of
    /// it while it was away.
    mutating func sendMarks(
        of conversation: ConversationID,
        on id: LinkID,
        where concerns: (LogID) -> Bool = { _ in true }
    ) {
        guard let link = links[id], !link.closing else { return }
        let isGroup = conversations[conversation]?.group != nil
        let marks = conversations[conversation]?.marks ?? Marks()
        // In a large group there are many, and few concern one peer: these alone are looked at whole.
        let concerning = marks.keys.filter { key in
            guard key.member != link.peer, concerns(key.log) else { return false }
            guard !isGroup else { return key.log.author == link.peer }
            // From a person only the copy that made it is heard.
            return key.member == identity && key.level == .read && key.replica == replica
        }
        let keys = concerning.filter { marks[$0]?.signature != nil }.sorted { $0.rank < $1.rank }
        let (durable, pending) = (keys.filter { !isOwnAndPending($0) }, keys.filter { isOwnAndPending($0) })
        for frame in watermarkFrames(conversation, durable) { turn.emit(.send(id, frame)) }
        for frame in watermarkFrames(conversation, pending) { turn.whenDurable(.effect(.send(id, frame))) }
    }

    /// Whether the peer of a link may be told of marks, if a frame tells any.
    func mayHear(_ frame: WireFrame, on id: LinkID) -> Bool {
        guard case .watermarks(let marks) = frame.kind, let conversation = ConversationID(marks.conversation) else {
            return true
        }
        return links[id].map { admits(conversation, with: $0.peer) } ?? false
    }

    /// Whether this node made the mark and it is not on disk yet: a crash would take it back.
    private func isOwnAndPending(_ key: WatermarkRecord.Key) -> Bool {
        key.member == identity && (turn.batch.watermarks[key] != nil || turn.writing?.watermarks[key] != nil)
    }

    private func watermarkFrames(_ conversation: ConversationID, _ keys: [WatermarkRecord.Key]) -> [WireFrame] {
        stride(from: 0, to: keys.count, by: Limits.marksPerFrame).map { start in
            watermarksFrame(conversation, Array(keys[start..<min(start + Limits.marksPerFrame, keys.count)]))
        }
    }

    private func watermarksFrame(_ conversation: ConversationID, _ keys: [WatermarkRecord.Key]) -> WireFrame {
        var watermarks = WireWatermarks()
        watermarks.conversation = Data(conversation.bytes)
        watermarks.entries = keys.compactMap { conversations[conversation]?.marks[$0]?.wire }
        var frame = WireFrame()
        frame.watermarks = watermarks
        return frame
    }

    mutating func watermarksReceived(_ watermarks: WireWatermarks, on id: LinkID) {
        guard let link = links[id], let conversation = ConversationID(watermarks.conversation) else {
            return breakLink(id, .watermarksConversation)
        }
        // It may be about logs of which nothing is here yet. The conversation may not exist here yet; then the receipt waits.
        guard admits(conversation, with: link.peer) else { return }
        var raised: [WatermarkRecord.Key] = []
        for entry in watermarks.entries {
            guard let record = WatermarkRecord(entry, in: conversation), let signature = record.signature else {
                return breakLink(id, .watermarkFields)
            }
            let known = conversations[conversation]?.marks.through(record.key) ?? 0
            guard record.position.sequence > known else { continue }
            guard maySpeak(record.key, in: conversation, on: link) else {
                if record.key.member != identity { links.change(conversation, on: id) { $0.toldOfUnnamed() } }
                continue
            }
            guard
                Ed25519.verify(
                    signature,
                    of: WatermarkSeal.bytes(record.key, record.position),
                    by: record.key.member.bytes
                )
            else { return breakLink(id, .watermarkSignature) }
            guard standing(of: record.position, in: LogKey(conversation, record.key.log)) == .held else {
                // It counts once that event stands there and was read.
                links.change(conversation, on: id) { $0.keep(record) }
                continue
            }
            let via = record.key.member == link.peer ? nil : link.peer
            if raise(record.key, to: record.position, signature: signature, via: via) { raised.append(record.key) }
        }
        countMarks(raised, of: conversation)
        takeWaitingMarks(of: conversation, on: id)
    }

    mutating func countMarks(_ raised: [WatermarkRecord.Key], of conversation: ConversationID) {
        guard !raised.isEmpty else { return }
        turn.batch.isUrgent = true
        passOn(raised, of: conversation)
        tellDelivery(of: conversation)
    }

    /// Who carries marks and is linked with their author hands them over. Where not everybody is linked with everybody it may
    /// never meet the author: it hands them to the one it is linked with that is next after the author in the order of IDs,
    /// as a ring, if that is nearer than itself.
    private mutating func passOn(_ keys: [WatermarkRecord.Key], of id: ConversationID) {
        guard conversations[id]?.group != nil else { return }
        let open = links.open(in: id)
        for author in Set(keys.map(\.log.author)).sorted() where author != identity {
            let place = { (peer: PeerID) in (peer < author ? 1 : 0, peer) }
            // The author itself comes first.
            guard let next = open.min(by: { place($0.peer) < place($1.peer) }),
                next.peer == author || place(next.peer) < place(identity) && dialing.reach(links, people).isLarge
            else { continue }
            for frame in watermarkFrames(id, keys.filter { $0.log.author == author && $0.member != next.peer }) {
                turn.whenDurable(.effect(.send(next.id, frame)))
            }
        }
    }

    /// Whether a mark is taken: in a direct conversation of the copy that made it, in a group of any member.
    func maySpeak(_ key: WatermarkRecord.Key, in id: ConversationID, on link: Link) -> Bool {
        guard let conversation = conversations[id], let group = conversation.group else {
            return key.member == link.peer && key.replica == link.replica
        }
        return key.member != identity && group.membership.mentions(key.member)
    }
}

/// The bytes a member signs in a watermark (sync.md, "Watermarks").
enum WatermarkSeal {
    static func bytes(_ key: WatermarkRecord.Key, _ position: LogPosition) -> [UInt8] {
        [Domain.watermark] + key.conversation.bytes + key.member.bytes + key.replica.bytes + key.log.author.bytes
            + key.log.replica.bytes + position.sequence.bigEndianBytes + position.head.bytes
            + [UInt8(key.level.rawValue)]
    }
}

extension WatermarkRecord {
    init?(_ wire: WireWatermark, in conversation: ConversationID) {
        guard let member = PeerID(wire.member), let replica = ReplicaID(wire.replica), let log = LogID(wire.log),
            let head = EventID(wire.head), (1...Limits.sequence).contains(wire.sequence),
            let level = WatermarkLevel(rawValue: wire.level.rawValue)
        else { return nil }
        self.init(
            key: Key(conversation: conversation, member: member, replica: replica, log: log, level: level),
            position: LogPosition(sequence: wire.sequence, head: head),
            signature: [UInt8](wire.signature),
            learnt: 0
        )
    }

    var wire: WireWatermark? {
        guard let signature else { return nil }
        var wire = WireWatermark()
        wire.member = Data(key.member.bytes)
        wire.replica = Data(key.replica.bytes)
        wire.log = key.log.wire
        wire.sequence = position.sequence
        wire.head = Data(position.head.bytes)
        wire.level = key.level == .read ? .read : .delivered
        wire.signature = Data(signature)
        return wire
    }
}
