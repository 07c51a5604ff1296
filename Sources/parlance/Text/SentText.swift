import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// Says what happened to a message that was just written.
struct SentText {
    let sent: SendReply
    /// Who has the message, as far as it is known by now; nil if it was not asked.
    let life: MessageLife?
    let style: TextStyle

    /// - Parameter who: the name that the user typed for the recipient; nil if it is known already.
    func lines(to who: String? = nil) -> [String] {
        let id = style(.faint, "(\(VisibleText.line(String(sent.id.prefix(12)))))")
        let contact =
            sent.firstContact == true && who != nil
            ? [say("First contact: you have not checked yet who this is. \(NameText.compareAdvice(who ?? ""))")] : []
        return MessageSummary.meant(sent.meant) + ["\(VisibleText.line(outcome)) \(id)"] + contact
    }

    private var outcome: String {
        guard sent.status != nil else { return say("Saved. Nobody else is in the group, so it is for nobody.") }
        guard let life, !life.recipients.isEmpty else {
            return sent.status == .staged
                ? say("Saved; it waits until it can be delivered. See: parlance outbox") : say("Saved, and on its way.")
        }
        let waiting = life.recipients.filter { !$0.delivered }
        let arrived = life.recipients.count - waiting.count
        guard let first = waiting.first else {
            return life.recipients.count == 1
                ? say("Delivered to \(life.recipients[0].person.shownName).") : say("Delivered to all \(arrived).")
        }
        // The daemon says it once for all of them, as in the outbox.
        let why = life.message.waitingReason ?? first.why ?? Phrase("\(first.person.shownName) has not got it yet")
        if life.message.status == .failed { return say("Not delivered: \(why).") }
        if arrived > 0 {
            // What is on its way to somebody does not wait.
            return waiting.contains { $0.sending == true }
                ? say("Delivered to \(arrived) of \(life.recipients.count); \(why).")
                : say("Delivered to \(arrived) of \(life.recipients.count); it waits: \(why).")
        }
        if let carried = carried(waiting) { return carried }
        if life.message.status == .sending || waiting.allSatisfy({ $0.sending == true }) {
            return say("Saved, and on its way.")
        }
        return say("Saved; it waits: \(why).")
    }

    /// Says with which couriers the message was left; nil if one of the recipients has none.
    private func carried(_ waiting: [MessageLife.Receipt]) -> String? {
        let couriers = waiting.compactMap(\.couriers)
        guard let first = couriers.first, couriers.count == waiting.count, couriers.allSatisfy({ $0 == first }) else {
            return nil
        }
        let (holders, people) = (PeopleText.list(first), PeopleText.list(waiting.map(\.person)))
        return first.count == 1
            ? say("Left with \(holders), a courier for \(people).")
            : say("Left with \(holders), couriers for \(people).")
    }
}
