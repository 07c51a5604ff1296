import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire

// Frames about envelopes: signed by the sender, sealed to Ada's keys, with the names that she gave.
extension Forger {
    mutating func carry(_ frame: inout WireFrame) {
        switch frame.kind {
        case .prekeys(var keys):
            let signed = [Domain.prekey] + [UInt8](keys.daily) + Self.bigEndian(keys.made)
            keys.signature = Data(stage.signers[peer].sign(signed))
            frame.kind = .prekeys(keys)
        case .deposit(var deposit):
            // A number selects the recipient; the sealed content does not matter to a courier.
            if PeerID(deposit.envelope.recipient) == nil {
                let hint = Int(deposit.envelope.recipient.first ?? 2)
                deposit.envelope.recipient = Data(stage.identities[hint % stage.identities.count].bytes)
            }
            frame.kind = .deposit(deposit)
        case .deposited(var answer):
            answer.envelope = bench.given[peer] ?? answer.envelope
            frame.kind = .deposited(answer)
        case .handOver(let handOver):
            frame.kind = .handOver(seal(handOver))
        case .taken(var taken):
            taken.envelope = bench.given[peer] ?? taken.envelope
            taken.signature = Data(stage.signers[peer].sign([Domain.taken] + [UInt8](taken.envelope)))
            frame.kind = .taken(taken)
        default: break
        }
    }

    /// An envelope whose content is in the clear is sealed to Ada, with a one-time key if it names one.
    private mutating func seal(_ handOver: WireHandOver) -> WireHandOver {
        guard var run = WireEvents(decoding: [UInt8](handOver.envelope.sealed)), let keys = bench.prekeys[peer] else {
            return handOver
        }
        var inner = WireFrame()
        inner.kind = .events(run)
        if case .events(let signed) = sign(inner).kind { run = signed }
        let oneTime = handOver.envelope.oneTime.isEmpty ? nil : keys.oneTime.first
        let sealed = WireEnvelope.seal(
            run,
            to: stage.identities[0],
            prekey: [UInt8](keys.daily),
            oneTime: oneTime.map { [UInt8]($0) } ?? [],
            ephemeral: SecretBytes(copying: [UInt8](repeating: 77, count: 32)),
            expires: Int64(clamping: handOver.envelope.expires)
        )
        var result = handOver
        if let sealed { result.envelope = sealed }
        return result
    }
}
