import ParlanceControl

/// The delivery and versions of a message as lines for a terminal.
struct LifeText {
    private let life: MessageLife
    private let clock: LocalClock
    private let style: TextStyle

    init(life: MessageLife, clock: LocalClock, style: TextStyle) {
        self.life = life
        self.clock = clock
        self.style = style
    }

    var lines: [String] {
        let message = life.message
        let who = message.mine ? "you" : message.shownSender
        var lines = [
            style(.strong, VisibleText.line(MessageSummary.line(message, withSender: true))),
            field("ID", message.id),
            field(message.group == nil ? "with" : "in", NameText.marked(life.title, life.trust)),
            field("written", "by \(who), \(clock.dayName(message.time)) \(clock.second(message.time))"),
        ]
        if let via = life.via { lines.append(field("through", via.shownName)) }
        if let answers = message.answers {
            let text = answers.text.isEmpty ? "(not shown any more)" : answers.text
            lines.append(field("answers", "\(answers.sender.shownName): \(text)"))
        }
        if let mentions = message.mentions { lines.append(field("mentions", PeopleText.list(mentions))) }
        if let deletion = message.deleted {
            lines.append(field("deleted", "by \(deletion.by.shownName), \(clock.short(deletion.time))"))
        }
        if let reactions = message.reactions { lines.append(field("reactions", MessageLines.words(reactions))) }
        if let words = StatusText.words(message) { lines.append(field("status", words)) }
        return lines + receipts + versions
    }

    private func field(_ name: String, _ value: String) -> String {
        "  \(style(.faint, DisplayWidth.pad(name, to: 11)))\(VisibleText.line(value))"
    }

    private var receipts: [String] {
        guard !life.recipients.isEmpty else { return [] }
        var table = TextTable(["FOR", "STATUS", "WHEN", "NEXT TRY", "WHY"])
        for receipt in life.recipients {
            let word = word(for: receipt)
            let role: TextStyle.Role = receipt.read ? .good : receipt.delivered ? .faint : .warning
            let moment = receipt.readAt ?? receipt.deliveredAt
            table.add([
                TextTable.Cell(receipt.person.shownName, .name),
                TextTable.Cell(receipt.via.map { "\(word) (told by \($0.shownName))" } ?? word, role),
                TextTable.Cell(moment.map { "by \(clock.short($0))" } ?? "", .faint),
                TextTable.Cell(receipt.nextTry.map(clock.relative) ?? ""),
                TextTable.Cell(receipt.why ?? ""),
            ])
        }
        return [""] + table.lines(style: style, width: nil)
    }

    private func word(for receipt: MessageLife.Receipt) -> String {
        if receipt.read { return "read" }
        if receipt.delivered { return "delivered" }
        if life.message.status == .failed { return "failed" }
        return receipt.person.trust == .blocked ? "not sent" : "waits"
    }

    private var versions: [String] {
        guard life.versions.count > 1 else { return [] }
        var table = TextTable(["VERSION", "WRITTEN", "TEXT"])
        for (index, version) in life.versions.enumerated() {
            table.add([
                TextTable.Cell("\(index + 1)"),
                TextTable.Cell("\(clock.short(version.time))", .faint),
                TextTable.Cell(version.text ?? "(not here)"),
            ])
        }
        return [""] + table.lines(style: style, width: nil)
    }
}
