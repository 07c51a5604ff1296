import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// The way of a message, person by person, and the versions of its text.
struct LedgerText {
    let life: MessageLife
    let clock: LocalClock

    func lines(width: Int) -> [[StyledText]] {
        var lines = wrapped(MessageSummary.line(life.message, withSender: true), .strong, width)
        lines += wrapped(clock.exact(life.message.time), .faint, width)
        if let via = life.via { lines += wrapped(say("It came through \(via.shownName)."), .faint, width) }
        for receipt in life.recipients { lines += self.lines(receipt, width) }
        if life.versions.count > 1 {
            for version in life.versions {
                let text = version.text ?? say("(not here)")
                lines += wrapped("\(clock.short(version.time))  \(text)", .plain, width)
            }
        }
        return lines
    }

    private func lines(_ receipt: MessageLife.Receipt, _ width: Int) -> [[StyledText]] {
        let moment = (receipt.readAt ?? receipt.deliveredAt).map { ", " + say("by \(clock.short($0))", hint: "a time") }
        let style: Style = receipt.read ? .good : receipt.delivered ? .faint : .warning
        let name = VisibleText.line(receipt.person.shownName)
        let head = "\(name): \(say(life.word(for: receipt)))" + (moment ?? "")
        return wrapped(head, style, width) + (receipt.why.map { wrapped("  " + say($0), .faint, width) } ?? [])
    }

    private func wrapped(_ text: String, _ style: Style, _ width: Int) -> [[StyledText]] {
        VisibleText.lines(text).flatMap { WordWrap.lines($0, width: max(8, width)) }.map { [StyledText($0, style)] }
    }
}
