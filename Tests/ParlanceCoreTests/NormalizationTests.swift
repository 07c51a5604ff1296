import Foundation
import ParlanceRandom
import Testing

@testable import ParlanceCore

/// Normalization says what Foundation says, for every character that both know.
@Suite struct NormalizationTests {
    /// Newer ones are left out, since Debian 12's utf8proc and Foundation need not know the same.
    private static let known: [Unicode.Scalar] = (0...0x10FFFF).compactMap { Unicode.Scalar($0) }.filter { scalar in
        scalar.properties.age.map { $0.major <= 14 } ?? false
    }

    private func expectSame(_ text: String, _ comment: Comment? = nil) {
        // By bytes, since equality of strings is equality after normalization.
        #expect(Array(text.composed.utf8) == Array(text.precomposedStringWithCanonicalMapping.utf8), comment)
        #expect(
            Array(text.compatiblyDecomposed.utf8) == Array(text.decomposedStringWithCompatibilityMapping.utf8),
            comment
        )
    }

    @Test func everyCharacterAlone() {
        #expect(Self.known.count > 100_000)
        for start in stride(from: 0, to: Self.known.count, by: 500) {
            // A letter between them keeps accents from meeting.
            let some = Self.known[start..<min(start + 500, Self.known.count)]
            expectSame(some.map { String($0) }.joined(separator: "x"), "\(some.first?.value ?? 0)")
        }
    }

    @Test func accentsInEveryOrder() {
        var random = SplitMix.printingSeed()
        let marks = Self.known.filter { $0.properties.canonicalCombiningClass != .notReordered }
        let bases = Array("aeo가각ᄀがΩåſﬁ".unicodeScalars)
        for _ in 0..<2_000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<4 {
                if let base = bases.randomElement(using: &random) { text.append(base) }
                for _ in 0..<Int.random(in: 0...4, using: &random) {
                    if let mark = marks.randomElement(using: &random) { text.append(mark) }
                }
            }
            expectSame(String(text), "\(text.map { String($0.value, radix: 16) })")
        }
    }

    @Test(arguments: ["", "plain", "\u{0}a\u{301}", "a\u{301}"]) func whatIsShortToo(text: String) {
        expectSame(text)
    }
}
