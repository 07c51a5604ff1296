import ParlanceCore
import ParlanceWire

// What people see of the events, made along with them.
extension SimulatedDisk {
    /// Applies what can be applied in these logs, and in those that waited for them.
    mutating func project(_ touched: [LogKey]) -> PersistReceipt {
        var receipt = PersistReceipt()
        var list = touched
        var next = 0
        while next < list.count {
            let key = list[next]
            next += 1
            var last: LogPosition?
            while let position = applyNext(of: key, &receipt) { last = position }
            guard let last else { continue }
            receipt.applied.removeAll { $0.conversation == key.conversation && $0.log == key.log }
            receipt.applied.append(AppliedLog(conversation: key.conversation, log: key.log, position: last))
            let woken = waiters.removeValue(forKey: key) ?? []
            list += woken.sorted { $0.log < $1.log }
        }
        // What came and went within the batch was never seen.
        let fresh = Set(receipt.shown.map(\.id))
        let gone = Set(receipt.withdrawn)
        receipt.shown.removeAll { gone.contains($0.id) }
        receipt.withdrawn.removeAll { fresh.contains($0) }
        return receipt
    }

    private mutating func applyNext(of key: LogKey, _ receipt: inout PersistReceipt) -> LogPosition? {
        guard let log = logs[key], log.effective.count < log.events.count else { return nil }
        let index = log.effective.count
        let event = log.events[index]
        guard let effective = effectiveTime(of: event, key, predecessor: log.effective.last) else { return nil }
        let before = index == 0 ? nil : log.events[index - 1]
        let applied = before.map {
            Projector.Applied(id: $0.id, time: $0.header.time, effective: log.effective[index - 1])
        }
        logs[key]?.effective.append(effective)
        switch Projector.judge(event, after: applied) {
        case .message(let text): show(event, text, effective, &receipt)
        case .withdraw(let sequence): withdraw(sequence, key, &receipt)
        case .nothing, .void: break
        }
        return event.position
    }

    /// `nil` while something it names is not applied; its log is woken when that is.
    private mutating func effectiveTime(of event: StoredEvent, _ key: LogKey, predecessor: UInt64?) -> UInt64? {
        var earlier: [UInt64] = predecessor.map { [$0] } ?? []
        for dependency in event.header.dependencies {
            let other = LogKey(key.conversation, dependency.log)
            guard let log = logs[other], log.effective.count >= Int(clamping: dependency.sequence) else {
                waiters[other, default: []].insert(key)
                return nil
            }
            let index = Int(dependency.sequence) - 1
            guard log.events[index].id == dependency.id else { return nil }
            earlier.append(log.effective[index])
        }
        return Projector.effective(time: event.header.time, after: earlier)
    }

    private mutating func show(
        _ event: StoredEvent,
        _ text: String,
        _ effective: UInt64,
        _ receipt: inout PersistReceipt
    ) {
        let message = ShownMessage(
            id: event.id,
            conversation: event.header.conversation,
            log: event.header.log,
            sequence: event.header.sequence,
            time: event.header.time,
            effective: effective,
            text: text
        )
        shown[event.id] = message
        receipt.shown.append(message)
    }

    private mutating func withdraw(_ sequence: UInt64, _ key: LogKey, _ receipt: inout PersistReceipt) {
        guard let target = logs[key]?.events[Int(sequence) - 1], target.header.kind == .message else { return }
        logs[key]?.events[Int(sequence) - 1].body = nil
        if shown.removeValue(forKey: target.id) != nil { receipt.withdrawn.append(target.id) }
    }
}
