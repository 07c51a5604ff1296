import ParlanceCore
package import ParlanceRecords
package import ParlanceWire

// Questions of the checkers.
extension SimulatedDisk {
    /// How far a log is durable here.
    package func position(of key: LogKey) -> LogPosition { logs[key]?.position ?? .start }

    /// Up to where everything of a log is durable here, bodies too: this may be called delivered.
    ///
    /// - Parameters:
    ///   - author: the disk of the log's author: nobody is expected to have what it removed because of its age.
    ///   - isWritten: whether it still writes the log: then nobody is expected to have what it lacks.
    package func completeThrough(of key: LogKey, besides author: SimulatedDisk, isWritten: Bool) -> UInt64 {
        guard let entry = entry(of: key) else { return 0 }
        var theirs = author.entry(of: key)
        // What it does not call missing may be gone because of a deletion that others need not know.
        theirs?.missing = isWritten ? entry.missing.filter { author.hasDropped($0, of: key) } : []
        return entry.completeThrough(besides: isWritten || theirs?.floor ?? 0 > 0 ? theirs : nil)
    }

    private func hasDropped(_ sequence: UInt64, of key: LogKey) -> Bool {
        event(at: sequence, of: key).map { $0.body == nil } ?? false
    }

    private func entry(of key: LogKey) -> Clock.Entry? {
        logs[key].map { Clock.Entry(position: $0.position, missing: $0.missing, floor: $0.floor) }
    }

    /// Through where the texts of a log were removed because of their age.
    func floor(of key: LogKey) -> UInt64 { logs[key]?.floor ?? 0 }

    /// The floors of all logs of which something was removed.
    var heights: [LogKey: UInt64] { logs.compactMapValues { $0.floor > 0 ? $0.floor : nil } }

    /// The events whose texts were removed because of their age, or would be if they had one.
    var belowFloors: Set<EventID> {
        Set(
            logs.values.lazy.filter { $0.floor > 0 }.flatMap { log in
                log.events.lazy.filter { $0.header.sequence <= log.floor }.map(\.id)
            }
        )
    }

    package func missingBodies(of key: LogKey) -> [UInt64] { logs[key]?.missing ?? [] }

    /// Whether an event is durable here in that very log.
    package func holds(_ id: EventID, at sequence: UInt64, of key: LogKey) -> Bool {
        guard let log = logs[key] else { return false }
        if sequence == log.base.sequence { return log.base.head == id }
        return log.index(of: sequence).map { log.events[$0].id == id } ?? false
    }

    /// The event at a position of a branch that this disk does not know as a branch: it is in the log from which the
    /// branch forks.
    func events(at sequence: UInt64, ofBranch key: LogKey) -> [StoredEvent] {
        logs.filter { $0.key.conversation == key.conversation && $0.key.log.author == key.log.author }.values
            .compactMap { log in
                guard let index = log.index(of: sequence) else { return nil }
                let isPart = log.events[...index].contains {
                    LogID(branchOf: $0.header.log, first: $0.id) == key.log
                }
                return isPart ? log.events[index] : nil
            }
    }

    struct Deletion {
        let event: StoredEvent
        /// The log in which it is kept.
        let log: LogID
        let isInBranch: Bool
    }

    /// The deletions of a conversation that are applied, by the messages that they name.
    func deletions(in conversation: ConversationID) -> [EventID: [Deletion]] {
        var found: [EventID: [Deletion]] = [:]
        for (key, log) in logs where key.conversation == conversation {
            for event in log.events.prefix(log.effective.count) where event.header.kind == .delete {
                guard let target = event.header.target, target.log.author != key.log.author || log.parent == nil else {
                    continue
                }
                let deletion = Deletion(event: event, log: key.log, isInBranch: log.parent != nil)
                found[target.id, default: []].append(deletion)
            }
        }
        return found
    }

    /// The groups that are known here, in the order of arrival.
    package var groups: [ConversationID] { conversations.filter { $0.kind == .group }.map(\.id) }

    /// The logs of a conversation that are not empty, in a fixed order.
    package func logs(of conversation: ConversationID) -> [LogID] {
        logs.filter { $0.key.conversation == conversation && !$0.value.events.isEmpty }.map(\.key.log).sorted()
    }
}

extension SimulatedDisk {
    /// Up to where a log has been applied here.
    func applied(of key: LogKey) -> Int { logs[key]?.effective.count ?? 0 }

    /// The first event of a log that is held and not applied.
    func nextToApply(in key: LogKey) -> StoredEvent? {
        guard let log = logs[key], log.effective.count < log.events.count else { return nil }
        return log.events[log.effective.count]
    }
}
