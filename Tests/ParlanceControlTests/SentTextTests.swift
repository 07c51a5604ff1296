import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// What a command says happened to the message that it wrote.
@Suite struct SentTextTests {
    /// What is said of a message of Ada to Bob and Cleo, who are both offline.
    ///
    /// - Parameter why: why it waits, as the daemon says it of all together; nil from a daemon that does not.
    private func text(
        _ status: MessageStatus?,
        why: Phrase? = nil,
        _ change: (inout [MessageLife.Receipt]) -> Void = { _ in }
    ) -> String {
        let noon = ControlTime(milliseconds: 1_763_726_400_000)
        let sent = SendReply(id: "m1", conversation: "c", sequence: 1, time: noon, status: status)
        var message = Sample.message("x", of: "Ada", mine: true, at: noon)
        message.status = status
        message.waitingReason = why
        var receipts = ["Bob", "Cleo"].map {
            MessageLife.Receipt(
                person: Person(id: $0, displayName: $0),
                delivered: false,
                read: false,
                why: "\($0) is offline"
            )
        }
        change(&receipts)
        let life = MessageLife(message: message, title: "Crew", recipients: receipts, versions: [])
        let shown = SentText(sent: sent, life: status == nil ? nil : life, style: TextStyle(isColoured: false))
        return shown.lines().joined(separator: "\n")
    }

    @Test func whatHappenedToAMessageIsSaid() {
        #expect(
            text(.delivered) { for index in $0.indices { $0[index].delivered = true } } == "Delivered to all 2. (m1)"
        )
        #expect(
            text(.sent, why: "Cleo is offline") { $0[0].delivered = true }
                == "Delivered to 1 of 2; it waits: Cleo is offline. (m1)"
        )
        #expect(text(.sending) == "Saved, and on its way. (m1)")
        let dan = Person(id: "d", displayName: "Dan", trust: .verified)
        #expect(
            text(.sent) {
                $0.removeLast()
                $0[0].couriers = [dan]
            } == "Left with Dan ✓, a courier for Bob. (m1)"
        )
        #expect(text(nil) == "Saved. Nobody else is in the group, so it is for nobody. (m1)")
    }

    /// The reason is that of all who lack the message, not of the first of them.
    @Test func theReasonOfAllIsSaidOnce() {
        #expect(
            text(.staged, why: "Bob and Cleo are offline") == "Saved; it waits: Bob and Cleo are offline. (m1)"
        )
        #expect(text(.failed, why: "it was refused") == "Not delivered: it was refused. (m1)")
        #expect(text(.staged) == "Saved; it waits: Bob is offline. (m1)", "the first reason, if there is no other")
    }

    /// What is on its way does not wait.
    @Test func nothingWaitsThatIsOnItsWay() {
        let oneLeft = text(.sent, why: "on its way to Cleo") {
            $0[0].delivered = true
            $0[1].sending = true
        }
        #expect(oneLeft == "Delivered to 1 of 2; on its way to Cleo. (m1)")
        let all = text(.staged, why: "on its way to Bob and Cleo") {
            for index in $0.indices { $0[index].sending = true }
        }
        #expect(all == "Saved, and on its way. (m1)")
    }
}
