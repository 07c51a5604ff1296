import ParlanceCore
import ParlanceWire
import Testing

/// The number that people compare: the same for both sides, another for anybody else.
@Suite struct SafetyNumberTests {
    struct Vector: Decodable, Sendable, CustomTestStringConvertible {
        var name, one, other, number, shownByOne, shownByOther: String
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("safety-number", as: Vector.self))
    func vectorsAgree(_ vector: Vector) throws {
        let (one, other) = (try peer(vector.one), try peer(vector.other))
        let number = SafetyNumber(one, other)
        #expect(number.groups.joined(separator: " ") == vector.number)
        #expect(number == SafetyNumber(other, one), "both see the same")
        #expect(VerificationCode.text(of: one, for: other) == vector.shownByOne)
        #expect(VerificationCode.text(of: other, for: one) == vector.shownByOther)
    }

    /// The test of Signal's own library, with its version 0 and its names.
    @Test func theConstructionIsSignals() throws {
        let alice = try hex("0506863bc66d02b40d27b8d49ca7c09e9239236f9d7d25d6fcca5ce13c7064d868")
        let bob = try hex("05f781b6fb32fed9ba1cf2de978d4d5da28dc34046ae814402b5c0dbd96fda907b")
        let halves = [(alice, "+14152222222"), (bob, "+14153333333")].map { key, name in
            SafetyNumber.half(of: key, name: Array(name.utf8), version: 0)
        }
        #expect(halves.sorted().joined() == "300354477692869396892869876765458257569162576843440918079131")
    }

    @Test func aScannedCodeIsComparedWhole() throws {
        let (ada, bob, eve) = (try EngineBench.peer(1), try EngineBench.peer(2), try EngineBench.peer(3))
        let shown = VerificationCode.text(of: bob, for: ada)
        func compare(_ text: String) -> VerificationCode.Finding {
            VerificationCode.compare(text, from: bob, to: ada)
        }
        #expect(compare(shown) == .same)
        #expect(compare(" \(shown.lowercased())\n") == .same, "however it was copied")
        #expect(compare(VerificationCode.text(of: ada, for: bob)) == .own)
        for other in [(eve, ada), (bob, eve), (eve, bob), (ada, ada)] {
            #expect(compare(VerificationCode.text(of: other.0, for: other.1)) == .different)
        }
        let slip = shown.dropLast() + (shown.hasSuffix("A") ? "B" : "A")
        for text in ["", "hello", String(slip), shown + ":", "X" + shown, shown.replacing(":1:", with: ":2:")] {
            #expect(compare(text) == .foreign, "\(text)")
        }
    }
}
