import ParlanceAudit
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

/// What the auditor finds of everything that a store was given.
struct Findings: Equatable {
    /// How many events of each log are applied.
    var applied: [LogKey: Int] = [:]
    /// In the order shown.
    var lines: [ConversationID: [ShownMessage]] = [:]
    /// The texts of each message that is shown, the first one first, as bytes; `nil` for what is not here.
    var versions: [EventID: [[UInt8]?]] = [:]
    var missing: [LogKey: [UInt64]] = [:]
    var labels: [ConversationID: GroupLabel] = [:]
    var lifetimes: [ConversationID: LifetimeTerms] = [:]
    /// Events whose bodies may not be read.
    var gone: Set<EventID> = []
    /// Those of them whose bodies may not be on disk.
    var goneForGood: Set<EventID> = []

    init(_ audit: Audit) {
        for record in audit.conversations {
            let id = record.id
            let plain = audit.plain(id)
            lines[id] = plain.lines
            for line in lines[id] ?? [] where line.note == nil {
                let count = line.rich?.versions ?? 1
                versions[line.id] =
                    line.rich?.deletion == nil ? [Array(line.text.utf8)] : Array(repeating: nil, count: count)
            }
            for (line, texts) in plain.versions { versions[line.id] = texts.map { $0.map { Array($0.utf8) } } }
            for index in plain.events.indices where plain.effective[index] != nil {
                applied[LogKey(id, plain.logs[index]), default: 0] += 1
            }
            for (log, sequences) in plain.missing { missing[LogKey(id, log)] = sequences }
            if record.kind == .group {
                let label = plain.label
                labels[id] = GroupLabel(conversation: id, title: label.title, topic: label.topic)
            }
            let terms = plain.lifetimes(own: audit.me)
            if terms.own != nil || terms.others != nil { lifetimes[id] = terms }
            let hidden = plain.hidden
            gone.formUnion(hidden.all)
            goneForGood.formUnion(hidden.forGood)
        }
    }

    /// Everything that is shown.
    var messages: [EventID: ShownMessage] {
        Dictionary(uniqueKeysWithValues: lines.values.joined().map { ($0.id, $0) })
    }
}
