import ParlanceAudit
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceWire

/// Knows what people were promised, and checks whether it is kept: at every step what can be checked at once, and
/// everything once the faults have stopped.
final class Checker {
    let world: SimulatedWorld
    let garbler: Int?
    /// The nodes whose owners send what they like (`Checker+Hostility`).
    let hostile: Set<Int>
    /// What is known about each node.
    var watches: [NodeWatch]
    let indexes: [PeerID: Int]
    /// The node whose input, effect or batch is being examined.
    var subject: Int?
    /// The first thing found wrong.
    private(set) var violation: String?

    var expectations: [CommandID: Expectation] = [:]
    var accepted: [EventID: AcceptedMessage] = [:]
    /// The messages in the order in which they were accepted.
    var acceptedOrder: [ConversationID: [EventID]] = [:]
    /// Every text that anybody tried to send.
    var texts: [String: WrittenText] = [:]
    /// Texts whose command failed: nobody may ever see them.
    var failed: Set<String> = []
    var withdrawn: Set<EventID> = []
    /// How many withdrawals were requested and are not known to have failed.
    var asked: [EventID: Int] = [:]
    /// Withdrawals that a rolled-back store may have forgotten: either result is right, but it must be the same
    /// everywhere.
    var uncertain: Set<EventID> = []
    /// Messages that no disk held any more after a store was rolled back.
    var lost: Set<EventID> = []
    /// Messages that a rolled-back store must get back from others.
    var awaited: Set<EventID> = []
    /// What people had seen when they wrote.
    var seen: [CommandID: [EventID]] = [:]
    /// Counts the commands that changed a node's trust in another.
    private var opinions: [[Int]: Int] = [:]
    var typedNames: [CommandID: (typed: String, meant: Set<Int>)] = [:]
    /// Which node left which envelope with couriers.
    var envelopes: [EnvelopeID: Envelope] = [:]
    /// What was packed for sticks.
    var parcels = Parcels()
    /// Where each file was ever named.
    var filePlaces: [FileID: Set<ConversationID>] = [:]
    var signaturesSeen = 0
    /// How many groups anybody tried to create.
    var groupsMade = 0
    /// What an admin called each group at the end.
    var lastTitles: [ConversationID: (title: String, admin: Int)] = [:]
    /// For each group, what the rules say about the membership events that were checked last.
    var plainMemberships: [ConversationID: (ids: Set<EventID>, plain: PlainMembership)] = [:]
    /// The nodes whose memory must be checked as soon as all of it is on disk.
    var keptDue: Set<Int> = []
    /// Which node is checked next, and how many minutes have passed.
    var turns = 0
    var minutes = 0
    /// What the nodes say in the end.
    var finalViews: [Int: [ConversationID: DeliveryView]] = [:]
    var finalPeers: [Int: [PeerView]] = [:]

    struct StatusKey: Hashable {
        var conversation: ConversationID
        var peer: PeerID
        var log: LogID
    }

    init(_ world: SimulatedWorld, garbler: Int?, hostile: Set<Int>) {
        self.world = world
        (self.garbler, self.hostile) = (garbler, hostile)
        watches = world.nodes.map { _ in NodeWatch() }
        indexes = Dictionary(uniqueKeysWithValues: world.nodes.enumerated().map { ($1.identity, $0) })
    }

    func violate(_ what: String) {
        if violation == nil, !isOfHostile { violation = what }
    }

    func name(_ node: Int) -> String { world.nodes[node].name }

    func conversation(_ a: Int, _ b: Int) -> ConversationID {
        ConversationID(direct: world.nodes[a].identity, world.nodes[b].identity)
    }

    // What is expected.

    func nextText(from node: Int) -> String {
        watches[node].numbers += 1
        return "\(name(node)) #\(watches[node].numbers)"
    }

    func expectMessage(
        _ command: CommandID,
        text: String,
        from node: Int,
        in conversation: ConversationID,
        answering target: EventID? = nil
    ) {
        texts[text] = WrittenText(author: node, conversation: conversation, answers: target)
        let anchor = watches[node].lastShown[conversation]?.id
        let outsiders = outsiders(of: conversation, for: node)
        noteSeen(command, in: conversation, node)
        expectations[command] = .message(text: text, from: node, anchor: anchor, outsiders: outsiders)
    }

    func expectEdit(
        _ command: CommandID,
        text: String,
        of target: EventID,
        from node: Int,
        in conversation: ConversationID
    ) {
        texts[text] = WrittenText(author: node, conversation: conversation, edits: target)
        expectations[command] = .edit(text: text, from: node)
    }

    func expectWithdrawal(_ command: CommandID, of id: EventID, by node: Int) {
        asked[id, default: 0] += 1
        expectations[command] = .withdrawal(id, by: node)
    }

    /// A command that accepts, declines, blocks, unblocks or forgets a peer.
    func expectOpinion(_ command: CommandID, _ kind: Act.Kind, of other: Int, by node: Int) {
        let number = (opinions[[node, other]] ?? 0) + 1
        opinions[[node, other]] = number
        watches[node].declined[other] = nil
        switch kind {
        case .accept:
            watches[node].acceptedAt[other] = world.now
            expectations[command] = .trust(of: other, by: node, number: number)
        case .decline: expectations[command] = .refusalToTalk(of: other, by: node, number: number)
        // The next batch may accept the peer anew, under another name.
        case .forget:
            watches[node].pinned[other] = nil
            // When it was last seen is forgotten too.
            watches[node].links.forget(other, at: world.now)
        default: break
        }
    }

    func expectDeletion(_ command: CommandID, in conversation: ConversationID, by node: Int) {
        expectations[command] = .deletion(in: conversation, by: node)
    }

    func expectRefusal(of command: CommandID) { expectations[command] = .refusal }

    /// One of the last messages that a node wrote with its present store.
    func latest(in conversation: ConversationID, by node: Int, back: Int) -> AcceptedMessage? {
        let own = LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        let messages = (acceptedOrder[conversation] ?? []).reversed().lazy.compactMap { self.accepted[$0] }
        // A store that was rolled back may have another message in its place.
        let disk = world.nodes[node].disk
        return messages.filter { $0.key.log == own && !$0.isEdit && $0.event(on: disk) != nil }.dropFirst(back).first
    }

    // What happens.

    func started(_ node: Int) {
        watches[node].lastShown = world.nodes[node].disk.latestShown()
        openScreens(of: node)
        watches[node].statuses = [:]
        noteMemberships(of: node)
        begin(node)
        for mark in world.nodes[node].disk.watermarks.values where mark.key.log.author == world.nodes[node].identity {
            let key = StatusKey(conversation: mark.key.conversation, peer: mark.key.member, log: mark.key.log)
            var status = watches[node].statuses[key] ?? (0, 0)
            status.delivered = max(status.delivered, mark.position.sequence)
            if mark.key.level == .read { status.read = max(status.read, mark.position.sequence) }
            watches[node].statuses[key] = status
        }
    }

    func decided(_ effect: Effect, _ node: Int) {
        checkFile(effect, node)
        switch effect {
        case .answer(let command, let result):
            answered(command, result, node)
            watches[node].desks.answered(command, isDone: (try? result.get()) != nil, at: world.now)
        case .send(let link, let frame):
            checkTold(frame, on: link, node)
            checkReceiver(frame, on: link, node)
            checkAddressee(frame, on: link, node)
            checkFarewell(frame, on: link, node)
            checkEnvelopes(frame, on: link, node)
        case .close(let link): watches[node].links.shut(link, at: world.now)
        case .notify(.delivery(let view)): checkStatus(view, node)
        case .notify(.peer(let view)):
            noteNews(.peer(view), node)
            checkLastSeen(view, node)
            checkStatus(view.delivery, node)
        case .notify(.message(let message)), .notify(.unwanted(let message)): checkShown(message, node)
        case .notify(.changed(let message)):
            checkFailed(message, node)
            noteShown(message, isNew: false, node)
        case .notify(.withdrawn(let id)): noteGone(id, node)
        case .notify(.voided(let message)): noteVoid(message, node)
        case .notify(.removed(let record, let ids)): noteRemoved(ids, from: record, node)
        case .notify(.group(let view)): checkStatus(view.delivery, node)
        case .notify(.request(let view)):
            checkAsked(view, node)
            noteNews(.request(view), node)
        case .notify(let notice): noteNews(notice, node)
        default: break
        }
    }

    private func checkFailed(_ message: ShownMessage, _ node: Int) {
        if failed.contains(message.text) {
            violate("\(name(node)) shows \"\(message.text.prefix(40))\", whose command failed")
        }
    }

    private func checkShown(_ message: ShownMessage, _ node: Int) {
        checkFailed(message, node)
        noteShown(message, isNew: true, node)
        guard message.note != .forked else { return }
        checkTypingEnded(by: message, node)
        let before = watches[node].lastShown[message.conversation]
        if before.map({ ($0.effective, $0.id) < (message.effective, message.id) }) ?? true {
            watches[node].lastShown[message.conversation] = message
        }
    }

    private func answered(_ command: CommandID, _ result: Result<Answer, Refusal>, _ node: Int) {
        if case .success(.deliveries(let views)) = result {
            for view in views {
                checkStatus(view, node)
                finalViews[node, default: [:]][view.conversation] = view
            }
        }
        if case .success(.peers(let views)) = result {
            finalPeers[node] = views
            checkNamesListed(views, node)
        }
        if case .success(let answer) = result { checkParcel(command, answer, node) }
        defer { seen[command] = nil }
        if case .failure(let error) = result, error.code == .storeFailed { keptDue.insert(node) }
        checkTypedName(command, result, node)
        if case .success(.sent(let sent)) = result { noteNaming(command, sent, node) }
        guard let expectation = expectations.removeValue(forKey: command) else { return }
        switch (expectation, result) {
        case (.message(let text, let from, let anchor, let outsiders), .success(.sent(let sent))):
            accept(sent, text, from, anchor, outsiders)
        case (.edit(let text, let from), .success(.sent(let sent))): accept(sent, text, from, nil, [], isEdit: true)
        case (.message(let text, _, _, _), .failure(let error)), (.edit(let text, _), .failure(let error)):
            // A disk that breaks may have written what it could not confirm.
            if error.code != .storeFailed || !world.nodes[node].trouble.breaks { failed.insert(text) }
        case (.withdrawal(let id, _), .success):
            withdrawn.insert(id)
            checkTakenBack(id, by: node)
        case (.withdrawal(let id, _), .failure(let error)):
            if error.code != .storeFailed || !world.nodes[node].trouble.breaks { asked[id, default: 0] -= 1 }
        case (.trust(let other, let node, let number), .success):
            let peer = world.nodes[other].identity
            // If there are several in one batch, the last counts.
            if opinions[[node, other]] == number, world.nodes[node].disk.peers[peer]?.isFriend != true {
                violate("\(name(node)) answered that \(name(other)) is accepted, and it is not on its disk")
            }
        case (.refusalToTalk(let other, let node, let number), .success):
            if opinions[[node, other]] == number { watches[node].declined[other] = world.instant(of: node).wall }
        case (.deletion(let group, let node), .success): checkDeletion(in: group, by: node)
        case (.change(let what, let group, let node), .failure(let error)):
            violate("\(name(node)), an admin, cannot \(what) in \(group): \(error.code.rawValue)")
        case (.refusal, .success): violate("\(name(node)) accepted what is to be refused")
        default: break
        }
    }
}
