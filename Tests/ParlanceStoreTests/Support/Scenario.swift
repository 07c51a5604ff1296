import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

/// Random logs in two direct conversations and a group: messages, events about messages, withdrawals, membership
/// changes, dependencies across logs, and events that only a hostile or newer author writes.
struct Scenario {
    let conversations: [ConversationRecord]
    private(set) var writers: [LogWriter]
    private let me: PeerID
    private let fabricates: Bool
    private var membership = Membership()
    private var groupPeers: [PeerID] = []

    /// - Parameters:
    ///   - fabricates: whether some events name others that do not exist, so that their logs wait for ever.
    ///   - forks: how many times another replica continues a log from somewhere.
    init(me: LogID, _ random: inout SeededGenerator, events count: Int, fabricates: Bool = true, forks: Int = 0) {
        self.fabricates = fabricates
        self.me = me.author
        let peers = (0..<4).map { _ in PeerID(value: random.bytes32()) }
        let founder = random.chance(50) ? me.author : peers[0]
        let members = ([me.author] + peers).filter { $0 != founder && random.chance(60) }
        let creation = LogWriter.creation("group", nonce: random.bytes(16), members: members)
        let group = ConversationID(creator: founder, creation: creation)
        conversations =
            peers.prefix(2).map {
                ConversationRecord(id: ConversationID(direct: me.author, $0), kind: .direct($0))
            } + [ConversationRecord(id: group, kind: .group)]
        writers = []
        for (conversation, peer) in zip(conversations, peers.prefix(2)) {
            // Two replicas of the peer, the local replica, and an older replica of the local identity.
            let logs = [
                me, LogID(author: me.author, replica: random.replica()), LogID(author: peer, replica: random.replica()),
                LogID(author: peer, replica: random.replica()),
            ]
            writers += logs.map { LogWriter(conversation.id, $0, time: UInt64.random(in: 1...1 << 40, using: &random)) }
        }
        groupPeers = [me.author] + peers
        let logs = [me] + (peers + peers.suffix(1)).map { LogID(author: $0, replica: random.replica()) }
        let times = logs.map { _ in UInt64.random(in: 1...1 << 40, using: &random) }
        writers += zip(logs, times).map { LogWriter(group, $0, time: $1) }
        if let index = writers.firstIndex(where: { $0.conversation == group && $0.log.author == founder }) {
            membership.insert([writers[index].create(creation)])
        }
        let each = forks == 0 ? count + 1 : max(1, count / (forks + 1))
        for number in 1...max(1, count) {
            write(&random)
            if number.isMultiple(of: each) { fork(&random) }
        }
    }

    private mutating func fork(_ random: inout SeededGenerator) {
        guard let writer = writers.filter({ $0.events.count > 1 }).randomElement(using: &random) else { return }
        let count = Int.random(in: 0..<writer.events.count, using: &random)
        writers.append(writer.forked(after: count, &random))
    }

    /// Every membership event of the group, as an invitation contains them.
    var invitation: [StoredEvent] { membership.events }

    private mutating func write(_ random: inout SeededGenerator) {
        let index = Int.random(in: 0..<writers.count, using: &random)
        let after = dependencies(for: index, &random)
        let number = writers[index].events.count
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<36:
            let target = random.chance(15) ? target(for: index, &random) : nil
            let peers = random.chance(15) ? [random.chance(50) ? me : groupPeers[1]] : []
            let files = (0..<(random.chance(15) ? Int.random(in: 1...3, using: &random) : 0)).map { place in
                FileMention(file: FileID(value: random.bytes32()), name: "file \(place).txt", size: UInt64(number))
            }
            writers[index].say(
                files.isEmpty || random.chance(50) ? "text \(index) \(number)" : "",
                after: after,
                signed: random.chance(70),
                to: target,
                mentioning: peers,
                with: files
            )
        case 36..<60: writeAbout(index, after, &random)
        case 60..<70: changeGroup(index, after, &random)
        case 70..<78:
            let target = UInt64.random(in: 0...UInt64(number) + 1, using: &random)
            writers[index].withdraw(target, after: after)
        case 78..<81: writers[index].append(.message, body: nil, after: after)
        case 81..<83:
            let seconds: [UInt64] = [0, 3_600, 86_400, 3_599]
            writers[index].lifetime(seconds.randomElement(using: &random) ?? 0, after: after)
        case 83..<85: writers[index].append(.link, body: [], after: after, signed: false)
        case 85..<88: writers[index].append(.unknown(77), body: [1, 2, 3], after: after)
        case 88..<91: writers[index].say("  \n ", after: after)
        case 91..<94: writers[index].append(.message, body: [0xFF, 0xFF], after: after)
        case 94..<96: writers[index].append(.withdraw, body: nil, after: after)
        default:
            // A time that is not after its predecessor's makes the event void.
            var body = WireMessageBody()
            body.text = "void"
            writers[index].append(.message, body: body.encodedBytes(), after: after, advance: 0)
        }
    }

    private mutating func writeAbout(_ index: Int, _ after: [EventReference], _ random: inout SeededGenerator) {
        // Mostly about the author's own messages, so that many of these events count; only recent messages, so that
        // several events are about the same one.
        guard let target = target(for: random.chance(60) ? index : nil, in: index, &random) else { return }
        let number = writers[index].events.count
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4:
            let peers = random.chance(20) ? [me] : []
            let text = random.chance(90) ? "edit \(index) \(number)" : " "
            writers[index].edit(target, text, after: after, mentioning: peers)
        case 4: writers[index].append(.edit, body: [0xFF], after: after, target: random.chance(80) ? target : nil)
        case 5..<7: writers[index].delete(target, after: after)
        default:
            let emoji = ["👍", "🎉", ""].randomElement(using: &random) ?? ""
            writers[index].react(to: target, emoji, removed: random.chance(40), after: after)
        }
    }

    private func target(for index: Int, _ random: inout SeededGenerator) -> EventReference? {
        target(for: nil, in: index, &random)
    }

    /// A recent event of a log, or of any log in the same conversation; sometimes one that does not exist.
    private func target(for own: Int?, in index: Int, _ random: inout SeededGenerator) -> EventReference? {
        let all = own.map { [$0] } ?? writers.indices.filter { writers[$0].conversation == writers[index].conversation }
        guard let log = all.randomElement(using: &random) else { return nil }
        let messages = writers[log].events.filter { $0.header.kind == .message || random.chance(3) }
        guard let event = messages.suffix(12).randomElement(using: &random) else { return nil }
        // A target in the same log must be earlier.
        guard writers[log].log != writers[index].log || event.header.sequence <= writers[index].events.count else {
            return nil
        }
        let id = fabricates && random.chance(2) ? EventID(value: random.bytes32()) : event.id
        return EventReference(log: writers[log].log, sequence: event.header.sequence, id: id)
    }

    private mutating func changeGroup(_ index: Int, _ after: [EventReference], _ random: inout SeededGenerator) {
        var (index, after) = (index, after)
        let admins = writers.indices.filter {
            writers[$0].conversation == conversations[2].id && membership.isAdmin(writers[$0].log.author)
        }
        // Mostly by an admin, so that many of these events count.
        if random.chance(70), let admin = admins.randomElement(using: &random) {
            index = admin
            after = dependencies(for: index, &random)
        }
        let number = writers[index].events.count
        if random.chance(25) {
            writers[index].rename(random.chance(90) ? "title \(number)" : "", after: after)
            return
        }
        if random.chance(25) {
            writers[index].topic(random.chance(80) ? "topic \(number)" : "", after: after)
            return
        }
        let actions: [WireMemberAction] = [.add, .add, .add, .remove, .appoint, .dismiss, .leave]
        guard let action = actions.randomElement(using: &random), let peer = groupPeers.randomElement(using: &random)
        else { return }
        // Mostly everything that exists, sometimes less; then the change is concurrent with the rest.
        let known = membership.frontier + membership.events.map(\.id).filter { _ in random.chance(5) }
        let seen = random.chance(70) ? known : known.filter { _ in random.chance(50) }
        let losers = action == .leave ? writers[index].log.author : peer
        var marks: [LogID: UInt64] = [:]
        for writer in writers where writer.log.author == losers && random.chance(85) {
            let held = UInt64(writer.events.count)
            marks[writer.log] = random.chance(60) ? held : UInt64.random(in: 0...held + 3, using: &random)
        }
        let peers = action == .leave ? [] : [peer]
        let event = writers[index].change(action, peers, known: Array(Set(seen)).sorted(), marks: marks, after: after)
        if conversations.contains(where: { $0.id == event.header.conversation && $0.kind == .group }) {
            membership.insert([event])
        }
    }

    private func dependencies(for index: Int, _ random: inout SeededGenerator) -> [EventReference] {
        guard random.chance(40) else { return [] }
        let others = writers.indices.filter { $0 != index && writers[$0].conversation == writers[index].conversation }
        var found: [EventReference] = []
        for other in others where random.chance(50) {
            // At most one event of each log, and none of the author's own.
            let named = found.map(\.log) + [writers[index].log]
            guard !named.contains(writers[other].log) else { continue }
            let held = UInt64(writers[other].events.count)
            guard held > 0 else { continue }
            let sequence = random.chance(50) ? held : UInt64.random(in: 1...held, using: &random)
            if let reference = writers[other].reference(to: sequence) { found.append(reference) }
        }
        if fabricates, random.chance(1), let last = found.popLast() {
            // A reference with a wrong ID, or to a log that nobody has.
            let log = random.chance(50) ? last.log : LogID(author: last.log.author, replica: random.replica())
            found.append(EventReference(log: log, sequence: last.sequence, id: EventID(value: random.bytes32())))
        }
        return found
    }

    /// All events, each log in its order, the logs interleaved at random.
    func shuffled(_ random: inout SeededGenerator) -> [StoredEvent] {
        var rest = writers.map { $0.events[...] }
        var mixed: [StoredEvent] = []
        while true {
            let open = rest.indices.filter { !rest[$0].isEmpty }
            guard let index = open.randomElement(using: &random) else { return mixed }
            // In runs, so that sometimes a whole log arrives before what it depends on.
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                guard let event = rest[index].popFirst() else { break }
                mixed.append(event)
            }
        }
    }

    /// The events as they come from a sender that lacks some bodies.
    func lackingBodies(_ events: [StoredEvent], _ random: inout SeededGenerator) -> [StoredEvent] {
        events.map { event in
            let mayLack = event.header.kind == .message || event.header.kind == .edit
            return mayLack && random.chance(15) ? event.withoutBody : event
        }
    }

    /// The bodies that a disk misses, where logs may be forked.
    func bodies(of disk: SimulatedDisk) -> [FoundBody] {
        var known: [EventID: StoredEvent] = [:]
        for event in writers.flatMap(\.events) { known[event.id] = event }
        return disk.snapshot.logs.flatMap { record in
            record.missingBodies.compactMap { sequence -> FoundBody? in
                let request = ReadRequest(
                    conversation: record.conversation,
                    log: record.log,
                    from: sequence,
                    through: sequence,
                    byteLimit: 1
                )
                guard let held = disk.read(request).first, let body = known[held.id]?.body else { return nil }
                return FoundBody(
                    conversation: record.conversation,
                    log: record.log,
                    sequence: sequence,
                    body: body
                )
            }
        }
    }

    /// The bodies that are missing, where they exist.
    func bodies(of missing: [LogRecord]) -> [FoundBody] {
        missing.flatMap { record -> [FoundBody] in
            let events = writers.first { $0.conversation == record.conversation && $0.log == record.log }?.events ?? []
            return record.missingBodies.compactMap { events[Int($0) - 1].found }
        }
    }
}
