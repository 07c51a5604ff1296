import FoundationEssentials
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

// How far members have received and read. Every status is derived from these watermarks.
extension Engine {
    /// Shows a change of deliveries. In a group many members report at once, so the view is updated a moment later.
    mutating func tellDelivery(of conversation: ConversationID) {
        guard conversations[conversation]?.group != nil else {
            return turn.emit(.notify(.delivery(deliveryView(of: conversation))))
        }
        turn.deadlines.advance(.delivery(conversation), to: turn.now.monotonic + Limits.offerDelayMilliseconds)
    }

    /// Whether a frame may be sent to the peer. A frame with watermarks needs a shared conversation.
    func mayHear(_ frame: WireFrame, on id: LinkID) -> Bool {
        guard case .watermarks(let marks) = frame.kind, let conversation = ConversationID(marks.conversation) else {
            return true
        }
        return links.peer(of: id).map { admits(conversation, with: $0) } ?? false
    }

    mutating func watermarksReceived(_ watermarks: WireWatermarks, on id: LinkID) throws(Breach) {
        guard let link = links[id], let conversation = ConversationID(watermarks.conversation) else {
            throw .watermarksConversation
        }
        // The logs may not be held here yet, and the conversation may not exist yet. The watermark waits then.
        guard admits(conversation, with: link.peer) else {
            guard watermarks.entries.allSatisfy({ WatermarkRecord($0, in: conversation) != nil }) else {
                throw .watermarkFields
            }
            return
        }
        var raised: [WatermarkRecord.Key] = []
        var breach: Breach?
        for entry in watermarks.entries {
            guard let record = WatermarkRecord(entry, in: conversation), let signature = record.signature else {
                breach = .watermarkFields
                break
            }
            let known = conversations[conversation]?.marks.through(record.key) ?? 0
            guard record.position.sequence > known else { continue }
            guard conversations.maySpeak(record.key, in: conversation, by: link.peer, link.replica, turn.own) else {
                if record.key.member != identity { links.change(conversation, on: id) { $0.toldOfUnnamed() } }
                continue
            }
            guard
                Ed25519.verify(
                    signature,
                    of: WatermarkSeal.bytes(record.key, record.position),
                    by: record.key.member.bytes
                )
            else {
                breach = .watermarkSignature
                break
            }
            guard conversations[conversation]?.claim(of: record.position, in: record.key.log, turn) == .held else {
                // The watermark counts once the event is held and was read.
                links.change(conversation, on: id) { $0.keep(record) }
                continue
            }
            if conversations.take(record, from: link.peer, &turn) { raised.append(record.key) }
        }
        // What came before a breach counts.
        countMarks(raised, of: conversation)
        if let breach { throw breach }
        takeWaitingMarks(of: conversation, on: id)
    }

    mutating func countMarks(_ raised: [WatermarkRecord.Key], of conversation: ConversationID) {
        guard !raised.isEmpty else { return }
        turn.saveLazily()
        if conversations.owe(raised.filter { $0.log.author != identity }, to: conversation) {
            turn.deadlines.advance(.handOn(conversation), to: turn.now.monotonic + Limits.handOnDelayMilliseconds)
        }
        // Views of deliveries are about what this user wrote.
        guard raised.contains(where: { $0.log.author == identity }) else { return }
        turn.batch.isUrgent = true
        tellDelivery(of: conversation)
    }

    /// Hands the watermarks gathered on to the author of their log, if it is linked. In a group where not all members
    /// are linked, the node may never meet the author. It then hands them on to the linked member that follows the
    /// author most closely in the order of IDs, taken as a ring, if that member is closer than this node.
    mutating func handOnDue(_ id: ConversationID) {
        let keys = conversations.takeOwedMarks(of: id)
        lazy var isLarge = dialing.isReachLarge(links, people)
        var chosen: SortedTable<LinkID, [WatermarkRecord.Key]> = [:]
        for author in Set(keys.map(\.log.author)).sorted() {
            let place = { (peer: PeerID) in (peer < author ? 1 : 0, peer) }
            guard let next = links.first(openIn: id, by: place),
                next.peer == author || place(next.peer) < place(identity) && isLarge
            else { continue }
            chosen[next.link, default: []] += keys.filter { $0.log.author == author && $0.member != next.peer }
        }
        conversations.sendMarks(of: id, chosen, &turn)
    }
}
