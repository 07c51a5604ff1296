import Foundation
import Testing

@testable import ParlanceWire

/// Compares the reader and the writer of plain bodies with the general coder: the reader either leaves the bytes to the
/// decoder or gives the same result.
@Suite struct PlainTextTests {
    private func body(_ text: String, mentions: [[UInt8]] = []) -> [UInt8] {
        var body = WireMessageBody()
        body.text = text
        body.mentions = mentions.map { Data($0) }
        return body.encodedBytes()
    }

    @Test(arguments: ["a", "Grüße, 船", String(repeating: "x", count: 127), String(repeating: "y", count: 128)])
    func readsATextAlone(text: String) {
        #expect(PlainText.read(body(text)) == text)
        let long = String(repeating: text, count: 20_000 / text.utf8.count)
        #expect(PlainText.read(body(long)) == long)
    }

    @Test(arguments: ["", "a", "Grüße, 船", String(repeating: "x", count: 127), String(repeating: "y", count: 20_000)])
    func writesWhatTheGeneralEncoderWrites(text: String) {
        #expect(PlainText.write(text) == body(text))
    }

    @Test func leavesTheRestToTheGeneralDecoder() {
        #expect(PlainText.read([]) == nil)
        #expect(PlainText.read(body("a", mentions: [[UInt8](repeating: 1, count: 32)])) == nil)
        #expect(PlainText.read([0x0A, 2, 0xC3, 0x28]) == nil)  // Not valid UTF-8.
        #expect(PlainText.read([0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]) == nil)
        #expect(PlainText.read([0x0A]) == nil)
    }

    @Test func neverContradictsTheGeneralDecoder() {
        let bytes = body("three words here")
        for place in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[place] ^= 1 << UInt8(bit)
                guard let text = PlainText.read(damaged) else { continue }
                #expect(WireMessageBody(decoding: damaged)?.text == text, "bit \(bit) of byte \(place)")
            }
            guard let text = PlainText.read(Array(bytes[..<place])) else { continue }
            #expect(WireMessageBody(decoding: Array(bytes[..<place]))?.text == text, "cut to \(place)")
        }
    }
}
