import Foundation
import NIOCore
import ParlanceCore
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceNetwork

/// An attacker on the wire changes units of a link, over real sockets: the result is no session, or one that is cut
/// off, and never a frame that the other side has not sent.
@Suite struct ManInTheMiddleTests {
    enum Attack: CaseIterable {
        case flipLength, flipFirst, flipLast, drop, replay, swap
    }

    /// The attack on one unit of one direction.
    private final class Attacker: Sendable {
        private let attack: Attack
        private let direction: Wire.Direction
        private let unit: Int
        private let held = Mutex<[UInt8]>([])

        init(_ attack: Attack, _ direction: Wire.Direction, unit: Int) {
            self.attack = attack
            self.direction = direction
            self.unit = unit
        }

        func forward(_ direction: Wire.Direction, _ unit: Int, _ bytes: [UInt8]) -> [UInt8] {
            guard direction == self.direction else { return bytes }
            if unit == self.unit + 1, attack == .swap { return bytes + held.withLock { $0 } }
            guard unit == self.unit else { return bytes }
            var bytes = bytes
            switch attack {
            case .flipLength: bytes[1] ^= 1
            case .flipFirst: bytes[min(2, bytes.count - 1)] ^= 1
            case .flipLast: bytes[bytes.count - 1] ^= 0x80
            case .drop: return []
            case .replay: return bytes + bytes
            case .swap:
                held.withLock { $0 = bytes }
                return []
            }
            return bytes
        }
    }

    private static let units = 6
    /// More than the units that are attacked, so that a gap is detected.
    private static let frames = (0..<9).map { WireFrame.sample($0, padding: 9_000) }

    @Test(arguments: Attack.allCases, Wire.Direction.allCases)
    private func nothingComesOfIt(_ attack: Attack, _ direction: Wire.Direction) async throws {
        for unit in 0..<Self.units {
            let attacker = Attacker(attack, direction, unit: unit)
            let (a, b) = try await Self.talk { attacker.forward($0, $1, $2) }
            let place = "unit \(unit)"
            let victim = direction == .toResponder ? b : a
            #expect(victim.frames.count < Self.frames.count, "\(place)")
            for side in [a, b] {
                #expect(side.frames == Array(Self.frames.prefix(side.frames.count)), "\(place)")
                #expect(side.closed.count == side.opened.count, "\(place)")
            }
            #expect(victim.closed.values.allSatisfy { $0 != .closed }, "\(place)")
            // Before the certificates have passed, the attacked side has no session at all; a repeated unit has arrived
            // unchanged once.
            let last = (direction == .toResponder ? 2 : 1) - (attack == .replay ? 1 : 0)
            if unit <= last { #expect(victim.opened.isEmpty, "\(place)") }
        }
    }

    @Test func anHonestWireDeliversAll() async throws {
        let (a, b) = try await Self.talk { $2 }
        #expect(a.frames == Self.frames && b.frames == Self.frames)
    }

    /// Links two nodes through a wire, lets both send the same, and returns what each was told when all has ended.
    private static func talk(_ tamper: @escaping Wire.Tamper) async throws -> (LinkRecorder.State, LinkRecorder.State) {
        let (a, b) = (Self.node(1), Self.node(2))
        let port = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        let wire = try Wire(to: port, tamper: tamper)
        a.service.setAcceptedPeers([b.identity.peer])
        b.service.setAcceptedPeers([a.identity.peer])
        a.service.dial(DialID(1), Endpoint(host: "127.0.0.1", port: wire.port), expecting: b.identity.peer)
        let dialled = try await a.inbox.wait("the dial is answered") { !$0.opened.isEmpty || !$0.failed.isEmpty }
        if let link = dialled.opened.first?.link {
            for frame in frames { a.service.send(link, frame) }
            let atB = try await b.inbox.wait("b has a link") { !$0.opened.isEmpty }
            if let link = atB.opened.first?.link { for frame in frames { b.service.send(link, frame) } }
            try await a.inbox.wait("a has all, or its link ended") {
                $0.frames.count == frames.count || !$0.closed.isEmpty
            }
            try await b.inbox.wait("b has all, or its link ended") {
                $0.frames.count == frames.count || !$0.closed.isEmpty
            }
        }
        await a.service.stop()
        await b.service.stop()
        wire.stop()
        return (a.inbox.now, b.inbox.now)
    }

    private static func node(_ number: UInt8) -> TestNode {
        TestNode(number) { $0.handshakeTime = .milliseconds(400) }
    }

    /// Somebody else replays the bytes of a whole session: there is no link and no frame.
    @Test func aWholeCapturePlayedBackDoesNothing() async throws {
        let (a, b) = (Self.node(1), Self.node(2))
        let port = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        let wire = try Wire(to: port)
        a.service.dial(DialID(1), Endpoint(host: "127.0.0.1", port: wire.port), expecting: b.identity.peer)
        let link = try #require(try await a.inbox.wait("opened") { !$0.opened.isEmpty }.opened.first?.link)
        for number in 0..<20 { a.service.send(link, .sample(number)) }
        try await b.inbox.wait("all") { $0.frames.count == 20 }
        a.service.close(link)
        let before = try await b.inbox.wait("closed") { !$0.closed.isEmpty }
        for bytes in [wire.captured(.toResponder), wire.captured(.toInitiator)] {
            let socket = try Wire.connect(to: port)
            _ = Wire.sendAll(bytes, on: socket)
            // Until the other side closes it.
            while Wire.receive(1, socket) != nil {}
            close(socket)
        }
        let after = b.inbox.now
        #expect(after.opened.count == before.opened.count && after.frames == before.frames)
        await a.service.stop()
        await b.service.stop()
        wire.stop()
    }
}
