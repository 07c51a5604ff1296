import NIOCore
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceControl

@Suite(.timeLimit(.minutes(30))) struct SubscriptionTests {
    private func typing(_ active: Bool, in conversation: String = "c1") -> TypingEvent {
        TypingEvent(peer: "b", displayName: "Bob", conversation: conversation, active: active)
    }

    @Test func deliversWhatTheFilterAdmitsInOrder() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let client = try await ControlClient.connect(to: fixture.path)
            let bob = try await client.call(HistoryOperation(who: "Bob")).conversation.id
            let filter = SubscriptionFilter(events: [TypingEvent.kind, MessageEvent.kind], conversation: bob)
            var events = try await client.events(filter).makeAsyncIterator()
            fixture.node.emit(typing(true, in: bob))
            fixture.node.emit(typing(true))
            fixture.node.emit(Sample.bob)
            _ = try await client.call(SendOperation(who: "Bob", text: "hi"))
            #expect(await events.next() as? TypingEvent == typing(true, in: bob))
            guard let event = await events.next() as? MessageEvent else {
                Issue.record("no message")
                return
            }
            #expect(event.message.text == "hi")
            fixture.node.emit(typing(false, in: bob))
            fixture.node.emit(StoppingEvent(why: "test"))
            #expect(await events.next() as? TypingEvent == typing(false, in: bob))
            #expect(await events.next() as? StoppingEvent == StoppingEvent(why: "test"))
            await client.close()
            #expect(await events.next() == nil)
            try await eventually("the subscription ended") { fixture.node.subscriberCount == 0 }
        }
    }

    @Test func rawNotificationsHaveTheDocumentedForm() async throws {
        try await ServerFixture.with { fixture in
            let raw = try await RawConnection.open(fixture.path)
            try await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"# + "\n")
            #expect(await raw.line() == #"{"jsonrpc":"2.0","id":1,"result":{"subscription":1}}"#)
            try await eventually("somebody subscribed") { fixture.node.subscriberCount == 1 }
            let status = StatusEvent(conversation: "c1", title: "Bob", status: .delivered, through: "m9", sequence: 9)
            fixture.node.emit(status)
            #expect(
                await raw.line()
                    == #"{"jsonrpc":"2.0","method":"event","params":{"subscription":1,"type":"status","data":"#
                    + #"{"conversation":"c1","title":"Bob","status":"delivered","through":"m9","sequence":9}}}"#
            )
            try await raw.write(#"{"jsonrpc":"2.0","id":2,"method":"unsubscribe","params":{"subscription":1}}"# + "\n")
            #expect(await raw.line() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
            #expect(fixture.node.subscriberCount == 0)
            try await raw.write(#"{"jsonrpc":"2.0","id":3,"method":"unsubscribe","params":{"subscription":1}}"# + "\n")
            #expect(await raw.line()?.contains("1009") == true)
            await raw.close()
        }
    }

    @Test func aConnectionHasOnlySoManySubscriptions() async throws {
        try await ServerFixture.with { fixture in
            let client = try await ControlClient.connect(to: fixture.path)
            for _ in 0..<ControlLimits.subscriptionsPerConnection { try await client.subscribe(deliver: { _ in }) }
            await #expect(throws: ControlFailure.self) { try await client.subscribe(deliver: { _ in }) }
            await client.close()
        }
    }

    @Test func aSlowSubscriberLagsAndNobodyElseDoes() async throws {
        try await ServerFixture.with(eventLimit: 64 << 10) { fixture in
            let slow = try await RawConnection.open(fixture.path)
            try await slow.write(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"# + "\n")
            _ = await slow.line()
            try await slow.setReading(false)
            try await eventually("somebody subscribed") { fixture.node.subscriberCount == 1 }
            let message = Sample.message(String(repeating: "x", count: 8 << 10))
            // Far more events than the buffers of the socket and of the connection hold.
            var sent = 0
            while sent < 500, fixture.node.subscriberCount == 1 {
                fixture.node.emit(MessageEvent(message))
                sent += 1
            }
            #expect(try await probe(fixture) == NameReply(name: "Ada"))
            try await slow.setReading(true)
            var received = 0
            while let line = await slow.line() {
                let params = try JSONParser.parse(Array(line.utf8))["params"]
                guard params?["type"] == .string("lagged") else {
                    received += 1
                    continue
                }
                guard case .integer(let dropped) = params?["data"]?["dropped"] else {
                    Issue.record("no count")
                    return
                }
                #expect(dropped > 0)
                #expect(received + Int(dropped) <= sent)
                break
            }
            try await eventually("the subscription ended") { fixture.node.subscriberCount == 0 }
            #expect(fixture.node.subscriberCount == 0)
            try await slow.write(#"{"jsonrpc":"2.0","id":2,"method":"name"}"# + "\n")
            #expect(await slow.line()?.contains("Ada") == true)
            await slow.close()
        }
    }

    @Test func whoMissesAnEventThatCannotBeWrittenHearsOfIt() async throws {
        try await ServerFixture.with { fixture in
            let reader = try await RawConnection.open(fixture.path)
            try await reader.write(#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"# + "\n")
            _ = await reader.line()
            try await eventually("somebody subscribed") { fixture.node.subscriberCount == 1 }
            // What comes after it, while it is encoded, is not written.
            let (node, later) = (fixture.node, typing(true))
            Unwritable.meanwhile.withLock { $0 = { node.emit(later) } }
            node.emit(Unwritable())
            let line = try #require(await reader.line())
            #expect(line.contains(#""type":"lagged","data":{"dropped":1}"#), "\(line)")
            try await eventually("the subscription ended") { fixture.node.subscriberCount == 0 }
            try await reader.write(#"{"jsonrpc":"2.0","id":2,"method":"name"}"# + "\n")
            #expect(await reader.line()?.contains("Ada") == true)
            await reader.close()
        }
    }

    /// An event that JSON has no words for.
    private struct Unwritable: ControlEvent {
        static let kind = ControlEventKind(of: "unwritable")
        /// Done while one is encoded.
        static let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

        func encode(to encoder: any Encoder) throws {
            Self.meanwhile.withLock(\.self)?()
            throw EncodingError.invalidValue(0, .init(codingPath: [], debugDescription: "test"))
        }
    }

    private func probe(_ fixture: ServerFixture) async throws -> NameReply {
        let client = try await ControlClient.connect(to: fixture.path)
        let reply = try await client.call(NameOperation())
        await client.close()
        return reply
    }

    @Test func theQueueWakesTheLoopOncePerBurst() {
        let queue = OutgoingQueue(eventLimit: 10 * ControlLimits.eventCostBytes)
        queue.open(subscription: 1)
        #expect(queue.add(.single(.integer(1)), .success(DoneReply())))
        #expect(!queue.add(.single(.integer(2)), .success(DoneReply())))
        #expect(!queue.add(typing(true), subscription: 1))
        #expect(queue.drain().count == 3)
        #expect(queue.add(.unseen, .success(DoneReply())))
        queue.shut()
        #expect(!queue.add(.unseen, .success(DoneReply())))
        #expect(queue.drain().isEmpty)
    }

    @Test func theQueueEndsAnOverfullSubscriptionOnly() {
        let queue = OutgoingQueue(eventLimit: 10 * ControlLimits.eventCostBytes)
        queue.open(subscription: 1)
        queue.open(subscription: 2)
        _ = queue.add(typing(true), subscription: 2)
        for _ in 0..<11 { _ = queue.add(typing(true), subscription: 1) }
        _ = queue.add(typing(true), subscription: 1)
        let items = queue.drain()
        #expect(items.count == 2)
        guard case .event(1, let event) = items.last, let lagged = event as? LaggedEvent else {
            Issue.record("no lagged event")
            return
        }
        #expect(lagged.dropped == 11)
    }
}
