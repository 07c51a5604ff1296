import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceStore
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// The outbox is not a second copy: it is the part of the local logs that recipients do not have yet, and the messages
// that no recipient will have.

extension NodeOperations {
    static let outbox: [any NodeOperation.Type] = [
        OutboxOperation.self, OutboxRetryOperation.self, OutboxCancelOperation.self,
    ]
}

extension OutboxOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> OutboxReply {
        let places = try await node.places()
        return try await node.read { try node.outbox(places) }
    }
}

extension OutboxRetryOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> MessageInfo {
        try await node.retry(id)
    }
}

extension OutboxCancelOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> MessageInfo {
        try await node.cancel(id)
    }
}

extension LocalControl {
    /// An entry of this user that has not reached every recipient: a message, or a change to one.
    private struct Waiting {
        /// The entry as a line of the local log.
        var line: ShownMessage
        var change: OwnChange?
        var place: Place
        /// When it was written at the latest, in milliseconds since 1970.
        var moment: Int64 = 0
    }

    /// The waiting entries, oldest first.
    private func waiting(_ places: [Place], limit: Int) throws(StoreError) -> [Waiting] {
        var items: [Waiting] = []
        for place in places {
            for log in place.delivery.logs {
                guard let settled = place.delivery.settledThrough(log) else { continue }
                let messages = try store.ownMessages(place.conversation, log: log.log, after: settled, limit: limit)
                let changes = try store.ownChanges(place.conversation, log: log.log, after: settled, limit: limit)
                items += inOrder(
                    messages.map { Waiting(line: $0, place: place) }
                        + changes.map { Waiting(line: $0.line, change: $0, place: place) }
                )
            }
            items += inOrder(try failedMessages(in: place).map { Waiting(line: $0, place: place) })
        }
        return items.sorted {
            ($0.moment, $0.line.time.claimed, $0.line.id) < ($1.moment, $1.line.time.claimed, $1.line.id)
        }
    }

    /// Entries of one log, in its order.
    private func inOrder(_ entries: [Waiting]) -> [Waiting] {
        let wall = WallClock.milliseconds()
        let sorted = entries.sorted { $0.line.sequence < $1.line.sequence }
        let moments = WritingOrder.moments(of: sorted.map { $0.line.time.shown(at: wall) })
        return zip(sorted, moments).map { entry, moment in
            var entry = entry
            entry.moment = moment
            return entry
        }
    }

    /// The messages of the user that have failed for good, in the order shown: they count for nobody, and were not taken
    /// back. An earlier copy of this node may have written others, which this one cannot take back.
    private func failedMessages(in place: Place) throws(StoreError) -> [ShownMessage] {
        let written = place.delivery.logs.first(where: \.isWritten)?.log
        return try voidMessages(in: place).filter { $0.log == written }
    }

    /// The messages of the user that count for nobody and were not taken back, in the order shown.
    func voidMessages(in place: Place) throws(StoreError) -> [ShownMessage] {
        guard !place.overlay.doubtfulAfter.isEmpty else { return [] }
        let overlay = HistoryOverlay(doubtfulAfter: place.overlay.doubtfulAfter)
        return try store.messages(overlay, in: place.conversation).filter { $0.isVoid && $0.note == nil }
    }

    /// The number of messages in the outbox that have failed for good.
    func failedCount(_ places: [Place]) throws(StoreError) -> Int {
        var count = 0
        for place in places { count += try failedMessages(in: place).count }
        return count
    }

    /// The number of entries that are still to be delivered.
    func waitingCount(_ places: [Place]) throws(StoreError) -> Int {
        var count = 0
        for place in places {
            for log in place.delivery.logs {
                guard let settled = place.delivery.settledThrough(log) else { continue }
                count += try store.waitingCounts(place.conversation, log: log.log, after: [settled])[0]
            }
        }
        return count
    }

    /// The number of entries in the outbox of each status.
    func outboxStatuses(_ places: [Place]) throws(StoreError) -> [MessageStatus: Int] {
        var counts: [MessageStatus: Int] = [:]
        let isCutOff = facts.cutOff() != nil
        for place in places {
            let failed = try failedMessages(in: place).count
            if failed > 0 { counts[.failed, default: 0] += failed }
            for log in place.delivery.logs {
                guard let settled = place.delivery.settledThrough(log) else { continue }
                let ends = place.delivery.thresholds(of: log).filter { $0 > settled } + [.max]
                let parts = try store.waitingCounts(
                    place.conversation,
                    log: log.log,
                    after: [settled] + ends.dropLast()
                )
                for (count, end) in zip(parts, ends) where count > 0 {
                    let status = place.delivery.status(of: end, in: log, isCutOff: isCutOff) ?? .staged
                    counts[status, default: 0] += count
                }
            }
        }
        return counts
    }

    func outbox(_ places: [Place]) throws(StoreError) -> OutboxReply {
        // Asked once for all: a thousand items can wait.
        let (now, cutOff) = (Moment.now(), facts.cutOff())
        let waiting = try waiting(places, limit: Self.outboxLimit)
        let items = waiting.prefix(Self.outboxLimit).map { item($0, now, cutOff: cutOff) }
        let failed = try failedCount(places)
        return OutboxReply(
            items: Array(items),
            total: try waitingCount(places) + failed,
            failed: failed == 0 ? nil : failed
        )
    }

    private func item(_ waiting: Waiting, _ now: Moment, cutOff: Phrase?) -> OutboxItem {
        let (message, place) = (waiting.line, waiting.place)
        let lacking = message.isVoid ? [] : place.delivery.lacking(message)
        let status = place.delivery.status(of: message, isCutOff: cutOff != nil) ?? .staged
        let people = lacking.prefix(ControlLimits.peopleListed).map { hub.person($0.peer) }
        var item = OutboxItem(
            id: message.id.text,
            conversation: message.conversation.text,
            recipients: people.map { OutboxItem.Recipient(id: $0.id, displayName: $0.displayName, trust: $0.trust) },
            since: ControlTime(shown: message.time),
            status: status,
            why: place.why(message, cutOff: cutOff) { hub.name(of: $0) } ?? "",
            // Without a network the next try is when there is one again.
            nextTry: status == .failed || cutOff != nil && !lacking.allSatisfy(\.isLinkedWithinComputer)
                ? nil : place.delivery.nextTry.map { now.time(ofMonotonic: $0) },
            preview: waiting.change.map { preview($0) } ?? Phrase(verbatim: String(message.text.prefix(80)))
        )
        if let change = waiting.change {
            item.kind = OutboxItem.Kind(change.what)
            item.about = change.message.id.text
        }
        if message.isVoid { item.final = true }
        if place.isGroup {
            item.group = place.title
            item.waitsFor = lacking.count
        }
        return item
    }

    /// Entries reported at once: more than anybody reads.
    private static var outboxLimit: Int { 1_000 }

    /// Describes an edit, deletion or reaction in words.
    private func preview(_ change: OwnChange) -> Phrase {
        let text = change.message.text.prefix(60)
        switch change.what {
        case .edit: return Phrase("edit of: \(text)")
        case .deletion:
            let author = change.message.log.author
            return author == hub.identity
                ? Phrase("deletion of a message of yours") : Phrase("deletion of a message of \(hub.name(of: author))")
        case .reaction(let emoji, false): return Phrase("reaction \(emoji) to: \(text)")
        case .reaction(let emoji, true): return Phrase("reaction \(emoji) taken away from: \(text)")
        }
    }

    fileprivate func retry(_ typed: String) async throws(ControlError) -> MessageInfo {
        let (item, meant) = try await waiting(typed)
        guard !item.line.isVoid else { throw .cannotBeSent(item.line.id.text, item.place.whyVoid(item.line)) }
        if let error = item.place.futility(of: item.line, cutOff: facts.cutOff(), name: { hub.name(of: $0) }) {
            throw error
        }
        return try await change(item, meant, .retry(item.line.conversation))
    }

    fileprivate func cancel(_ typed: String) async throws(ControlError) -> MessageInfo {
        let (item, meant) = try await waiting(typed)
        if let change = item.change { throw .stands(change, isOwn: change.message.log.author == hub.identity) }
        let line = item.line
        let command = Command.cancel(
            line.log,
            conversation: line.conversation,
            sequence: line.sequence,
            isVoid: line.isVoid
        )
        return try await change(item, meant, command)
    }

    /// Finds a waiting entry by its ID, or the newest message by `last`.
    private func waiting(_ typed: String) async throws(ControlError) -> (Waiting, ResolvedMessage?) {
        let meant = try await last(typed, of: .user)?.meant
        let places = try await places()
        let id = (meant?.id ?? typed).lowercased()
        return try await read { [self] in
            let found = try waiting(places, limit: .max).filter { $0.line.id.text.hasPrefix(id) }
            guard let item = found.first, id.utf8.count >= PeerID.shortestPrefix else {
                throw meant == nil ? ControlError.notWaiting : .lastIsNotWaiting
            }
            guard found.count == 1 else { throw ControlError.severalMessages }
            return (item, meant)
        }
    }

    /// Gives a command about a waiting entry, and returns the message as the command left it.
    private func change(
        _ item: Waiting,
        _ meant: ResolvedMessage?,
        _ command: Command
    ) async throws(ControlError) -> MessageInfo {
        try await ask(command, \.done)
        let place = try await ask(.findConversation(who: item.place.who), \.place)
        let cutOff = facts.cutOff()
        var info = MessageTeller(hub: hub, place: place, cutOff: cutOff).info(item.change?.message ?? item.line)
        // Of a change to a message it is told how far the change has come.
        if item.change != nil { info.reach = nil }
        let why = place.why(item.line, cutOff: cutOff) { hub.name(of: $0) }
        info.setStatus(place.delivery.status(of: item.line, isCutOff: cutOff != nil), because: why)
        info.meant = meant
        return info
    }
}

extension OutboxItem.Kind {
    init(_ what: OwnChange.What) {
        switch what {
        case .edit: self = .edit
        case .deletion: self = .deletion
        case .reaction: self = .reaction
        }
    }
}

extension ControlError {
    fileprivate static let notWaiting = ControlError(
        .notWaiting,
        "No waiting message has that ID.",
        advice: "See \"parlance outbox\" for what waits; give at least 8 characters of the ID."
    )
    fileprivate static func cannotBeSent(_ id: String, _ why: Phrase) -> ControlError {
        ControlError(
            .notAllowed,
            "That message can no longer be sent: \(why).",
            advice: "Write it again where you are a member. To remove it: parlance outbox cancel \(id.prefix(12))"
        )
    }
    fileprivate static let lastIsNotWaiting = ControlError(
        .notWaiting,
        "Your newest message does not wait: everybody has it.",
        advice: "See \"parlance outbox\" for what waits, and give the ID."
    )

    /// A change to a message cannot be cancelled as a message can. A later change has to replace it.
    fileprivate static func stands(_ change: OwnChange, isOwn: Bool) -> ControlError {
        let id = change.message.id.text.prefix(12)
        let again = isOwn ? Phrase("Write the message again.") : Phrase("Whoever wrote the message can write it again.")
        return switch change.what {
        case .edit:
            ControlError(
                .notAllowed,
                "An edit cannot be taken back.",
                advice: "Edit the message again: parlance edit \(id) TEXT"
            )
        case .deletion:
            ControlError(.notAllowed, "A deletion cannot be taken back.", advice: again)
        case .reaction(let emoji, let removed):
            ControlError(
                .notAllowed,
                "A reaction cannot be taken back while it waits.",
                advice: removed
                    ? "Give it again: \(Phrase(command: ShellWord.command("parlance react", [String(id), emoji])))"
                    : "Take it away again: \(Phrase(command: ShellWord.command("parlance react --remove", [String(id), emoji])))"
            )
        }
    }
}
