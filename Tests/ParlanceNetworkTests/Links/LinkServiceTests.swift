import NIOCore
import NIOPosix
import ParlanceCore
import ParlanceSodium
import ParlanceWaiting
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceNetwork

@Suite struct LinkServiceTests {
    @Test(arguments: ["127.0.0.1", "::1"]) func tenThousandFramesGoBothWaysInOrder(host: String) async throws {
        try await LinkedNodes.run(host: host) { nodes in
            let opened = try #require(nodes.a.inbox.now.opened.first)
            #expect(opened.peer == nodes.b.identity.peer && opened.replica == .sample(2) && opened.epoch == 7)
            #expect(opened.dial == DialID(1) && opened.remote == Endpoint(host: host, port: nodes.port))
            let atB = try #require(nodes.b.inbox.now.opened.first)
            #expect(atB.peer == nodes.a.identity.peer && atB.dial == nil && atB.remote.host == host)
            let frames = (0..<10_000).map { WireFrame.sample($0) }
            for frame in frames {
                nodes.a.service.send(nodes.linkAtA, frame)
                nodes.b.service.send(nodes.linkAtB, frame)
            }
            let a = try await nodes.a.inbox.wait("all at a") { $0.frames.count >= frames.count }
            let b = try await nodes.b.inbox.wait("all at b") { $0.frames.count >= frames.count }
            let complete = a.frames == frames && b.frames == frames
            #expect(complete)
        }
    }

    /// While few files are left to open, no connection is accepted: people need the files.
    @Test func noLinkIsTakenWhenFewFilesAreLeft() async throws {
        let (a, b) = (TestNode(1), TestNode(2) { $0.firstKeptDescriptor = 0 })
        let port = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        #expect(try await a.failureDialling("127.0.0.1", port) != nil)
        #expect(b.inbox.now.opened.isEmpty)
        // It dials nobody either.
        let open = try await a.service.start(addresses: ["127.0.0.1"], port: 0)
        #expect(try await b.failureDialling("127.0.0.1", open) == "this node has too many files open")
        await a.service.stop()
        await b.service.stop()
        #expect(a.inbox.now.opened.isEmpty)
    }

    /// Strangers of one address have a limited number of links, and a friend from there still gets one.
    @Test func oneAddressHasSoManyLinksOfStrangers() async throws {
        let b = TestNode(2) { $0.quota.loopback = nil }
        let port = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        let strangers = (0...UInt8(Limits.unacceptedLinksPerAddress)).map { TestNode(10 + $0) }
        for (number, stranger) in strangers.enumerated() {
            let failure = try await stranger.failureDialling("127.0.0.1", port)
            guard number == Limits.unacceptedLinksPerAddress else {
                #expect(failure == nil)
                continue
            }
            // It may regard its link as open before it is closed.
            if failure == nil { try await stranger.inbox.wait("the last is closed") { !$0.closed.isEmpty } }
        }
        let friend = TestNode(30)
        b.service.setAcceptedPeers([friend.identity.peer])
        #expect(try await friend.failureDialling("127.0.0.1", port) == nil)
        let held = try await b.inbox.wait("the friend is there") { state in
            state.opened.contains { $0.peer == friend.identity.peer }
        }
        #expect(held.opened.count == Limits.unacceptedLinksPerAddress + 1 && held.closed.isEmpty)
        for node in strangers + [friend, b] { await node.service.stop() }
    }

    /// All places are held by connections that say nothing; a newcomer gets in, and the oldest silent one ends.
    @Test func aNewcomerEndsTheOldestSilentConnection() async throws {
        let b = TestNode(2) {
            $0.quota.loopback = nil
            $0.quota.unauthenticated = 3
            $0.quota.unauthenticatedPerAddress = 100
            $0.handshakeTime = .hours(1)
        }
        let port = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        var silent: [any Channel] = []
        for number in 1...3 {
            silent.append(
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .connect(host: "127.0.0.1", port: Int(port)).get()
            )
            try await eventually("connection \(number) is there") {
                b.service.state.withLock { $0.halfOpen.count == number }
            }
        }
        let newcomer = TestNode(10)
        #expect(try await newcomer.failureDialling("127.0.0.1", port) == nil)
        try await silent[0].closeFuture.get()
        #expect(silent[1].isActive && silent[2].isActive)
        try await eventually("the newcomer has said who it is") {
            b.service.state.withLock { $0.halfOpen.count == 2 }
        }
        for channel in silent[1...] { try await channel.close().get() }
        try await eventually("nothing is left") { b.service.state.withLock { $0.halfOpen.isEmpty } }
        for node in [newcomer, b] { await node.service.stop() }
    }

    @Test func whatWasSentBeforeAClosingComesBeforeIt() async throws {
        try await LinkedNodes.run { nodes in
            for number in 0..<1_000 { nodes.a.service.send(nodes.linkAtA, .sample(number)) }
            nodes.a.service.close(nodes.linkAtA)
            nodes.a.service.send(nodes.linkAtA, .sample(-1))
            let b = try await nodes.b.inbox.wait("closed at b") { !$0.closed.isEmpty }
            #expect(b.closed == [nodes.linkAtB: .closed])
            #expect(b.frames.count >= 1_000 && b.frames.prefix(1_000) == (0..<1_000).map { .sample($0) }[...])
            let a = try await nodes.a.inbox.wait("closed at a") { !$0.closed.isEmpty }
            #expect(a.closed == [nodes.linkAtA: .closed])
        }
    }

    /// If the closing side closed its socket at once, data that the peer still sends would make the system reset the
    /// connection and lose what it had not delivered yet.
    @Test func aClosingLosesNothingThoughThePeerKeepsSending() async throws {
        let patient = TestNode(1) { $0.closingTime = .minutes(10) }
        try await LinkedNodes.run(a: patient, b: TestNode(2, capacity: 10)) { nodes in
            for number in 0..<1_500 { nodes.a.service.send(nodes.linkAtA, .sample(number, padding: 1_000)) }
            nodes.a.service.close(nodes.linkAtA)
            try await nodes.a.inbox.wait("closed at a") { !$0.closed.isEmpty }
            for number in 0..<500 { nodes.b.service.send(nodes.linkAtB, .sample(number, padding: 1_000)) }
            try await nodes.b.inbox.wait("full") { $0.frames.count >= 10 }
            nodes.b.inbox.drain()
            let b = try await nodes.b.inbox.wait("closed at b") { !$0.closed.isEmpty }
            #expect(b.closed == [nodes.linkAtB: .closed])
            let complete = b.frames == (0..<1_500).map { .sample($0, padding: 1_000) }
            #expect(complete)
        }
    }

    @Test func aConnectionThatBreaksIsCutOff() async throws {
        try await LinkedNodes.run { nodes in
            let link = try #require(nodes.a.service.state.withLock { $0.links[nodes.linkAtA] })
            try await link.channel.close()
            let b = try await nodes.b.inbox.wait("ended at b") { !$0.closed.isEmpty }
            #expect(b.closed == [nodes.linkAtB: .cutOff])
            let a = try await nodes.a.inbox.wait("ended at a") { !$0.closed.isEmpty }
            #expect(a.closed == [nodes.linkAtA: .cutOff])
        }
    }

    @Test func aStopClosesAllLinks() async throws {
        try await LinkedNodes.run { nodes in
            await nodes.a.service.stop()
            #expect(nodes.a.inbox.now.closed == [nodes.linkAtA: .closed])
            let b = try await nodes.b.inbox.wait("closed at b") { !$0.closed.isEmpty }
            #expect(b.closed == [nodes.linkAtB: .closed])
            nodes.a.service.dial(DialID(9), Endpoint(host: "127.0.0.1", port: nodes.port), expecting: nil)
            #expect(nodes.a.inbox.now.failed[DialID(9)] == "this node is stopping")
        }
    }

    @Test func aTakenPortIsReplacedAndAllFamiliesAnswer() async throws {
        let (a, b, c) = (TestNode(1), TestNode(2), TestNode(3))
        let first = try await a.service.start(port: 0)
        let second = try await b.service.start(port: first)
        #expect(first != second && second != 0)
        #expect(try await c.failureDialling("127.0.0.1", first, expecting: a.identity.peer) == nil)
        #expect(try await c.failureDialling("::1", first, expecting: a.identity.peer) == nil)
        #expect(try await c.failureDialling("localhost", second, expecting: b.identity.peer) == nil)
        await #expect(throws: LinkListenError.self) {
            try await c.service.start(addresses: ["office.example"], port: 0)
        }
        for node in [a, b, c] { await node.service.stop() }
    }

    /// Each further user of a computer gets the next port, which the same rule of a firewall lets in.
    @Test func furtherNodesOfAComputerTakeTheNextPorts() async throws {
        let nodes = (0...Limits.portsTried).map { TestNode(UInt8($0 + 1)) }
        // An address of loopback that no other test uses.
        let own = "127.47.\(UInt8.random(in: 1...254)).\(UInt8.random(in: 1...254))"
        var ports: [Int] = []
        for node in nodes { ports.append(Int(try await node.service.start(addresses: [own]))) }
        // Other tests have daemons that hold one of them for all addresses, for a moment or longer.
        let range = 4_747...4_762
        #expect(ports.prefix(12).allSatisfy { range.contains($0) } && Set(ports).count == ports.count, "\(ports)")
        #expect(ports.last.map { $0 != 0 && !range.contains($0) } == true, "all are taken: any")
        for node in nodes { await node.service.stop() }
    }
}
