import ParlanceCore
import ParlanceRecords
import ParlanceWire

/// The branches of some logs, and which events each contains, once all forks are known.
struct PartedLogs {
    /// The events of a log, or of a branch beyond its base.
    struct Part {
        let conversation: ConversationID
        let log: LogID
        /// The branch that this part is; `nil` for a log that is no branch.
        let record: BranchRecord?
        let events: [StoredEvent]
        var children: [Int] = []
        var parent: Int?
    }

    private(set) var parts: [Part] = []

    /// - Parameter writers: writers of the same log have their first events in common.
    init(_ writers: [LogWriter]) {
        var done: Set<LogKey> = []
        for writer in writers where done.insert(LogKey(writer.conversation, writer.log)).inserted {
            let same = writers.filter { $0.conversation == writer.conversation && $0.log == writer.log }
            add(same.map { $0.events[...] }, writer.conversation, writer.log, nil, parent: nil)
        }
    }

    private mutating func add(
        _ runs: [ArraySlice<StoredEvent>],
        _ conversation: ConversationID,
        _ log: LogID,
        _ record: BranchRecord?,
        parent: Int?
    ) {
        var rest = runs
        var common: [StoredEvent] = []
        // A log that ends here does not decide where the others fork.
        while let first = rest.first(where: { !$0.isEmpty })?.first,
            rest.allSatisfy({ $0.first.map { $0.id == first.id } ?? true })
        {
            common.append(first)
            rest = rest.map { $0.dropFirst() }
        }
        let index = parts.count
        parts.append(Part(conversation: conversation, log: log, record: record, events: common, parent: parent))
        if let parent { parts[parent].children.append(index) }
        let base = common.last?.position ?? record?.base ?? .start
        var seen: Set<EventID> = []
        for first in rest.compactMap(\.first) where seen.insert(first.id).inserted {
            let child = BranchRecord(
                conversation: conversation,
                log: LogID(branchOf: first.header.log, first: first.id),
                parent: log,
                base: base,
                first: first.id,
                proof: first.headerBytes
            )
            add(rest.filter { $0.first?.id == first.id }, conversation, child.log, child, parent: index)
        }
    }
}

/// The order in which events, and the news of forks, reach a node.
struct ForkFeed {
    let tree: PartedLogs
    private var delivered: [Int]
    private var isKnown: [Bool]
    /// Which branch counts as the continuation of its log while the fork is not known.
    private var taken: [Int: Int] = [:]

    init(_ tree: PartedLogs) {
        self.tree = tree
        delivered = tree.parts.map { _ in 0 }
        isKnown = tree.parts.map { $0.record == nil }
    }

    /// The log in which the node keeps an event of a part, by what it knows.
    private func log(of part: Int) -> LogID {
        var part = part
        while !isKnown[part], let parent = tree.parts[part].parent { part = parent }
        return tree.parts[part].log
    }

    private func canDeliver(_ part: Int) -> Bool {
        guard delivered[part] < tree.parts[part].events.count else { return false }
        return isOpen(part)
    }

    private func isOpen(_ part: Int) -> Bool {
        guard !isKnown[part], let parent = tree.parts[part].parent else { return true }
        return isOpen(parent) && delivered[parent] == tree.parts[parent].events.count
            && (taken[parent] ?? part) == part
    }

    /// The parts whose forks can become known: those of logs that are known.
    private var open: [Int] {
        tree.parts.indices.filter { isKnown[$0] && tree.parts[$0].children.contains { !isKnown[$0] } }
    }

    /// Some more events and branches; `nil` when everything has arrived.
    mutating func next(_ random: inout SeededGenerator) -> (branches: [BranchRecord], events: [StoredEvent])? {
        var branches: [BranchRecord] = []
        var events: [StoredEvent] = []
        let canGoOn = tree.parts.indices.contains { canDeliver($0) }
        if let parent = open.randomElement(using: &random), !canGoOn || random.chance(6) {
            for child in tree.parts[parent].children {
                isKnown[child] = true
                if let record = tree.parts[child].record { branches.append(record) }
            }
            branches.shuffle(using: &random)
        }
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            guard let part = tree.parts.indices.filter({ canDeliver($0) }).randomElement(using: &random) else { break }
            if let parent = tree.parts[part].parent, !isKnown[part] { taken[parent] = part }
            for _ in 0..<Int.random(in: 1...9, using: &random) where canDeliver(part) {
                var event = tree.parts[part].events[delivered[part]]
                let log = log(of: part)
                if log != event.header.log { event.branch = log }
                if random.chance(20) { event.via = PeerID(value: random.bytes32()) }
                events.append(event)
                delivered[part] += 1
            }
        }
        return canGoOn || !branches.isEmpty || !open.isEmpty ? (branches, events) : nil
    }
}
