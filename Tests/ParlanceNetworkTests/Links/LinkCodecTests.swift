import ParlanceCore
import ParlanceNoise
import ParlanceRandom
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceNetwork

@Suite struct LinkCodecTests {
    @Test func bothSidesLearnWhoIsThere() throws {
        var pair = try CodecPair(expected: LocalIdentity.sample(2).peer)
        pair.exchangeAll()
        #expect(pair.atResponder.opened?.peer == LocalIdentity.sample(1).peer)
        #expect(pair.atResponder.opened?.replica == .sample(1))
        #expect(pair.atResponder.opened?.epoch == 7)
        #expect(pair.atInitiator.opened?.peer == LocalIdentity.sample(2).peer)
        #expect(pair.atInitiator.error == nil && pair.atResponder.error == nil)
    }

    @Test func framesGoBothWaysByteByByte() throws {
        var pair = try CodecPair()
        pair.exchangeAll { _ in 1 }
        let frames = (0..<20).map { WireFrame.sample($0) }
        for frame in frames {
            try pair.initiator.seal(frame.framed)
            try pair.responder.seal(frame.framed)
        }
        pair.exchangeAll { _ in 1 }
        #expect(pair.atResponder.frames == frames)
        #expect(pair.atInitiator.frames == frames)
    }

    @Test(arguments: [false, true]) func anyFragmentationGivesTheSame(workspace: Bool) throws {
        var random = SplitMix.printingSeed()
        let keys = workspace ? [WorkspaceKey.sample(9)] : []
        for _ in 0..<8 {
            var pair = try CodecPair(key: keys.first, keys: keys)
            pair.exchangeAll { Int.random(in: 1...$0.count, using: &random) }
            var sent: [WireFrame] = []
            var stream: [UInt8] = []
            for number in 0..<Int.random(in: 1...40, using: &random) {
                sent.append(.sample(number, padding: Int.random(in: 0...10_000, using: &random)))
                stream += sent[number].framed
            }
            var rest = stream[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                try pair.initiator.seal(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
            }
            try pair.initiator.close()
            pair.exchangeAll { Int.random(in: 1...$0.count, using: &random) }
            #expect(pair.atResponder.frames == sent)
            #expect(pair.atResponder.closed && pair.responder.endOfInput == .closed)
        }
    }

    @Test func aFrameOfTheLargestSizePasses() throws {
        var pair = try CodecPair()
        pair.exchangeAll()
        let frame = WireFrame.sample(1, padding: Limits.frameBytes - 9)
        #expect(frame.encodedBytes().count == Limits.frameBytes)
        try pair.initiator.seal(frame.framed)
        pair.exchangeAll()
        #expect(pair.atResponder.frames == [frame])
    }

    @Test func theInitiatorSendsNothingBeforeItHasVerified() throws {
        var pair = try CodecPair()
        pair.toResponder(pair.initiator.takeOutput())
        pair.toInitiator(pair.responder.takeOutput())
        pair.toResponder(pair.initiator.takeOutput())
        #expect(pair.atResponder.opened != nil && pair.atInitiator.opened == nil)
        try pair.initiator.seal(WireFrame.sample(1).framed)
        try pair.initiator.close()
        #expect(pair.initiator.takeOutput().isEmpty)
        // The responder may send at once; the certificate comes first.
        try pair.responder.seal(WireFrame.sample(2).framed)
        pair.exchangeAll()
        #expect(pair.atInitiator.opened != nil && pair.atInitiator.frames == [.sample(2)])
    }

    @Test func anEndWithoutClosingRecordIsCutOff() throws {
        var pair = try CodecPair()
        pair.exchangeAll()
        try pair.initiator.seal(WireFrame.sample(1).framed)
        try pair.initiator.close()
        let stream = pair.initiator.takeOutput()
        for count in 0..<stream.count - 1 {
            var cut = try CodecPair()
            cut.exchangeAll()
            try cut.initiator.seal(WireFrame.sample(1).framed)
            try cut.initiator.close()
            cut.toResponder(cut.initiator.takeOutput().prefix(count))
            #expect(cut.responder.endOfInput == .cutOff)
            #expect(!cut.atResponder.closed && cut.atResponder.error == nil)
        }
        pair.toResponder(stream)
        #expect(pair.atResponder.closed && pair.responder.endOfInput == .closed)
    }

    @Test func nothingCountsAfterTheClosingRecord() throws {
        var pair = try CodecPair()
        pair.exchangeAll()
        try pair.initiator.close()
        pair.toResponder(pair.initiator.takeOutput() + [1, 2, 3])
        pair.toResponder([UInt8](repeating: 0xFF, count: 100))
        #expect(pair.atResponder.closed && pair.atResponder.error == nil && pair.atResponder.frames.isEmpty)
        try pair.initiator.seal(WireFrame.sample(1).framed)
        #expect(pair.initiator.takeOutput().isEmpty)
    }

    @Test func aLinkClosedWithinAFrameIsBroken() throws {
        var pair = try CodecPair()
        pair.exchangeAll()
        try pair.initiator.seal(Array(WireFrame.sample(1).framed.dropLast()))
        try pair.initiator.close()
        pair.exchangeAll()
        #expect(pair.atResponder.error == .record(.endWithinFrame))
        #expect(pair.responder.endOfInput == .cutOff)
    }

    @Test func workspaceKeysMustBeHeld() throws {
        let (new, old) = (WorkspaceKey.sample(1), WorkspaceKey.sample(2))
        var both = try CodecPair(key: old, keys: [new, old])
        both.exchangeAll()
        #expect(both.atInitiator.opened != nil)
        for (key, keys) in [(new, [old]), (nil, [old]), (new, [])] as [(WorkspaceKey?, [WorkspaceKey])] {
            var pair = try CodecPair(key: key, keys: keys)
            pair.exchangeAll()
            #expect(pair.atResponder.error == .modeNotTaken)
            let unanswered = pair.initiator.awaitsHandshakeMessage
            #expect(unanswered)
        }
    }
}
