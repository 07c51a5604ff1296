import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceNetwork

/// A capture of a hundred sessions contains no text, no name and no full key.
@Suite struct CaptureTests {
    private static let sessions = 100

    @Test(arguments: [false, true]) func aCaptureHoldsNothingInTheClear(workspace: Bool) async throws {
        let keys = workspace ? [WorkspaceKey.sample(9)] : []
        let (a, b) = (TestNode(1, keys: keys), TestNode(2, keys: keys))
        let port = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        let wire = try Wire(to: port)
        a.service.setAcceptedPeers([b.identity.peer])
        b.service.setAcceptedPeers([a.identity.peer])
        for number in 0..<Self.sessions { try await session(number, a, b, wire) }
        let capture = wire.captured(.toResponder) + wire.captured(.toInitiator)
        // Each session is there: a preamble, the handshake and the frames of both.
        #expect(capture.count > Self.sessions * 600)
        #expect(Self.occurrences(of: Array("PLN".utf8), in: capture) >= Self.sessions)
        for (what, secret) in Self.secrets(a, b, keys) {
            #expect(Self.occurrences(of: secret, in: capture) == 0, "\(what) is in the clear")
        }
        await a.service.stop()
        await b.service.stop()
        wire.stop()
    }

    private func session(_ number: Int, _ a: TestNode, _ b: TestNode, _ wire: Wire) async throws {
        let dial = DialID(UInt64(number) + 1)
        a.service.dial(dial, Endpoint(host: "127.0.0.1", port: wire.port), expecting: b.identity.peer)
        let atA = try await a.inbox.wait("opened at a") { $0.opened.contains { $0.dial == dial } }
        let atB = try await b.inbox.wait("opened at b") { $0.opened.count == number + 1 }
        let link = try #require(atA.opened.first { $0.dial == dial }).link
        a.service.send(link, Self.frame("Ada Lovelace", number))
        b.service.send(try #require(atB.opened.last).link, Self.frame("Bob Babbage", number))
        try await a.inbox.wait("heard at a") { $0.frames.count == number + 1 }
        try await b.inbox.wait("heard at b") { $0.frames.count == number + 1 }
        a.service.close(link)
        try await b.inbox.wait("closed at b") { $0.closed.count == number + 1 }
    }

    /// A greeting that contains everything that must not be visible.
    private static func frame(_ name: String, _ number: Int) -> WireFrame {
        var frame = WireFrame()
        frame.hello.name = name
        frame.hello.presence.statusText = "meet me at the usual place, \(number)"
        frame.hello.features = [text]
        return frame
    }

    private static let text = "the plaintext that nobody may read"

    private static func secrets(_ a: TestNode, _ b: TestNode, _ keys: [WorkspaceKey]) -> [(String, [UInt8])] {
        var secrets: [(String, [UInt8])] = [
            ("a name", Array("Ada Lovelace".utf8)), ("a name", Array("Bob Babbage".utf8)), ("a text", Array(text.utf8)),
            ("a status", Array("the usual place".utf8)),
        ]
        for node in [a, b] {
            secrets.append(("an identity", node.identity.peer.bytes))
            secrets.append(("an identity's text", Array(node.identity.peer.text.utf8)))
            secrets.append(("a static key", node.identity.noiseKey.publicKey))
            secrets.append(("a replica", node.identity.replica.bytes))
            secrets.append(("a certificate", Array(node.identity.certificate.suffix(32))))
        }
        for key in keys { secrets.append(("a workspace key", key.secret.withBytes { Array($0) })) }
        return secrets
    }

    private static func occurrences(of part: [UInt8], in bytes: [UInt8]) -> Int {
        let data = Data(bytes)
        var count = 0
        var from = data.startIndex
        while let found = data.range(of: Data(part), in: from..<data.endIndex) {
            count += 1
            from = found.upperBound
        }
        return count
    }
}
