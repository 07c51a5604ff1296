import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceControl
@testable import ParlanceNode

/// Events name everybody as the directory does that the node published before them.
@Suite struct EventNameTests {
    private static let me = PeerID(value: Bytes32(hashing: [1], domain: 0))
    private static let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private static let place = ConversationID(direct: me, bob)

    private func directory(_ ownName: String = "Ada", bob name: String? = "Bob") -> Directory {
        var directory = Directory(identity: Self.me, profile: ProfileRecord(name: ownName))
        if let name { directory.set(Directory.Peer(PeerRecord(id: Self.bob), displayName: name), of: Self.bob) }
        return directory
    }

    @Test func aNewNameIsInTheNextEvent() {
        let hub = EventHub(directory())
        let told = Mutex<[String]>([])
        _ = hub.subscribe(SubscriptionFilter()) { event in
            if let event = event as? TypingEvent { told.withLock { $0.append(event.displayName) } }
        }
        hub.publish(.typing(Self.bob, Self.place, active: true))
        hub.take(directory(bob: "Robert"))
        hub.publish(.typing(Self.bob, Self.place, active: false))
        hub.take(directory(bob: nil))
        hub.publish(.typing(Self.bob, Self.place, active: true))
        #expect(told.withLock { $0 } == ["Bob", "Robert", Self.bob.prefix])
    }

    @Test func aNewNameOfTheUserIsAnnouncedOnce() {
        let hub = EventHub(directory())
        let calls = Mutex(0)
        hub.onRenamed { calls.withLock { $0 += 1 } }
        hub.take(directory(bob: "Robert"))
        #expect(calls.withLock { $0 } == 0)
        hub.take(directory("Ada Byron"))
        hub.take(directory("Ada Byron", bob: "Robert"))
        #expect(calls.withLock { $0 } == 1 && hub.name(of: Self.me) == "Ada Byron")
    }
}
