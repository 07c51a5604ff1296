import ParlanceCore
import ParlanceWire

/// Knows what people were promised, and checks whether it is kept: at every step what can be checked at once, and
/// everything once the faults have stopped.
final class Checker {
    let world: SimulatedWorld
    let garbler: Int?
    /// The nodes whose owners send what they like (`Checker+Hostility`).
    let hostile: Set<Int>
    /// The node whose input, effect or batch is being examined.
    var subject: Int?
    /// The bytes that each node has taken of hostile authors since their day began.
    var taken: [[TakenPlace: Int]]
    /// What an admin called each group at the end.
    var lastTitles: [ConversationID: (title: String, admin: Int)] = [:]
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
    /// Counts the commands that changed a node's trust in another.
    private var opinions: [[Int]: Int] = [:]
    /// The last message that each node was told of, in each conversation.
    var lastShown: [[ConversationID: ShownMessage]]
    /// What a screen shows that keeps all conversations open.
    var screens: [[ConversationID: [EventID: ShownMessage]]]
    /// How far each node has shown its logs as delivered and read, since its last start.
    var statuses: [[StatusKey: (delivered: UInt64, read: UInt64)]]
    /// What the nodes say in the end.
    var finalViews: [Int: [ConversationID: DeliveryView]] = [:]
    var finalPeers: [Int: [PeerView]] = [:]
    private var numbers: [Int]
    /// How many groups anybody tried to create.
    var groupsMade = 0
    /// The events that each node has ever held with all earlier events and all bodies: others may learn of it late,
    /// when its store has been rolled back.
    var everComplete: [Set<EventID>]
    /// Up to where that is noted, for each log of its present store.
    var completeNoted: [[LogKey: UInt64]]
    /// The events whose bodies each store has been given.
    var bodiesHeld: [Set<EventID>]
    /// What each node's engine was told about links, and what it shows about others.
    var links: [LinkWatch]
    var shown: [Shown]
    /// How far each node trusts others, by its disk, and since when.
    var trusts: [[Int: Trust]]
    var opinionSince: [[Int: Int64]]
    /// How far each node trusted the peers that it now blocks, when it last accepted a peer, and when it declined one,
    /// by its own clock.
    var blockedFrom: [[Int: Trust]]
    var acceptedAt: [[Int: Int64]]
    var declined: [[Int: Int64]]
    /// The names that each node has pinned.
    var pinned: [[Int: String]]
    var typedNames: [CommandID: (typed: String, meant: Set<Int>)] = [:]
    /// Which node left which envelope with couriers.
    var envelopes: [EnvelopeID: Envelope] = [:]
    /// The one-time keys with which each node has sealed.
    var keysUsed: [[[UInt8]: UsedKey]]
    /// Envelopes that each node was given and whose keys it holds, with the one-time key if there is one.
    var openable: [[EnvelopeID: PrekeyID?]]
    /// The envelopes that couriers keep, and those that their recipients have said to have taken.
    var kept: [[EnvelopeID: Kept]]
    var handedOver: [Set<EnvelopeID>]
    /// When a person last gave each node a command, in the life of its process.
    var actedAt: [Int64]
    /// What each node was told about its user.
    var desks: [Desk]
    /// All names that each node has ever had.
    var namesBorne: [Set<String>]
    /// When the addresses were signed that each node holds of others.
    var addressTimes: [[Int: UInt64]]
    /// The nodes whose memory must be checked as soon as all of it is on disk.
    var keptDue: Set<Int> = []
    /// How far each clock is off, and since when.
    var clockSince: [(skew: Int64, time: Int64)]
    /// Since when nothing has been slow or has failed at a node.
    var calmSince: [Int64]
    /// Receipts that each disk holds, what each node has ever read, and the receipts that it owes.
    var marks: [[WatermarkRecord.Key: Mark]]
    var readEver: [Set<EventID>]
    var owed: [[LogKey: Mark]]
    var signaturesSeen = 0
    /// How many receipts each node brought another node about a third.
    var handed: [[[Int]: Int]]
    /// Since when each node knows a group as it is, and its members.
    var groupSince: [[ConversationID: Int64]]
    var membersKnown: [[ConversationID: Set<PeerID>]]
    /// What each engine knows to be applied, what people had seen when they wrote, and what they last wrote.
    var heads: [[ConversationID: [LogID: EventID]]]
    var seen: [CommandID: [EventID]] = [:]
    var namings: [[ConversationID: Naming]]
    /// When each node last wrote in each conversation.
    var wrote: [[ConversationID: Int64]]
    /// Since when logs wait for something.
    var waitsSince: [[LogKey: Int64]]
    /// Which node is checked next, and how many minutes have passed.
    var turns = 0
    var minutes = 0
    /// The authors and recipients of the envelopes that each node has ever kept as a courier.
    var everCarried: [Set<[PeerID]>]
    let indexes: [PeerID: Int]
    /// For each group, what the rules say about the membership events that were checked last.
    var plainMemberships: [ConversationID: (ids: Set<EventID>, plain: PlainMembership)] = [:]
    /// The membership events that count for each node, since its last start.
    var evaluated: [[ConversationID: Set<EventID>]]
    /// What was packed for sticks, and taken from them.
    var parcels: Parcels
    /// What each node has removed because of its age.
    var floors: [Floors]
    /// Where files were named, and who may give them to whom.
    var fileWatch: FileWatch
    /// Since when each node has known, durably, about each former member of a group.
    var goneSince: [[ConversationID: [Int: Int64]]]

    struct StatusKey: Hashable {
        var conversation: ConversationID
        var peer: PeerID
        var log: LogID
    }

    init(_ world: SimulatedWorld, garbler: Int?, hostile: Set<Int>) {
        self.world = world
        (self.garbler, self.hostile) = (garbler, hostile)
        taken = world.nodes.map { _ in [:] }
        lastShown = world.nodes.map { _ in [:] }
        screens = world.nodes.map { _ in [:] }
        blockedFrom = world.nodes.map { _ in [:] }
        declined = world.nodes.map { _ in [:] }
        acceptedAt = world.nodes.map { _ in [:] }
        statuses = world.nodes.map { _ in [:] }
        numbers = world.nodes.map { _ in 0 }
        everComplete = world.nodes.map { _ in [] }
        completeNoted = world.nodes.map { _ in [:] }
        bodiesHeld = world.nodes.map { _ in [] }
        links = world.nodes.map { _ in LinkWatch() }
        shown = world.nodes.map { _ in Shown() }
        trusts = world.nodes.map { _ in [:] }
        opinionSince = world.nodes.map { _ in [:] }
        pinned = world.nodes.map { _ in [:] }
        keysUsed = world.nodes.map { _ in [:] }
        openable = world.nodes.map { _ in [:] }
        kept = world.nodes.map { _ in [:] }
        handedOver = world.nodes.map { _ in [] }
        actedAt = world.nodes.map { _ in 0 }
        desks = world.nodes.map { _ in Desk() }
        namesBorne = world.nodes.map { _ in [] }
        addressTimes = world.nodes.map { _ in [:] }
        calmSince = world.nodes.map { _ in 0 }
        clockSince = world.nodes.map { _ in (0, 0) }
        marks = world.nodes.map { _ in [:] }
        readEver = world.nodes.map { _ in [] }
        owed = world.nodes.map { _ in [:] }
        handed = world.nodes.map { _ in [:] }
        groupSince = world.nodes.map { _ in [:] }
        membersKnown = world.nodes.map { _ in [:] }
        heads = world.nodes.map { _ in [:] }
        namings = world.nodes.map { _ in [:] }
        wrote = world.nodes.map { _ in [:] }
        waitsSince = world.nodes.map { _ in [:] }
        everCarried = world.nodes.map { _ in [] }
        evaluated = world.nodes.map { _ in [:] }
        fileWatch = FileWatch(world.nodes.count)
        floors = world.nodes.map { _ in Floors() }
        parcels = Parcels(taken: world.nodes.map { _ in [] }, badRead: world.nodes.map { _ in 0 })
        goneSince = world.nodes.map { _ in [:] }
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
        numbers[node] += 1
        return "\(name(node)) #\(numbers[node])"
    }

    func expectMessage(
        _ command: CommandID,
        text: String,
        from node: Int,
        in conversation: ConversationID,
        answering target: EventID? = nil
    ) {
        texts[text] = WrittenText(author: node, conversation: conversation, answers: target)
        let anchor = lastShown[node][conversation]?.id
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
        declined[node][other] = nil
        switch kind {
        case .accept:
            acceptedAt[node][other] = world.now
            expectations[command] = .trust(of: other, by: node, number: number)
        case .decline: expectations[command] = .refusalToTalk(of: other, by: node, number: number)
        // The next batch may accept the peer anew, under another name.
        case .forget: pinned[node][other] = nil
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
        lastShown[node] = world.nodes[node].disk.latestShown()
        openScreens(of: node)
        statuses[node] = [:]
        noteMemberships(of: node)
        begin(node)
        for mark in world.nodes[node].disk.watermarks.values where mark.key.log.author == world.nodes[node].identity {
            let key = StatusKey(conversation: mark.key.conversation, peer: mark.key.member, log: mark.key.log)
            var status = statuses[node][key] ?? (0, 0)
            status.delivered = max(status.delivered, mark.position.sequence)
            if mark.key.level == .read { status.read = max(status.read, mark.position.sequence) }
            statuses[node][key] = status
        }
    }

    func decided(_ effect: Effect, _ node: Int) {
        checkFile(effect, node)
        switch effect {
        case .answer(let command, let result):
            answered(command, result, node)
            desks[node].answered(command, isDone: (try? result.get()) != nil, at: world.now)
        case .send(let link, let frame):
            checkTold(frame, on: link, node)
            checkReceiver(frame, on: link, node)
            checkAddressee(frame, on: link, node)
            checkFarewell(frame, on: link, node)
            checkEnvelopes(frame, on: link, node)
        case .close(let link): links[node].shut(link, at: world.now)
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
        let before = lastShown[node][message.conversation]
        if before.map({ ($0.effective, $0.id) < (message.effective, message.id) }) ?? true {
            lastShown[node][message.conversation] = message
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
            if opinions[[node, other]] == number { declined[node][other] = world.instant(of: node).wall }
        case (.deletion(let group, let node), .success): checkDeletion(in: group, by: node)
        case (.change(let what, let group, let node), .failure(let error)):
            violate("\(name(node)), an admin, cannot \(what) in \(group): \(error.code.rawValue)")
        case (.refusal, .success): violate("\(name(node)) accepted what is to be refused")
        default: break
        }
    }
}
