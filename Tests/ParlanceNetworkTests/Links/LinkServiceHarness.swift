import NIOCore
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceNetwork

/// A service with its inbox, for tests over real sockets.
struct TestNode {
    let identity: LocalIdentity
    let inbox: LinkRecorder
    let service: LinkService

    init(
        _ number: UInt8,
        capacity: Int = .max,
        keys: [WorkspaceKey] = [],
        _ change: (inout LinkService.Configuration) -> Void = { _ in }
    ) {
        identity = .sample(number)
        inbox = LinkRecorder(capacity: capacity)
        var configuration = LinkService.Configuration(identity: identity)
        configuration.workspaceKeys = keys
        // A machine that is busy ends no handshake.
        configuration.handshakeTime = .minutes(10)
        change(&configuration)
        service = LinkService(configuration, observer: inbox)
    }

    /// Dials and returns the reason of the failure; `nil` if a link opened.
    func failureDialling(_ host: String, _ port: UInt16, expecting: PeerID? = nil) async throws -> String? {
        let dial = DialID(UInt64.random(in: 1 ... .max))
        service.dial(dial, Endpoint(host: host, port: port), expecting: expecting)
        let state = try await inbox.wait("the dial is answered") { state in
            state.failed[dial] != nil || state.opened.contains { $0.dial == dial }
        }
        return state.failed[dial]
    }

    /// The handler's count of buffered bytes.
    func bufferedBytes(of id: LinkID) async throws -> Int {
        let link = try #require(service.state.withLock { $0.links[id] })
        let promise = link.channel.eventLoop.makePromise(of: Int.self)
        link.run { promise.succeed($0.bufferedCount) }
        return try await promise.futureResult.get()
    }
}

/// Two nodes with a link between them: `a` dialled `b`.
struct LinkedNodes {
    let a: TestNode
    let b: TestNode
    let linkAtA: LinkID
    let linkAtB: LinkID
    let port: UInt16

    static func run(
        host: String = "127.0.0.1",
        a: TestNode = TestNode(1),
        b: TestNode = TestNode(2),
        accepted: Bool = true,
        _ body: (LinkedNodes) async throws -> Void
    ) async throws {
        let port = try await b.service.start(addresses: [host], port: 0)
        if accepted {
            a.service.setAcceptedPeers([b.identity.peer])
            b.service.setAcceptedPeers([a.identity.peer])
        }
        a.service.dial(DialID(1), Endpoint(host: host, port: port), expecting: b.identity.peer)
        let atA = try await a.inbox.wait("opened at a") { !$0.opened.isEmpty || !$0.failed.isEmpty }
        let atB = try await b.inbox.wait("opened at b") { !$0.opened.isEmpty }
        let nodes = LinkedNodes(
            a: a,
            b: b,
            linkAtA: try #require(atA.opened.first).link,
            linkAtB: try #require(atB.opened.first).link,
            port: port
        )
        try await body(nodes)
        await a.service.stop()
        await b.service.stop()
        for node in [a, b] {
            let state = node.inbox.now
            #expect(!state.closedTwice && state.closed.count == state.opened.count)
        }
    }
}
