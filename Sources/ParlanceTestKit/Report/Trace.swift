package import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceWire

/// What happened: always hashed, and recorded if requested.
package final class Trace {
    package private(set) var hash = TraceHash()
    package private(set) var lines: [String] = []
    private let names: [String]
    package let isKept: Bool

    package init(names: [String], isKept: Bool) {
        self.names = names
        self.isKept = isKept
    }

    /// Hours, minutes, seconds, milliseconds of virtual time.
    static func clock(_ now: Int64) -> String {
        let parts = [now / 3_600_000, now / 60_000 % 60, now / 1_000 % 60].map { $0 < 10 ? "0\($0)" : "\($0)" }
        let rest = "\(1_000 + now % 1_000)".dropFirst()
        return parts.joined(separator: ":") + ".\(rest)"
    }

    package func add(_ now: Int64, _ line: @autoclosure () -> String) {
        hash.add(UInt64(bitPattern: now))
        if isKept { note(now, line()) }
    }

    private func note(_ now: Int64, _ line: @autoclosure () -> String) {
        lines.append("\(Self.clock(now))  \(line())")
    }

    package func told(_ input: Input, _ node: Int, _ now: Int64) {
        hash.add(UInt64(node) << 48 ^ UInt64(bitPattern: now))
        switch input {
        case .frameReceived(let link, _, let bytes): hash.add(link.value << 20 ^ UInt64(bytes))
        case .eventsRead(let read, let events): hash.add(read.value << 20 ^ UInt64(events.count))
        default: break
        }
        guard isKept else { return }
        switch input {
        case .frameReceived(let link, let frame, _):
            if case .heartbeat = frame.kind { return }
            note(now, "\(names[node]) <- \(frame.line) on link \(link.value)")
        case .linkOpened(let opened):
            let how = opened.dial == nil ? "taken" : "dialled"
            note(now, "\(names[node]) link \(opened.link.value) to \(opened.peer) \(how), epoch \(opened.epoch)")
        case .linkClosed(let link, let end): note(now, "\(names[node]) link \(link.value) ended: \(end)")
        case .persisted(let batch, let receipt):
            note(now, "\(names[node]) batch \(batch.value) persisted, \(receipt.shown.count) shown")
        case .persistFailed(let batch, _, _): note(now, "\(names[node]) batch \(batch.value) failed")
        case .eventsRead(let read, let events):
            let range = events.first.map { "\($0.header.sequence)...\(events.last?.header.sequence ?? 0)" }
            note(now, "\(names[node]) read \(read.value): \(range ?? "nothing")")
        case .readFailed(let read): note(now, "\(names[node]) read \(read.value) fails")
        case .dialFailed(_, let failure): note(now, "\(names[node]) dial failed: \(failure)")
        case .sighted(let sighting): note(now, "\(names[node]) sights \(sighting.instance)")
        case .sightLost(let instance): note(now, "\(names[node]) loses sight of \(instance)")
        default: break
        }
    }

    package func decided(_ effect: Effect, _ node: Int, _ now: Int64) {
        hash.add(effect)
        guard isKept else { return }
        switch effect {
        case .persist(let batch):
            note(now, "\(names[node]) writes batch \(batch.id.value): \(batch.line)")
        case .send(let link, let frame):
            if case .heartbeat = frame.kind { return }
            note(now, "\(names[node]) -> \(frame.line) on link \(link.value)")
        case .close(let link): note(now, "\(names[node]) closes link \(link.value)")
        case .answer(_, .failure(let error)): note(now, "\(names[node]) answers \(error.code.rawValue)")
        case .answer(_, .success(.sent(let sent))): note(now, "\(names[node]) accepts \(sent.id) as \(sent.sequence)")
        case .report(let peer, let report): note(now, "\(names[node]) reports \(peer): \(report.line)")
        case .notify(.message(let message)), .notify(.unwanted(let message)):
            note(now, "\(names[node]) shows \(message.id) \"\(message.text.prefix(30))\"")
        case .notify(.withdrawn(let id)): note(now, "\(names[node]) withdraws \(id)")
        case .notify(.voided(let message)): note(now, "\(names[node]) finds that its own \(message.id) does not count")
        default: break
        }
    }
}

extension TraceHash {
    mutating func add(_ effect: Effect) {
        switch effect {
        case .persist(let batch): add(batch)
        case .read(let read, let request): add(read.value << 32 ^ request.from)
        case .readEnvelope(let read, let id):
            add(read.value)
            add(id.value)
        case .readMention(let read, _, let file):
            add(read.value)
            add(file.bytes)
        case .shelf(let work): add(Array("\(work)".utf8))
        case .send(let link, let frame):
            add(link.value)
            add(frame.encodedBytes())
        case .dial(let dial, let endpoint, _):
            add(dial.value)
            add(Array(endpoint.host.utf8))
        case .probe(let dial, let endpoint):
            add(dial.value ^ 0x9B0BE)
            add(Array(endpoint.host.utf8))
        case .close(let link): add(link.value ^ 0xC105E)
        case .admit(let link, _): add(link.value ^ 0xAD1)
        case .adopt(let replica): add(replica.bytes)
        case .useKeys(let keys): for key in keys { add(key.hash) }
        case .answer(let command, _): add(command.value ^ 0xA0)
        case .notify(let notice): add(notice)
        case .report(let peer, let report):
            add(peer.value)
            add(Array(report.line.utf8))
        }
    }

    private mutating func add(_ batch: PersistBatch) {
        add(batch.id.value)
        for event in batch.events { add(event.id.value) }
        for row in batch.named { add(row.conversation.value) }
        for peer in batch.peers {
            add(peer.id.value)
            for address in peer.addresses { add(Array(address.host.utf8)) }
        }
        for mark in batch.watermarks {
            add(mark.key.conversation.value)
            add(mark.key.member.value)
            add(mark.key.replica.bytes)
            add(mark.key.log.replica.bytes)
            add(mark.position.sequence << 2 ^ UInt64(mark.key.level.rawValue))
        }
    }

    private mutating func add(_ notice: Notice) {
        switch notice {
        case .message(let message), .unwanted(let message), .changed(let message): add(message.id.value)
        case .group(let view):
            add(view.conversation.value)
            for member in view.members { add(member.peer.value) }
            add(view.delivery)
        case .withdrawn(let id): add(id.value)
        case .voided(let message): add(message.id.value)
        case .removed(let conversation, let ids):
            add(conversation.id.value)
            for id in ids { add(id.value) }
        case .delivery(let view): add(view)
        case .peer(let view), .request(let view):
            add(view.record.id.value)
            add(Array(view.displayName.utf8))
            for endpoint in view.endpoints { add(Array(endpoint.host.utf8)) }
            add(view.delivery)
        case .waiting(let conversation, let logs):
            add(conversation.value)
            for log in logs.sorted() { add(log.replica.bytes) }
        case .departed(let conversation, let events):
            add(conversation.value)
            for event in events { add(event.value) }
        case .gone(let peer): add(peer.value)
        case .typing(let peer, _, let active):
            add(peer.value)
            add(active ? 1 : 0)
        case .workspace(let view, _):
            for peer in view?.removed ?? [] { add(peer.value) }
            add(view?.key.hash.bytes ?? [])
        case .preference(let conversation, let preference):
            add(conversation.id.value)
            add(preference.isPinned ? 1 : 0)
        case .transfer(let view):
            add(view.record.file.value)
            add(view.bytes)
        case .upload(let view):
            add(view.file.value)
            add(view.bytes)
        }
    }

    private mutating func add(_ view: DeliveryView) {
        add(view.conversation.value)
        for log in view.logs {
            add(log.sendingThrough)
            for one in log.progress { add(one.delivered.sequence << 32 ^ one.read.sequence) }
        }
    }
}
