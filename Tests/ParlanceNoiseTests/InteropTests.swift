import ParlanceNoise
import ParlanceSodium
import Testing

@Suite("Interoperation with noiseprotocol (Python)")
struct InteropTests {
    static let payloads: [[UInt8]] = [Array("hello".utf8), [UInt8](repeating: 0xa5, count: 300), []]

    @Test("Handshake and messages", .timeLimit(.minutes(30)), arguments: NoisePattern.allCases, roles)
    func interoperates(pattern: NoisePattern, role: NoiseRole) throws {
        let peer = try start(as: role == .initiator ? .responder : .initiator, pattern)
        defer { peer.stop() }
        var handshake = try Fixture.handshake(role, pattern)
        for (index, payload) in Self.payloads.enumerated() {
            if index.isMultiple(of: 2) == (role == .initiator) {
                let message = try handshake.writeMessage(payload: payload)
                #expect(try peer.request("R", message) == payload, "message \(index)")
            } else {
                let message = try peer.request("W", payload)
                let read = try handshake.readMessage(message)
                #expect(read == payload, "message \(index)")
            }
        }
        let (hash, remoteStatic) = (handshake.handshakeHash, handshake.remoteStatic)
        #expect(try peer.request("H") == hash)
        #expect(try peer.request("S") == Fixture.pair("\(role) static").publicKey)
        #expect(try remoteStatic == Fixture.pair("peer static").publicKey)

        var keys = try handshake.split()
        try exchange(&keys, with: peer)
        keys.send.rekey()
        keys.receive.rekey()
        _ = try peer.request("K")
        try exchange(&keys, with: peer)

        var changed = try keys.send.encrypt([1, 2, 3])
        changed[0] ^= 1
        #expect(throws: InteropPeer.Failure.self) { try peer.request("D", changed) }
    }

    @Test("A peer of another workspace is refused by both sides", .timeLimit(.minutes(30)), arguments: roles)
    func anotherWorkspace(role: NoiseRole) throws {
        let peer = try start(as: role == .initiator ? .responder : .initiator, .xxPSK3)
        defer { peer.stop() }
        var handshake = try Fixture.handshake(role, .xxPSK3, psk: Fixture.secret("another workspace"))
        if role == .initiator {
            let first = try handshake.writeMessage(payload: [])
            #expect(try peer.request("R", first) == [])
            let second = try peer.request("W")
            _ = try handshake.readMessage(second)
            let third = try handshake.writeMessage(payload: [])
            #expect(throws: InteropPeer.Failure.self) { try peer.request("R", third) }
        } else {
            _ = try handshake.readMessage(peer.request("W"))
            let second = try handshake.writeMessage(payload: [])
            _ = try peer.request("R", second)
            let third = try peer.request("W")
            let error = failure { () throws(NoiseError) in _ = try handshake.readMessage(third) }
            #expect(error == .authenticationFailed)
        }
    }

    /// Several messages each way, of lengths from nothing to the limit.
    private func exchange(_ keys: inout TransportKeys, with peer: InteropPeer) throws {
        for count in [0, 1, 15, 16, 17, 1000, 65_519] {
            let plaintext = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 13 &+ count) }
            let ours = try keys.send.encrypt(plaintext)
            let read = try peer.request("D", ours)
            #expect(read == plaintext, "\(count) bytes to the peer")
            let theirs = try peer.request("E", plaintext)
            #expect(theirs.count == count + 16)
            let opened = try keys.receive.decrypt(theirs)
            #expect(opened == plaintext, "\(count) bytes from the peer")
        }
    }

    private func start(as role: NoiseRole, _ pattern: NoisePattern) throws -> InteropPeer {
        try InteropPeer(
            role: role,
            pattern: pattern,
            prologue: Fixture.prologue,
            staticKey: text(Fixture.secret("peer static").withBytes { Array($0) }),
            ephemeralKey: text(Fixture.secret("peer ephemeral").withBytes { Array($0) }),
            psk: pattern.usesPresharedKey ? text(Fixture.psk.withBytes { Array($0) }) : "-"
        )
    }
}
