import ParlanceWire
import Testing

@Suite struct FrameSplitterTests {
    private func split(_ stream: [UInt8], pieces: () -> Int) throws -> [[UInt8]] {
        var splitter = FrameSplitter()
        var frames: [[UInt8]] = []
        var index = 0
        while index < stream.count {
            let end = min(stream.count, index + max(1, pieces()))
            splitter.append(stream[index..<end])
            index = end
            while let frame = try splitter.next() { frames.append(frame) }
        }
        #expect(splitter.bufferedCount == 0)
        return frames
    }

    @Test func framesComeOutWholeHoweverTheyAreCut() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(bound))
        }
        let frames = (0..<60).map { _ in (0..<(1 + next(3_000))).map { _ in UInt8(next(256)) } }
        let stream = frames.flatMap { FrameSplitter.frame($0) }
        #expect(try split(stream, pieces: { 1 }) == frames, "seed \(seed)")
        #expect(try split(stream, pieces: { 1 + next(5_000) }) == frames, "seed \(seed)")
        #expect(try split(stream, pieces: { stream.count }) == frames, "seed \(seed)")
    }

    @Test func aFrameAtTheLimitIsTakenAndOnePastItIsNot() throws {
        var splitter = FrameSplitter()
        splitter.append(FrameSplitter.frame([UInt8](repeating: 7, count: Limits.frameBytes)))
        #expect(try splitter.next()?.count == Limits.frameBytes)
        var strict = FrameSplitter()
        strict.append(FrameSplitter.frame([UInt8](repeating: 7, count: Limits.frameBytes + 1)).prefix(4))
        #expect(throws: WireError.frameTooLarge(limit: Limits.frameBytes)) { try strict.next() }
    }

    @Test func anEmptyFrameAndAnEndlessLengthAreRefused() {
        var empty = FrameSplitter()
        empty.append([0])
        #expect(throws: WireError.emptyFrame) { try empty.next() }
        var endless = FrameSplitter()
        endless.append([0x80, 0x80, 0x80, 0x80, 0x80])
        #expect(throws: WireError.frameTooLarge(limit: Limits.frameBytes)) { try endless.next() }
    }
}
