import ParlanceNetwork
import ParlanceNoise
import ParlanceWire

/// Bytes of frames in any fragmentation, and records of a peer that holds the keys and keeps no other rule.
enum RecordFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        if reader.byte() & 1 == 0 {
            split(&reader)
        } else {
            stranger(&reader)
        }
    }

    /// A stream gives the same frames, or the same end, in every fragmentation.
    private static func split(_ reader: inout FuzzReader) {
        let limit = reader.byte() & 1 == 0 ? 64 : Limits.frameBytes
        let step = 1 + Int(reader.byte())
        let stream = reader.rest()
        let whole = frames(of: stream, limit: limit, step: max(1, stream.count))
        let cut = frames(of: stream, limit: limit, step: step)
        promise(whole.frames == cut.frames && whole.error == cut.error, "a stream that is cut means something else")
        promise(whole.frames.allSatisfy { (1...limit).contains($0.count) }, "a frame beyond its limit")
        let again = whole.frames.flatMap { FrameSplitter.frame($0) }
        promise(frames(of: again, limit: limit, step: step).frames == whole.frames, "frames do not survive framing")
    }

    private static func frames(
        of stream: [UInt8],
        limit: Int,
        step: Int
    ) -> (frames: [[UInt8]], error: WireError?) {
        var splitter = FrameSplitter(limit: limit)
        var frames: [[UInt8]] = []
        do throws(WireError) {
            for start in stride(from: 0, to: stream.count, by: step) {
                splitter.append(stream[start..<min(start + step, stream.count)])
                while let frame = try splitter.next() { frames.append(frame) }
                promise(splitter.bufferedCount < limit + step + 4, "\(splitter.bufferedCount) bytes wait for a frame")
            }
            return (frames, nil)
        } catch {
            return (frames, error)
        }
    }

    /// Dials as a stranger would by the specification, then seals the input.
    private static func stranger(_ reader: inout FuzzReader) {
        var responder = LinkParties.codec(.responder([]), LinkParties.ada, ephemeral: 33)
        var heard = Heard()
        do {
            var handshake = try HandshakeState(
                role: .initiator,
                pattern: .xx,
                prologue: LinkParties.preamble,
                staticKey: LinkParties.bob.noiseKey,
                ephemeralKey: LinkParties.pair(34),
                psk: nil
            )
            let one = try handshake.writeMessage(payload: [])
            responder.receive(LinkParties.preamble + [0, UInt8(one.count)] + one)
            heard.pull(&responder)
            _ = try handshake.readMessage(Array(responder.takeOutput().dropFirst(2)))
            let three = try handshake.writeMessage(payload: LinkParties.bob.certificate)
            responder.receive([UInt8(three.count >> 8), UInt8(three.count & 0xFF)] + three)
            heard.pull(&responder)
            promise(heard.opened == LinkParties.bob.peer, "an honest handshake opens a link")
            var keys = try handshake.split()
            var count = 0
            while !reader.isAtEnd, !heard.hasFailed, !heard.isClosed, count < 64 {
                let sealed = try keys.send.encrypt(Array(reader.block().prefix(65_519)))
                responder.receive([UInt8(sealed.count >> 8), UInt8(sealed.count & 0xFF)] + sealed)
                heard.pull(&responder)
                count += 1
            }
        } catch {
            fatalError("\(error)")
        }
        let before = heard.frames.count
        guard heard.hasFailed || heard.isClosed else { return }
        responder.receive([0, 1, 2, 3])
        heard.pull(&responder)
        promise(heard.frames.count == before, "something came after the end")
        promise(!heard.isClosed || responder.endOfInput == .closed, "a closed link is told as cut off")
    }

    static var seeds: [[UInt8]] {
        var frame = WireFrame()
        frame.heartbeat.name = "Ada"
        let framed = FrameSplitter.frame(frame.encodedBytes())
        var long = WireFrame()
        long.heartbeat.name = String(repeating: "a", count: 300)
        let longer = FrameSplitter.frame(long.encodedBytes())
        return [
            [0, 0, 3] + framed + framed, [0, 1, 200] + longer + framed,
            [1] + FuzzReader.block([0] + framed) + FuzzReader.block([0] + framed) + FuzzReader.block([1]),
            [1] + FuzzReader.block([0] + longer.prefix(100)) + FuzzReader.block([0] + longer.dropFirst(100)),
            [1] + FuzzReader.block([2] + LinkParties.bob.certificate),
        ]
    }
}
