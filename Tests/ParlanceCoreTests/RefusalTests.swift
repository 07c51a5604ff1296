import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// A peer that blocks this node, and ends the block later.
@Suite struct RefusalTests {
    private let place = Endpoint(host: "10.0.0.2", port: 4747)

    /// A message that is being written when the refusal arrives is refused too. Otherwise it would wait for a link with a
    /// peer that does not want one, perhaps for ever.
    @Test(arguments: [false, true]) func aMessageBeingWrittenIsRefusedToo(isFirst: Bool) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        try bench.dial(1, to: bob)
        bench.received(bob.hello(), on: 1)
        if !isFirst { _ = try bench.ask(.send(who: "Bob", text: "hello")) }
        bench.diskWaits = true
        bench.give(.send(who: "Bob", text: "are you there?"))
        // This one is in the batch behind.
        bench.give(.send(who: "Bob", text: "please"))
        bench.received(bob.refuse(bob.conversation(with: bench.identity), .blocked), on: 1)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = bench.takeEffects()
        bench.diskWaits = false
        bench.settle()
        let refused: UInt64 = isFirst ? 2 : 3
        #expect(toldRefusals(&bench).last == refused)
        let delivery = try bench.view(of: bob.identity).delivery
        #expect(delivery.reason == .refused && delivery.logs.map(\.refusedThrough) == [refused])
        bench.pass(20_000)
        #expect(bench.takeDials().isEmpty)
    }

    /// A message that the user writes after the refusal tries again, although an earlier one is still being written.
    @Test func aMessageWrittenAfterARefusalTriesAgain() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()], fixed: [place])
        try bench.dial(1, to: bob)
        bench.received(bob.hello(), on: 1)
        bench.diskWaits = true
        bench.give(.send(who: "Bob", text: "hello"))
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.give(.send(who: "Bob", text: "are you there?"))
        bench.diskWaits = false
        bench.settle()
        #expect(try bench.view(of: bob.identity).delivery.logs.map(\.refusedThrough) == [1])
        bench.pass(20_000)
        #expect(!bench.takeDials().isEmpty)
    }

    /// If the disk does not take the message, nothing of it and of the refusal is left.
    @Test func aRefusedMessageThatIsNotStoredLeavesNoRefusal() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.diskWaits = true
        bench.give(.send(who: "Bob", text: "hello"))
        bench.received(bob.bye(.blocked), on: 1)
        bench.diskWaits = false
        bench.diskFails = true
        bench.settle()
        #expect(try bench.view(of: bob.identity).record.refusedThrough == nil)
    }

    /// When a peer ends its block, the messages that had failed wait again, and nothing is left of the refusal.
    @Test func aLiftedBlockIsOver() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let conversation = bob.conversation(with: bench.identity)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        bench.opened(2, with: bob)
        bench.received(bob.refuse(conversation, .blocked), on: 2)
        bench.received(bob.bye(.blocked), on: 2)
        bench.feed(.linkClosed(LinkID(2), .closed))
        let blocked = try bench.view(of: bob.identity)
        #expect(blocked.record.refusedThrough == 1 && blocked.trouble?.cause == .blocked)
        #expect(blocked.delivery.reason == .refused)
        _ = bench.takeEffects()

        bench.opened(3, with: bob)
        bench.received(bob.hello(), on: 3)
        #expect(try bench.view(of: bob.identity).record.refusedThrough == 1, "a Hello may have been on its way")
        bench.received(bob.summary(of: [(conversation, Clock())]), on: 3)
        let lifted = try bench.view(of: bob.identity)
        #expect(lifted.record.refusedThrough == nil && lifted.trouble == nil)
        #expect(lifted.delivery.reason != .refused && lifted.delivery.logs.map(\.refusedThrough) == [0])
        #expect(bench.batches.last?.peers.first?.refusedThrough == .some(nil), "also on the disk")
    }

    /// A peer may refuse a retry before the retry is on the disk. Both changes are told.
    @Test func aRetryThatIsRefusedAtOnceFailsAgain() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.refuse(conversation, .blocked), on: 1)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = bench.takeEffects()

        bench.diskWaits = true
        bench.give(.retry(conversation))
        bench.opened(2, with: bob)
        bench.received(bob.refuse(conversation, .blocked), on: 2)
        bench.diskWaits = false
        bench.settle()
        #expect(toldRefusals(&bench) == [0, 1])
    }

    /// A retry that the disk did not take has changed nothing: the message is shown as failed again.
    @Test func aRetryThatIsNotStoredLeavesTheMessageFailed() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        bench.received(bob.bye(.blocked), on: 1)
        _ = bench.takeEffects()
        bench.diskFails = true
        bench.give(.retry(bob.conversation(with: bench.identity)))
        #expect(toldRefusals(&bench) == [0, 1])
    }

    /// The peer refuses the retry before the disk does: the message is shown as failed again, too.
    @Test func aRetryThatIsRefusedAndNotStoredLeavesTheMessageFailed() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        let conversation = bob.conversation(with: bench.identity)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = bench.takeEffects()
        bench.diskWaits = true
        bench.give(.retry(conversation))
        bench.opened(2, with: bob)
        bench.received(bob.refuse(conversation, .blocked), on: 2)
        bench.diskWaits = false
        bench.diskFails = true
        bench.settle()
        #expect(toldRefusals(&bench) == [0, 1])
    }

    /// Through which message each view of a delivery says that the peer refused.
    private func toldRefusals(_ bench: inout EngineBench) -> [UInt64] {
        bench.takeEffects().compactMap { effect in
            if case .notify(.delivery(let view)) = effect { view.logs.first?.refusedThrough } else { nil }
        }
    }

    /// What is written after a refusal is tried, and waits for the reason that is known: a refusal answers a request too.
    @Test func whatIsWrittenAfterARefusalSaysWhyItWaits() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        bench.received(bob.refuse(bob.conversation(with: bench.identity), .blocked), on: 1)
        bench.received(bob.bye(.blocked), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        _ = try bench.ask(.send(who: "Bob", text: "are you there?"))
        let delivery = try bench.view(of: bob.identity).delivery
        #expect(delivery.reason == .refused, "\(delivery)")
        #expect(delivery.logs.map(\.refusedThrough) == [1], "it has not been refused yet")
        // A link says nothing else before its Summary: the peer may end it.
        bench.opened(2, with: bob)
        #expect(try bench.view(of: bob.identity).delivery.reason == .refused)
        bench.received(bob.hello(), on: 2)
        #expect(try bench.view(of: bob.identity).delivery.reason == .refused)
    }
}
