import ParlanceControl
import ParlanceCore
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceDaemon

/// Watchers hear of a message that waits once, and once more when it stands in its place.
@Suite struct WaitingNewsTests {
    private static let me = PeerID(value: .zero)

    private func message(_ number: UInt8, waits: Bool) -> ShownMessage {
        let id = EventID(value: Bytes32(hashing: [number], domain: 1))
        var message = ShownMessage(
            id: id,
            conversation: ConversationID(value: .zero),
            log: LogID(author: Self.me, replica: ReplicaID([UInt8](repeating: 1, count: 16))!),
            sequence: UInt64(number),
            time: WrittenTime(EventTime(raw: 0)),
            effective: 0,
            content: .text("m\(number)")
        )
        message.isProvisional = waits
        return message
    }

    @Test func eachIsToldOnce() throws {
        let newsroom = Newsroom(identity: Self.me, ownName: "Ada")
        let told = Mutex<[String]>([])
        _ = newsroom.subscribe(SubscriptionFilter()) { event in
            switch event {
            case .message(let info): told.withLock { $0.append("\(info.text)\(info.waits == true ? "?" : "")") }
            case .changed(let info): told.withLock { $0.append("\(info.text) changed") }
            default: break
            }
        }
        newsroom.onWaiting { _, _ in }
        let conversation = ConversationID(value: .zero)
        newsroom.publish(.waiting(conversation, []))
        newsroom.tell(waiting: [message(1, waits: true)], in: conversation)
        newsroom.publish(.waiting(conversation, []))
        // The second comes into its place while it is being read.
        newsroom.publish(.message(message(2, waits: false)))
        newsroom.tell(waiting: [1, 2, 3].map { message($0, waits: true) }, in: conversation)
        for number in [1, 3, 4] as [UInt8] { newsroom.publish(.message(message(number, waits: false))) }
        #expect(told.withLock { $0 } == ["m1?", "m2", "m3?", "m1 changed", "m3 changed", "m4"])
    }
}
