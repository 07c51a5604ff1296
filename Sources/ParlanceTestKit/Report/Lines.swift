import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Frames and batches as lines of a trace.

extension WireFrame {
    var line: String {
        switch kind {
        case .events(let run): "events \(name(run.conversation)) \(span(run.events))"
        case .clock(let clock): "clock \(name(clock.conversation)) \(list(clock.entries))"
        case .have(let have): "have \(name(have.conversation)) \(list(have.entries))"
        case .summary(let summary): "summary of \(summary.entries.map { name($0.conversation) })"
        case .watermarks(let marks):
            "watermarks \(name(marks.conversation)) \(marks.entries.map { "\($0.level) \($0.sequence)" })"
        case .bye(let bye): "bye \(bye.reason)"
        case .refuse(let refuse): "refuse \(name(refuse.conversation)) \(refuse.code)"
        default: kindName
        }
    }

    private func name(_ bytes: Data) -> String { ConversationID(bytes)?.description ?? "?" }

    private func span(_ events: [WireEvent]) -> String {
        let headers = [events.first, events.last].compactMap { event in
            event.flatMap { try? EventHeader(decoding: [UInt8]($0.header)) }
        }
        guard let first = headers.first, let last = headers.last else { return "(none)" }
        let bare = events.count { !$0.hasBody }
        return "\(first.log.short) \(first.sequence)...\(last.sequence)" + (bare > 0 ? ", \(bare) without body" : "")
    }

    private func list(_ entries: [WireClockEntry]) -> String {
        entries.map { entry in
            let log = LogID(entry.log)?.short ?? "?"
            return "\(log): \(entry.sequence)" + (entry.missingBodies.isEmpty ? "" : " without \(entry.missingBodies)")
        }.joined(separator: ", ")
    }
}

extension PersistBatch {
    var line: String {
        var parts: [String] = []
        if !events.isEmpty {
            let all = events.prefix(4).map { "\($0.header.log.short) \($0.header.sequence) \($0.header.kind)" }
            parts.append("\(events.count) events (\(all.joined(separator: ", "))\(events.count > 4 ? "..." : ""))")
        }
        if !named.isEmpty { parts.append("names \(named.map { "\($0.log.short) \($0.sequence)" })") }
        if !peers.isEmpty { parts.append("peers \(peers.map { "\($0.id) \($0.trust)" })") }
        if !watermarks.isEmpty {
            parts.append("marks \(watermarks.map { "\($0.key.level) \($0.key.log.short) \($0.position.sequence)" })")
        }
        if !retention.isEmpty {
            let all = retention.map { row in
                let age = row.age.map { " older than \($0) ms" } ?? ""
                return "\(row.log.short) of \(row.conversation) through \(row.through)\(age), cleared \(row.cleared)"
            }
            parts.append("removes \(all)")
        }
        return parts.isEmpty ? "small rows" : parts.joined(separator: "; ")
    }
}

extension LogID {
    /// The author, and the number of its store.
    var short: String { "\(author)/\(replica.bytes.first ?? 0)" }
}
