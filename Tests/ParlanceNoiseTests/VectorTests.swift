import ParlanceNoise
import Testing

@Suite("Noise vectors")
struct VectorTests {
    @Test("Our side writes and accepts exactly the bytes of the vector", arguments: try NoiseVector.all(), roles)
    func vector(_ vector: NoiseVector, role: NoiseRole) throws {
        var handshake = try vector.handshake(role)
        let handshakeCount = 3
        try #require(vector.messages.count > handshakeCount)
        for (index, message) in vector.messages.prefix(handshakeCount).enumerated() {
            if isOurs(index, role) {
                let written = try handshake.writeMessage(payload: hex(message.payload))
                #expect(text(written) == message.ciphertext)
            } else {
                let payload = try handshake.readMessage(hex(message.ciphertext))
                #expect(text(payload) == message.payload)
            }
            let complete = handshake.isComplete
            #expect(complete == (index == handshakeCount - 1))
        }
        let hash = handshake.handshakeHash
        var keys = try handshake.split()
        let hashAfterwards = keys.handshakeHash
        if let expected = vector.handshakeHash {
            #expect(text(hash) == expected)
            #expect(text(hashAfterwards) == expected)
        }
        for (index, message) in vector.messages.enumerated().dropFirst(handshakeCount) {
            if isOurs(index, role) {
                let sealed = try keys.send.encrypt(hex(message.payload))
                #expect(text(sealed) == message.ciphertext)
            } else {
                let opened = try keys.receive.decrypt(hex(message.ciphertext))
                #expect(text(opened) == message.payload)
            }
        }
    }

    @Test("Both patterns have vectors with a handshake hash")
    func coverage() throws {
        let vectors = try NoiseVector.all()
        for pattern in NoisePattern.allCases {
            #expect(vectors.contains { $0.protocolName == pattern.protocolName && $0.handshakeHash != nil })
        }
    }

    private func isOurs(_ index: Int, _ role: NoiseRole) -> Bool {
        index.isMultiple(of: 2) == (role == .initiator)
    }
}

/// Both roles, for parametrized tests.
let roles: [NoiseRole] = [.initiator, .responder]
