import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// The delivery and versions of a message as lines for a terminal.
struct LifeText {
    private let life: MessageLife
    private let clock: LocalClock
    private let style: TextStyle
    /// The columns of the terminal; nil without one.
    private let width: Int?

    init(life: MessageLife, clock: LocalClock, style: TextStyle, width: Int? = nil) {
        self.life = life
        self.clock = clock
        self.style = style
        self.width = width
    }

    var lines: [String] {
        let message = life.message
        let head = style(.strong, VisibleText.line(MessageSummary.line(message, withSender: true)))
        return [head] + fields(message).lines + receipts + holders + versions
    }

    private func fields(_ message: MessageInfo) -> FieldText {
        var fields = FieldText(style: style)
        fields.add(Phrase("ID"), message.id)
        let place = message.group == nil ? Phrase("with", hint: "a person") : Phrase("in", hint: "a group")
        fields.add(place, NameText.marked(life.title, life.trust))
        fields.add(Phrase("written"), written)
        if let via = life.via { fields.add(Phrase("through"), via.shownName) }
        if let answers = message.answers {
            let name = answers.sender.me == true ? say("You") : answers.sender.shownName
            let text = answers.text.isEmpty ? say("(not shown any more)") : answers.text
            fields.add(Phrase("answers"), "\(name): \(text)")
        }
        for file in message.files ?? [] {
            fields.add(Phrase("file"), FileText.line(file, mine: message.mine))
        }
        if let mentions = message.mentions {
            fields.add(Phrase("mentions"), say(PeopleText.whom(mentions, count: message.mentionCount)))
        }
        if let deletion = message.deleted { fields.add(Phrase("deleted"), deleted(deletion)) }
        if let reactions = message.reactions { fields.add(Phrase("reactions"), MessageSummary.reactions(reactions)) }
        if let words = StatusText.words(message) { fields.add(Phrase("status"), say(words)) }
        return fields
    }

    private var written: String {
        let time = clock.exact(life.message.time)
        return life.message.mine ? say("by you, \(time)") : say("by \(life.message.shownSender), \(time)")
    }

    private func deleted(_ deletion: DeletionInfo) -> String {
        let time = clock.short(deletion.time)
        return deletion.by.me == true ? say("by you, \(time)") : say("by \(deletion.by.shownName), \(time)")
    }

    private var receipts: [String] {
        guard !life.recipients.isEmpty else { return [] }
        var table = TextTable(["FOR", "STATUS", "WHEN", "NEXT TRY", "WHY"], wrapsLast: true)
        for receipt in life.recipients {
            let word = say(life.word(for: receipt))
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
        return [""] + table.lines(style: style, width: width)
    }

    private var holders: [String] {
        guard life.message.mine, let files = life.message.files, files.contains(where: { $0.size > 0 }) else {
            return []
        }
        guard let holders = life.holders, !holders.isEmpty else {
            return ["", say("Nobody has said yet, since this daemon started, how much they have of the files.")]
        }
        var table = TextTable(["FILE", "WHO", "HAS", "WHY"], wrapsLast: true)
        for holder in holders {
            guard let file = files.first(where: { $0.file == holder.file }) else { continue }
            let isWhole = holder.bytes >= file.size
            table.add([
                TextTable.Cell(file.name),
                TextTable.Cell(holder.person.shownName, .name),
                TextTable.Cell(
                    isWhole ? say("all of it") : "\(FileText.percent(holder.bytes, of: file.size)) %",
                    isWhole ? .good : .warning
                ),
                TextTable.Cell(holder.why.map(say) ?? ""),
            ])
        }
        return [""] + table.lines(style: style, width: width)
    }

    private var versions: [String] {
        guard life.versions.count > 1 else { return [] }
        var table = TextTable(["VERSION", "WRITTEN", "TEXT"], wrapsLast: true)
        for (index, version) in life.versions.enumerated() {
            table.add([
                TextTable.Cell("\(index + 1)"),
                TextTable.Cell("\(clock.short(version.time))", .faint),
                TextTable.Cell(version.text ?? say("(not here)")),
            ])
        }
        return [""] + table.lines(style: style, width: width)
    }
}
