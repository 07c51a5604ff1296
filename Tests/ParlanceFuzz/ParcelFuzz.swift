import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Files on a stick: any bytes, any content that a friend signed, and any load that a friend sealed. The first byte
/// selects the friend and what follows.
package enum ParcelFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var bench = Bench(.shared)
        run(bytes, &bench)
        bench.finish()
        bench.restart()
        bench.finish()
    }

    /// How many of the seeds bring Ada an event: without any, fuzzing would stop at the outermost check.
    package static var reach: Int {
        seeds.count { seed in
            var bench = Bench(.shared)
            let before = held(bench)
            seed.withUnsafeBytes { run($0, &bench) }
            bench.finish()
            return held(bench) > before
        }
    }

    private static func held(_ bench: Bench) -> UInt64 {
        bench.disk.snapshot.logs.reduce(0) { $0 + $1.position.sequence }
    }

    private static func run(_ bytes: UnsafeRawBufferPointer, _ bench: inout Bench) {
        var reader = FuzzReader(bytes)
        var turns = 0
        while !reader.isAtEnd, turns < 16 {
            turns += 1
            let kind = reader.byte()
            let peer = 1 + Int(kind >> 6) % 3
            let slot = Int(kind >> 5 & 1)
            let block = reader.block()
            let file: [UInt8] =
                switch kind & 7 {
                case 0: block
                case 1: sign(block, by: peer, slot, bench)
                case 2: seal(block, by: peer, slot, nil, bench)
                case 3: seal(block, by: peer, slot, .fork, bench)
                default: seal(block, by: peer, slot, .next, bench)
                }
            if kind & 16 == 16 { pack(file, for: peer, slot, &bench) }
            bench.give(.takeParcel(file, slot: slot, from: bench.stage.identities[peer].text))
            if kind & 8 == 8 { bench.failures = 1 }
        }
    }

    /// What is in the slot may be anything, and so may the cursor.
    private static func pack(_ existing: [UInt8], for peer: Int, _ slot: Int, _ bench: inout Bench) {
        let who = bench.stage.identities[peer].text
        let cursor = ParcelCursor(Array(existing.prefix(41))) ?? ParcelCursor(Array(existing.prefix(89)))
        for start in [ParcelRequest.Start.first, .end] + (cursor.map { [.after($0)] } ?? []) {
            bench.give(.pack(ParcelRequest(who: who, slot: slot, start: start, existing: existing)))
        }
    }

    private static func sign(_ content: [UInt8], by peer: Int, _ slot: Int, _ bench: Bench) -> [UInt8] {
        guard let content = WireParcelContent(decoding: content) else { return [] }
        return sign(content, by: peer, slot, bench)
    }

    private static func sign(_ content: WireParcelContent, by peer: Int, _ slot: Int, _ bench: Bench) -> [UInt8] {
        let stage = bench.stage
        return WireParcel.seal(
            content,
            to: stage.identities[0],
            slot: slot,
            from: stage.identities[peer],
            with: stage.signers[peer]
        ).encodedBytes()
    }

    /// - Parameter place: where events are signed anew; `nil` if they stay as they are.
    private static func seal(
        _ bytes: [UInt8],
        by peer: Int,
        _ slot: Int,
        _ place: Forger.Place?,
        _ bench: Bench
    ) -> [UInt8] {
        guard var load = WireParcelLoad(decoding: bytes), let keys = bench.prekeys[peer] else { return [] }
        if let place {
            var forger = Forger(bench, peer: peer, place: place)
            for index in load.invites.indices {
                var frame = WireFrame()
                frame.kind = .invite(load.invites[index])
                if case .invite(let signed) = forger.sign(frame).kind { load.invites[index] = signed }
            }
            for index in load.runs.indices {
                var frame = WireFrame()
                frame.kind = .events(load.runs[index])
                if case .events(let signed) = forger.sign(frame).kind { load.runs[index] = signed }
            }
            for index in load.receipts.indices {
                var frame = WireFrame()
                frame.kind = .watermarks(load.receipts[index])
                if case .watermarks(let signed) = forger.sign(frame).kind { load.receipts[index] = signed }
            }
        }
        let envelope = WireEnvelope.seal(
            load.encodedBytes(),
            to: bench.stage.identities[0],
            prekey: [UInt8](keys.daily),
            oneTime: [],
            ephemeral: SecretBytes(copying: [UInt8](repeating: 78, count: 32)),
            expires: Int64(clamping: keys.made) + Limits.envelopeMilliseconds
        )
        guard var envelope else { return [] }
        envelope.recipient = Data()
        var content = WireParcelContent()
        content.replica = Data(bench.stage.replicas[peer].bytes)
        content.state = Data(repeating: 9, count: 32)
        content.prekeys = keys
        content.prekeys.oneTime = []
        content.envelope = envelope
        return sign(content, by: peer, slot, bench)
    }

    /// What Ada's friends sent her on links, as loads: as they are, and signed for her present state.
    static var seeds: [[UInt8]] {
        var seeds: [[UInt8]] = [
            [0, 3, 0, 1, 2, 3], [17, 0, 0], [1] + FuzzReader.block(WireParcelContent().encodedBytes()),
        ]
        for (peer, bytes) in Stage.shared.recorded where peer == 1 || peer == 2 {
            guard let frame = WireFrame(decoding: bytes), let load = load(of: frame) else { continue }
            let block = FuzzReader.block(load.encodedBytes())
            let friend = UInt8(peer - 1) << 6
            seeds += [2, 3, 4, 12, 20].map { [friend | $0] + block }
            seeds.append([friend | 4] + block + [friend | 20] + block)
        }
        return seeds
    }

    private static func load(of frame: WireFrame) -> WireParcelLoad? {
        var load = WireParcelLoad()
        switch frame.kind {
        case .invite(let invite): load.invites = [invite]
        case .events(let run): load.runs = [run]
        case .watermarks(let marks): load.receipts = [marks]
        case .handOver(let handOver): load.envelopes = [handOver.envelope]
        default: return nil
        }
        return load
    }
}
