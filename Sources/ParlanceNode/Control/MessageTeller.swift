import ParlanceControl
import ParlanceCore
import ParlanceLetters
import ParlanceRecords
import ParlanceTexts
import ParlanceWire
import ParlanceWords

/// Describes messages in the terms of the control protocol.
struct MessageTeller {
    let hub: EventHub
    /// The conversation of the messages; without it no status is given.
    let place: Place?
    /// Why this computer has no network, so that nobody can be reached.
    private let cutOff: Phrase?

    /// - Parameter cutOff: `NodeFacts.cutOff`, where a status is given.
    init(hub: EventHub, place: Place? = nil, cutOff: Phrase? = nil) {
        (self.hub, self.place, self.cutOff) = (hub, place, cutOff)
    }

    func info(_ message: ShownMessage) -> MessageInfo {
        let author = message.log.author
        let isOwn = author == hub.identity
        var info = MessageInfo(
            id: message.id.text,
            conversation: message.conversation.text,
            sender: author.controlID,
            senderName: hub.name(of: author),
            mine: isOwn,
            text: message.text,
            time: ControlTime(shown: message.time),
            sequence: isOwn ? message.sequence : nil
        )
        info.position = message.position
        if !isOwn { info.senderTrust = hub.trust(of: author) }
        if message.isProvisional { info.waits = true }
        info.group = hub.title(of: message.conversation)
        switch message.content {
        case .text: break
        case .rich(let rich): add(rich, of: message.id, by: author, to: &info)
        case .note(let note):
            var told = self.note(note, by: author)
            told.sentence = NoteText.phrase(told, of: info)
            info.note = told
        }
        if isOwn && info.note == nil { addStatus(of: message, to: &info) }
        info.statusWords = StatusText.words(info)
        if !isOwn && info.group != nil && hub.isBlocked(author) { info.blocked = true }
        info.placeholder = MessageSummary.placeholder(for: info)
        return info
    }

    private func addStatus(of message: ShownMessage, to info: inout MessageInfo) {
        guard let place else { return }
        let reach = place.delivery.reach(of: message.sequence, in: message.log)
        info.status = place.delivery.status(of: message, reach, isCutOff: cutOff != nil)
        guard let status = info.status else { return }
        if status != .delivered && status != .read {
            info.waitingReason = place.why(message, cutOff: cutOff) { hub.name(of: $0) }
        }
        guard place.isGroup, !message.isVoid else { return }
        info.reach = ReachInfo(
            recipients: reach.recipients.count,
            delivered: reach.delivered.count,
            read: reach.read.count,
            readBy: people(reach.read)
        )
    }

    private func add(_ rich: RichMessage, of message: EventID, by author: PeerID, to info: inout MessageInfo) {
        if rich.versions > 1 { info.versions = rich.versions }
        if let deletion = rich.deletion {
            info.deleted = DeletionInfo(
                by: hub.person(deletion.author),
                time: ControlTime(shown: deletion.time)
            )
        }
        if let quote = rich.quote {
            let author = quote.message.log.author
            info.answers = QuoteInfo(
                id: quote.message.id.text,
                sender: hub.person(author),
                text: quote.text,
                blocked: info.group != nil && hub.isBlocked(author)
            )
        }
        if !rich.files.isEmpty, rich.deletion == nil {
            let mine = info.mine
            let sources = hub.sources(of: author, place)
            info.files = rich.files.enumerated().map { index, file in
                let number = rich.files.count > 1 ? index + 1 : nil
                var info = hub.info(file, number: number, of: message, mine: mine)
                if info.waits == true { info.waitsFor = sources }
                return info
            }
        }
        if !rich.reactions.isEmpty {
            info.reactions = rich.reactions.prefix(ControlLimits.reactionKinds).map { reaction in
                ReactionInfo(
                    emoji: reaction.emoji,
                    count: reaction.members.count,
                    people: people(reaction.members)
                )
            }
        }
        if !rich.mentions.isEmpty {
            info.mentions = people(rich.mentions)
            if rich.mentions.count > ControlLimits.peopleListed { info.mentionCount = rich.mentions.count }
            info.mentionPlaces = hub.mentionPlaces(of: rich.mentions, in: info.text, isGroup: info.group != nil)
            if !info.mine && rich.mentions.contains(hub.identity) { info.mentionsMe = true }
        }
    }

    private func note(_ note: GroupNote, by author: PeerID) -> NoteInfo {
        switch note {
        case .created(let title, let members):
            // The author comes first: whoever leaves the author out of a list that is cut knows how many are left.
            self.note(.created, members.filter { $0 == author } + sorted(members.filter { $0 != author }), text: title)
        case .added(let members): self.note(.added, sorted(members))
        case .removed(let members): self.note(.removed, sorted(members))
        case .left: NoteInfo(.left)
        case .appointed(let members): self.note(.appointed, sorted(members))
        case .dismissed(let members): self.note(.dismissed, sorted(members))
        case .renamed(let title): NoteInfo(.renamed, text: title)
        case .topic(let topic): NoteInfo(.topic, text: topic)
        case .lifetime(let seconds): NoteInfo(.lifetime, seconds: Int(clamping: seconds))
        case .forked: NoteInfo(.forked)
        }
    }

    private func note(_ kind: NoteInfo.Kind, _ peers: [PeerID], text: String? = nil) -> NoteInfo {
        NoteInfo(kind, people: people(peers), count: peers.count, text: text)
    }

    /// In the order of the names as the reader knows them; whoever gave an order had that of the IDs.
    private func sorted(_ peers: [PeerID]) -> [PeerID] {
        peers.map { (hub.name(of: $0).folded, $0) }.sorted { $0 < $1 }.map(\.1)
    }

    private func people(_ peers: [PeerID]) -> [Person] {
        peers.prefix(ControlLimits.peopleListed).map { hub.person($0) }
    }
}

extension EventHub {
    /// Who may have the files of a message: first its author, then one of the others in the group, so that it is known that
    /// there are others.
    ///
    /// - Parameter place: its conversation; without it nobody is named.
    func sources(of author: PeerID, _ place: Place?) -> [Person]? {
        guard let place else { return nil }
        let others = place.delivery.recipients.map(\.peer).filter { $0 != author && $0 != identity }
        let people = ([author] + others.prefix(1)).filter { $0 != identity }
        return people.isEmpty ? nil : people.map { person($0) }
    }
}

extension ShownMessage {
    /// The keys of the display order (events.md, "Order") as a text that sorts as they do: the effective time and the
    /// first bytes of the ID, in hexadecimal digits.
    fileprivate var position: String {
        ([UInt8](bigEndian: effective) + id.bytes.prefix(8)).reduce(into: "") { text, byte in
            if byte < 0x10 { text += "0" }
            text += String(byte, radix: 16)
        }
    }
}

extension [UInt8] {
    fileprivate init(bigEndian number: UInt64) {
        self = (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}
