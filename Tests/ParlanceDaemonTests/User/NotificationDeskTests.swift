import ParlanceControl
import ParlanceTexts
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// When a notification goes away by itself.
@Suite struct NotificationDeskTests {
    private func info(_ id: String, asks: Bool?, trust: Trust = .unknown) -> PeerInfo {
        var info = PeerInfo(id: id, name: "Eve", displayName: "Eve", trust: trust)
        info.asks = asks
        return info
    }

    @Test(arguments: [Trust.unknown, .accepted, .blocked])
    func aRequestThatIsAnsweredIsClosed(trust: Trust) {
        let desk = NotificationDesk(.init(), isBusy: { false })
        desk.take(RequestEvent(peer: "e", name: "Eve", preview: "hello", time: ControlTime(milliseconds: 1)))
        guard case .show(.requests, 0, _, _) = desk.next() else { return #expect(Bool(false), "nothing is shown") }
        desk.shown(as: 7)
        // She comes and goes, and still waits for an answer.
        desk.take(info("e", asks: true))
        desk.take(info("m", asks: nil))
        #expect(desk.next() == nil)
        desk.take(info("e", asks: nil, trust: trust))
        #expect(desk.next() == .close(7))
    }

    @Test func aMessageThatWasRemovedIsNotQuoted() {
        let desk = NotificationDesk(.init(), isBusy: { false })
        let message = MessageInfo(
            id: "m",
            conversation: "c",
            sender: "b",
            senderName: "Bob",
            mine: false,
            text: "old",
            time: ControlTime(milliseconds: 1)
        )
        desk.take(MessageEvent(message))
        guard case .show = desk.next() else { return #expect(Bool(false), "nothing is shown") }
        desk.shown(as: 7)
        desk.take(RemovedEvent(conversation: "c", title: "Bob", ids: ["l", "m"]))
        #expect(desk.next() == .close(7))
    }
}
