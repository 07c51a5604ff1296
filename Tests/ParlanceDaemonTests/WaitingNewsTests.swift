import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Watchers are told of a waiting message once, and once more when it gets its final position.
@Suite struct WaitingNewsTests {
    private static let me = PeerID(value: .zero)

    private func line(_ number: UInt8) -> ShownMessage { message(number, waits: false, content: .note(.left)) }

    private func message(_ number: UInt8, waits: Bool, content: ShownMessage.Content? = nil) -> ShownMessage {
        let id = EventID(value: Bytes32(hashing: [number], domain: 1))
        var message = ShownMessage(
            id: id,
            conversation: ConversationID(value: .zero),
            log: LogID(author: Self.me, replica: ReplicaID([UInt8](repeating: 1, count: 16))!),
            sequence: UInt64(number),
            time: WrittenTime(EventTime(raw: 0)),
            effective: 0,
            content: content ?? .text("m\(number)")
        )
        message.isProvisional = waits
        return message
    }

    @Test func eachIsToldOnce() throws {
        let hub = EventHub(Directory(identity: Self.me, profile: ProfileRecord(name: "Ada")))
        let told = Mutex<[String]>([])
        _ = hub.subscribe(SubscriptionFilter()) { event in
            switch event {
            case let event as MessageEvent:
                told.withLock { $0.append("\(event.message.text)\(event.message.waits == true ? "?" : "")") }
            case let event as ChangedEvent: told.withLock { $0.append("\(event.message.text) changed") }
            case let event as WithdrawnEvent: told.withLock { $0.append("\(event.id) withdrawn") }
            default: break
            }
        }
        hub.onWaiting { _, _ in }
        let conversation = ConversationID(value: .zero)
        hub.publish(.waiting(conversation, []))
        hub.tell(waiting: [message(1, waits: true)], gone: [], in: conversation)
        hub.publish(.waiting(conversation, []))
        // The second message gets its position while it is being read.
        hub.publish(.message(message(2, waits: false)))
        hub.tell(waiting: [1, 2, 3].map { message($0, waits: true) }, gone: [], in: conversation)
        for number in [1, 3, 4] as [UInt8] { hub.publish(.message(message(number, waits: false))) }
        #expect(told.withLock { $0 } == ["m1?", "m2", "m3?", "m1 changed", "m3 changed", "m4"])
        #expect(hub.waiting(in: conversation).isEmpty)

        // A message that was told and never gets a position is taken back; one that has got its position is not.
        told.withLock { $0 = [] }
        hub.publish(.waiting(conversation, []))
        hub.tell(waiting: [5, 6].map { message($0, waits: true) }, gone: [], in: conversation)
        #expect(Set(hub.waiting(in: conversation).map(\.id)) == Set([5, 6].map { message($0, waits: true).id }))
        hub.publish(.waiting(conversation, []))
        hub.publish(.message(message(6, waits: false)))
        let gone = [5, 6].map { message($0, waits: true).id }
        hub.tell(waiting: [], gone: gone, in: conversation)
        #expect(told.withLock { $0 } == ["m5?", "m6?", "m6 changed", "\(gone[0].text) withdrawn"])
    }

    /// A line about somebody who has left is published once: at once, and as changed when the log comes. If that comes before
    /// the line was read, it is published by that alone.
    @Test func aDepartureIsPublishedOnce() {
        let hub = EventHub(Directory(identity: Self.me, profile: ProfileRecord(name: "Ada")))
        let told = Mutex<[String]>([])
        let (left, other) = (line(1), line(2))
        hub.onDepartures { _, _ in }
        hub.publish(.departed(left.conversation, [left.id]))
        hub.tell(departures: [left.id], [left])
        _ = hub.subscribe(SubscriptionFilter()) { event in told.withLock { $0.append(type(of: event).kind.rawValue) } }
        hub.publish(.departed(other.conversation, [other.id]))
        hub.tell(departures: [left.id, other.id], [left, other])
        #expect(told.withLock { $0 } == ["note"], "nobody listened when the first one left")
        hub.publish(.message(other))
        #expect(told.withLock { $0 } == ["note", "changed"])
        let third = line(3)
        hub.publish(.departed(third.conversation, [third.id]))
        hub.publish(.message(third))
        hub.tell(departures: [third.id], [third])
        #expect(told.withLock { $0 } == ["note", "changed", "note"])
    }

    /// However many notices arrive, one read is under way and one more follows.
    @Test func readingsOfAConversationAreMerged() throws {
        let hub = EventHub(Directory(identity: Self.me, profile: ProfileRecord(name: "Ada")))
        let read = Mutex<[Set<LogID>]>([])
        _ = hub.subscribe(SubscriptionFilter()) { _ in }
        hub.onWaiting { _, logs in read.withLock { $0.append(logs) } }
        let conversation = ConversationID(value: .zero)
        let logs = (1...4).map { number in
            LogID(author: Self.me, replica: ReplicaID([UInt8](repeating: number, count: 16))!)
        }
        for log in logs { hub.publish(.waiting(conversation, [log])) }
        #expect(read.withLock { $0 } == [[logs[0]]])
        hub.tell(waiting: [], gone: [], in: conversation)
        #expect(read.withLock { $0 } == [[logs[0]], [logs[3]]])
        hub.tell(waiting: [], gone: [], in: conversation)
        hub.publish(.waiting(conversation, [logs[1]]))
        #expect(read.withLock { $0 } == [[logs[0]], [logs[3]], [logs[1]]])
    }

    /// What goes again, in a group that was deleted in the meantime, does not wait any more.
    @Test func whatGoesUnwantedWaitsNoMore() {
        let hub = EventHub(Directory(identity: Self.me, profile: ProfileRecord(name: "Ada")))
        _ = hub.subscribe(SubscriptionFilter()) { _ in }
        hub.onWaiting { _, _ in }
        let waits = message(1, waits: true)
        hub.publish(.waiting(waits.conversation, [waits.log]))
        hub.tell(waiting: [waits], gone: [], in: waits.conversation)
        #expect(hub.waiting(in: waits.conversation) == [waits.reference])
        hub.publish(.unwanted(message(1, waits: false)))
        #expect(hub.waiting(in: waits.conversation).isEmpty)
    }
}
