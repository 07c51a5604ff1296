import ParlanceControl
import ParlanceWords

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
        var lines = [
            style(.strong, VisibleText.line(MessageSummary.line(message, withSender: true))),
            field(Phrase("ID"), message.id),
            field(
                message.group == nil ? Phrase("with", hint: "a person") : Phrase("in", hint: "a group"),
                NameText.marked(life.title, life.trust)
            ),
            field(Phrase("written"), written),
        ]
        if let via = life.via { lines.append(field(Phrase("through"), via.shownName)) }
        if let answers = message.answers {
            let text = answers.text.isEmpty ? say("(not shown any more)") : answers.text
            lines.append(field(Phrase("answers"), "\(answers.sender.shownName): \(text)"))
        }
        if let mentions = message.mentions { lines.append(field(Phrase("mentions"), say(PeopleText.list(mentions)))) }
        if let deletion = message.deleted {
            lines.append(field(Phrase("deleted"), deleted(deletion)))
        }
        if let reactions = message.reactions { lines.append(field(Phrase("reactions"), MessageLines.words(reactions))) }
        if let words = StatusText.words(message) { lines.append(field(Phrase("status"), words)) }
        return lines + receipts + versions
    }

    private var written: String {
        let day = "\(clock.dayName(life.message.time)) \(clock.second(life.message.time))"
        return life.message.mine ? say("by you, \(day)") : say("by \(life.message.shownSender), \(day)")
    }

    private func deleted(_ deletion: DeletionInfo) -> String {
        let time = clock.short(deletion.time)
        return deletion.by.me == true ? say("by you, \(time)") : say("by \(deletion.by.shownName), \(time)")
    }

    private func field(_ name: Phrase, _ value: String) -> String {
        "  \(style(.faint, DisplayWidth.pad(say(name), to: 11)))\(VisibleText.line(value))"
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
                TextTable.Cell(receipt.via.map { say("\(word) (told by \($0.shownName))") } ?? word, role),
                TextTable.Cell(moment.map { say("by \(clock.short($0))", hint: "a time") } ?? "", .faint),
                TextTable.Cell(receipt.nextTry.map(clock.relative) ?? ""),
                TextTable.Cell(receipt.why.map(say) ?? ""),
            ])
        }
        return [""] + table.lines(style: style, width: nil)
    }

    private func word(for receipt: MessageLife.Receipt) -> String {
        if receipt.read { return say("read") }
        if receipt.delivered { return say("delivered") }
        if life.message.status == .failed { return say("failed") }
        return receipt.person.trust == .blocked ? say("not sent") : say("waits")
    }

    private var versions: [String] {
        guard life.versions.count > 1 else { return [] }
        var table = TextTable(["VERSION", "WRITTEN", "TEXT"])
        for (index, version) in life.versions.enumerated() {
            table.add([
                TextTable.Cell("\(index + 1)"),
                TextTable.Cell("\(clock.short(version.time))", .faint),
                TextTable.Cell(version.text ?? say("(not here)")),
            ])
        }
        return [""] + table.lines(style: style, width: nil)
    }
}
