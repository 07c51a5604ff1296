import Foundation
import ParlanceNetwork
import ParlanceNoise
import ParlanceSodium
import ParlanceWire

/// A stranger who sends anything, a stranger who presents any certificate, and an attacker on the wire between two
/// honest ends.
enum HandshakeFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        let kind = reader.byte()
        let isWorkspace = kind & 4 != 0
        switch kind & 3 {
        case 0: raw(&reader, isWorkspace)
        case 1: presented(&reader)
        default: between(&reader, isWorkspace)
        }
    }

    /// Any bytes to a responder, or in answer to an initiator: without a key they never make a handshake.
    private static func raw(_ reader: inout FuzzReader, _ isWorkspace: Bool) {
        let toInitiator = reader.byte() & 1 == 1
        let step = 1 + Int(reader.byte())
        var codec =
            toInitiator
            ? LinkParties.codec(.initiator(isWorkspace ? LinkParties.workspace : nil), LinkParties.ada, ephemeral: 35)
            : LinkParties.codec(.responder(isWorkspace ? [LinkParties.workspace] : []), LinkParties.ada, ephemeral: 35)
        var heard = Heard()
        let stream = reader.rest()
        for start in stride(from: 0, to: stream.count, by: step) where !heard.hasFailed {
            codec.receive(stream[start..<min(start + step, stream.count)])
            heard.pull(&codec)
        }
        promise(heard.opened == nil && heard.frames.isEmpty, "bytes without a key opened a link")
        promise(codec.takeOutput().count <= 2 * Limits.handshakeBytes, "a stranger is sent more than a handshake")
    }

    /// An honest handshake with any certificate: only an honest one opens the link.
    private static func presented(_ reader: inout FuzzReader) {
        let isSigned = reader.byte() & 1 == 1
        var certificate = reader.rest()
        if isSigned, var wire = WireCertificate(decoding: certificate) {
            // The attacker's identity signs a certificate whose other fields may have any value.
            let replica = ReplicaID(wire.replica) ?? LinkParties.bob.replica
            var signed: [UInt8] = [Domain.certificate, 1, 1] + LinkParties.bob.noiseKey.publicKey + replica.bytes
            withUnsafeBytes(of: wire.epoch.bigEndian) { signed += $0 }
            wire.identity = Data(LinkParties.bob.peer.bytes)
            wire.noiseStatic = Data(LinkParties.bob.noiseKey.publicKey)
            wire.signature = (try? SigningKey(seed: LinkParties.secret(2))).map { Data($0.sign(signed)) } ?? Data()
            certificate = wire.encodedBytes()
        }
        certificate = Array(certificate.prefix(Limits.handshakeBytes - 64))
        let bob = LocalIdentity(
            peer: LinkParties.bob.peer,
            replica: LinkParties.bob.replica,
            epoch: 7,
            noiseKey: LinkParties.bob.noiseKey,
            certificate: certificate
        )
        var dialling = LinkParties.codec(.initiator(nil), bob, ephemeral: 36)
        var dialled = LinkParties.codec(.responder([]), LinkParties.ada, ephemeral: 37)
        let first = exchange(&dialling, &dialled)
        promise(first.second.opened == nil || first.second.opened == bob.peer, "a certificate proved somebody else")
        var asking = LinkParties.codec(.initiator(nil), LinkParties.ada, ephemeral: 38)
        var answering = LinkParties.codec(.responder([]), bob, ephemeral: 39)
        let second = exchange(&asking, &answering)
        promise(second.first.opened == nil || second.first.opened == bob.peer, "a certificate proved somebody else")
    }

    private static func exchange(
        _ one: inout LinkCodec,
        _ other: inout LinkCodec
    ) -> (first: Heard, second: Heard) {
        var (first, second) = (Heard(), Heard())
        for _ in 0..<4 {
            other.receive(one.takeOutput())
            second.pull(&other)
            one.receive(other.takeOutput())
            first.pull(&one)
        }
        return (first, second)
    }

    /// Changes, drops, repeats and reorders what two honest ends send: each receives only what the other has sent.
    private static func between(_ reader: inout FuzzReader, _ isWorkspace: Bool) {
        let keys = isWorkspace ? [LinkParties.workspace] : []
        var one = LinkParties.codec(.initiator(keys.first), LinkParties.ada, ephemeral: 40)
        var other = LinkParties.codec(.responder(keys), LinkParties.bob, ephemeral: 41)
        var (first, second) = (Heard(), Heard())
        var recorded: [[UInt8]] = []
        var (byOne, byOther): ([WireFrame], [WireFrame]) = ([], [])
        var isHonest = true
        for turn in 0..<24 {
            if turn > 3, turn < 8 {
                if first.isOpen { byOne.append(say(turn, &one)) }
                if second.isOpen { byOther.append(say(turn, &other)) }
            }
            var unit = turn % 2 == 0 ? one.takeOutput() : other.takeOutput()
            if !unit.isEmpty { recorded.append(unit) }
            let before = unit
            tamper(&unit, &reader, recorded)
            isHonest = isHonest && unit == before
            if turn % 2 == 0 {
                other.receive(unit)
                second.pull(&other)
            } else {
                one.receive(unit)
                first.pull(&one)
            }
        }
        promise(first.opened == nil || first.opened == LinkParties.bob.peer, "somebody else was taken for Bob")
        promise(second.opened == nil || second.opened == LinkParties.ada.peer, "somebody else was taken for Ada")
        promise(byOther.starts(with: first.frames), "Ada heard what Bob did not say")
        promise(byOne.starts(with: second.frames), "Bob heard what Ada did not say")
        if isHonest {
            let isWhole = first.frames == byOther && second.frames == byOne && byOne.count == 4
            promise(isWhole, "an honest link does not deliver")
        }
    }

    private static func say(_ turn: Int, _ codec: inout LinkCodec) -> WireFrame {
        var frame = WireFrame()
        frame.heartbeat.name = "turn \(turn)"
        let framed = FrameSplitter.frame(frame.encodedBytes())
        do {
            try codec.seal(framed)
        } catch { fatalError("\(error)") }
        return frame
    }

    private static func tamper(_ unit: inout [UInt8], _ reader: inout FuzzReader, _ recorded: [[UInt8]]) {
        let act = reader.byte()
        let place = unit.isEmpty ? 0 : Int(reader.short()) % unit.count
        switch act {
        case 1 where !unit.isEmpty: unit[place] ^= max(1, reader.byte())
        case 2: unit = Array(unit.prefix(place))
        case 3: unit.insert(contentsOf: reader.take(Int(reader.byte())), at: place)
        case 4: unit = []
        case 5 where !recorded.isEmpty: unit += recorded[Int(reader.byte()) % recorded.count]
        case 6 where !recorded.isEmpty: unit = recorded[Int(reader.byte()) % recorded.count]
        case 7: unit = reader.block()
        default: break
        }
    }

    static var seeds: [[UInt8]] {
        let message = [UInt8](repeating: 3, count: 32)
        return [
            [0, 0, 255] + LinkParties.preamble + [0, 32] + message, [4, 0, 7, 0x50, 0x4C, 0x4E, 1, 1, 1, 2, 3, 4],
            [0, 1, 255, 0, 96] + message + message + message, [1, 0] + LinkParties.bob.certificate,
            [1, 1] + LinkParties.bob.certificate, [2], [6], [2, 1, 3, 0, 1], [2, 0, 0, 0, 0, 0, 0, 5, 0, 0, 1],
        ]
    }
}
