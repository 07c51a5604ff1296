import ParlanceRandom
import ParlanceWords
import Testing

@testable import ParlanceControl

/// Arguments that are not UTF-8.
@Suite struct ArgumentTextTests {
    @Test func bytesComeBack() {
        for seed in UInt64(1)...200 {
            var random = SplitMix(seed: seed)
            let pieces: [[UInt8]] = [
                [0xFC], [0x41], Array("ü€🎈".utf8), [0xE2, 0x82], [0xF0, 0x9F], [0xEF, 0xB7, 0x93, 0xEF, 0xB7, 0xAF],
            ]
            let bytes = (0..<Int.random(in: 0...12, using: &random)).flatMap { _ in
                pieces.randomElement(using: &random) ?? []
            }
            let text = ArgumentText.text(bytes)
            #expect(ArgumentText.bytes(text) == bytes, "seed \(seed)")
            if !ArgumentText.isMarked(text) { #expect(Array(text.utf8) == bytes, "seed \(seed)") }
        }
    }

    @Test func textStaysAsItIs() {
        for text in ["", "Grüße", "e\u{301}", "🏴󠁧󠁢󠁥󠁮󠁧󠁿", "\u{FFFD}", "\u{FDCF}\u{FDF0}"] {
            #expect(ArgumentText.text(Array(text.utf8)) == text && !ArgumentText.isMarked(text))
        }
        #expect(ArgumentText.shown(ArgumentText.text([0x67, 0x72, 0xFC, 0x6E])) == "gr\\xFCn")
    }

    private struct Words {
        var plain = "a"
        var list: [String?] = [nil]
        var path = UserPath(bytes: [0xFC])
    }

    /// A path may be any bytes, and a text wherever it is may not.
    @Test func textsAreChecked() {
        let bad = ArgumentText.text([0xFC])
        #expect(throws: Never.self) { try ArgumentText.check(Words()) }
        for words in [Words(plain: bad), Words(list: [nil, "x", bad])] {
            let failure = #expect(throws: ControlFailure.self) { try ArgumentText.check(words) }
            #expect(failure?.exitCode == 65 && failure?.message.english == "The argument \\xFC is not valid UTF-8.")
        }
    }

    @Test func pathsAreTakenApart() {
        let latin1 = UserPath(bytes: Array("/mnt/".utf8) + [0xFC] + Array("/o.txt".utf8))
        #expect(latin1.parts.folder.bytes == Array("/mnt/".utf8) + [0xFC] && latin1.parts.name == "o.txt")
        #expect(UserPath("o").parts.folder == "." && UserPath("/o").parts.folder == "/")
        #expect(UserPath("a//").withoutSlashes == "a" && UserPath("/").withoutSlashes == "/")
        #expect(UserPath("/").appending("x") == "/x" && UserPath("a").appending("x") == "a/x")
        #expect(!latin1.isText && latin1.shown == "/mnt/\u{FFFD}/o.txt")
        #expect(UserPath(argument: latin1.argument) == latin1)
        #expect(UserPath(argument: "") == nil)
    }
}
