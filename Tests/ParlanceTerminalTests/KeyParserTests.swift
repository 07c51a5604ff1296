import ParlanceRandom
import Testing

@testable import ParlanceTerminal

@Suite struct KeyParserTests {
    private static let input =
        "aß日👍🏽\r\t\u{7F}\u{3}\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[5~\u{1B}[200~one\rtwo\r\n\u{1B}[31m日\u{9B}\u{1B}[201~"
        + "\u{1B}x\u{1B}\r\u{1B}[Z\u{1B}]11;rgb:0/0/0\u{7}\u{1B}P1\u{1B}\\\u{1B}[[A\u{1B}OP\u{1B}[3~!"

    private static let keys: [Key] = [
        .text("a"), .text("ß"), .text("日"), .text("👍"), .text("🏽"), .named(.enter), .named(.tab), .named(.backspace),
        .control("c"), .named(.up), .named(.down), .named(.right, .control), .named(.pageUp),
        .paste("one\ntwo\n[31m日", isCut: false), .alt("x"), .named(.enter, .alt), .named(.backTab), .named(.f1),
        .named(.f1),
        .named(.delete), .text("!"),
    ]

    @Test func keysAreRead() {
        var parser = KeyParser()
        #expect(parser.read(Self.input.utf8) == Self.keys)
        #expect(parser.patience == nil)
    }

    @Test func itMayBeCutAtEveryByte() {
        let bytes = Array(Self.input.utf8)
        for cut in bytes.indices {
            var parser = KeyParser()
            let keys = parser.read(bytes[..<cut]) + parser.read(bytes[cut...])
            #expect(keys == Self.keys, "cut before byte \(cut)")
        }
        var parser = KeyParser()
        #expect(bytes.flatMap { parser.read([$0]) } == Self.keys)
    }

    @Test func anEscapeAloneIsAKeyOnceNothingFollows() {
        var parser = KeyParser()
        #expect(parser.read([0x1B]) == [])
        #expect(parser.patience != nil)
        #expect(parser.nothingFollowed() == [.named(.escape)])
        #expect(parser.nothingFollowed() == [])
        #expect(parser.read("\u{1B}\u{1B}".utf8) + parser.nothingFollowed() == [.named(.escape), .named(.escape)])
    }

    @Test func brokenBytesAreShownAsSuch() {
        var parser = KeyParser()
        #expect(
            parser.read([0xE6, 0x97, 0x61, 0xFF, 0x80]) == [
                .text("\u{FFFD}"), .text("a"), .text("\u{FFFD}"), .text("\u{FFFD}"),
            ]
        )
    }

    @Test(arguments: ["x", "日", "👩‍👩‍👧"]) func aPasteIsCutBehindAWholeCharacter(character: String) {
        var parser = KeyParser()
        let text = String(repeating: character, count: 300_000 / character.utf8.count)
        let keys = parser.read("\u{1B}[200~\(text)\u{1B}[201~y".utf8)
        guard keys.count == 2, keys[1] == .text("y"), case .paste(let pasted, isCut: true) = keys[0] else {
            Issue.record("\(keys.count) keys")
            return
        }
        #expect((65_400...65_536).contains(pasted.utf8.count))
        #expect(pasted.allSatisfy { $0 == Character(character) })
    }

    @Test func aPasteWithoutAnEndHoldsNoKeysForEver() {
        var parser = KeyParser()
        #expect(parser.read("\u{1B}[200~half".utf8) == [])
        #expect(parser.patience != nil)
        #expect(parser.nothingFollowed() == [.paste("half", isCut: false)])
        #expect(parser.read("y".utf8) == [.text("y")])
    }

    /// What was typed behind an ESC comes, whatever sequence it looks like.
    @Test(arguments: ["Perhaps, Bob", "Xylophone", "_name_", "^up", "]] quoted"])
    func whatIsTypedBehindAnEscapeIsNotSwallowed(text: String) {
        var parser = KeyParser()
        let keys = parser.read("\u{1B}\(text)".utf8) + parser.nothingFollowed()
        #expect(keys == [.named(.escape)] + text.unicodeScalars.map { .text($0) })
        let more = parser.read("\u{1B}\(text)\u{3}\r".utf8)
        #expect(more.suffix(2) == [.control("c"), .named(.enter)] && more.count == text.count + 3)
    }

    @Test func aBegunSequenceHoldsNoKeysBack() {
        var parser = KeyParser()
        for (bytes, key) in [
            ("\u{1B}O", Key.alt("O")), ("\u{1B}[", .alt("[")), ("\u{1B}P", .alt("P")), ("\u{1B}[1;", .unknown),
        ] {
            #expect(parser.read(bytes.utf8) == [])
            #expect(parser.patience != nil)
            #expect(parser.nothingFollowed() == [key])
            #expect(parser.patience == nil)
        }
        #expect(parser.read("\u{1B}Ok".utf8) == [.alt("O"), .text("k")])
        #expect(parser.read("\u{1B}[1\r".utf8) == [.unknown, .named(.enter)])
        #expect(parser.read("\u{1B}\u{3}".utf8) == [.named(.escape), .control("c")])
        let endless = "\u{1B}]" + String(repeating: "a", count: 500)
        #expect(parser.read(endless.utf8).count == 502)
    }

    @Test func lettersBeyondASCIIComeWithAlt() {
        var parser = KeyParser()
        #expect(parser.read("\u{1B}ö日".utf8) == [.text("ö"), .text("日")])
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "99999999999999999999", "0", "255", "256"])
    func numbersOfAnySizeAreRead(number: String) {
        var parser = KeyParser()
        #expect(parser.read("\u{1B}[1;\(number)A".utf8).count == 1)
        #expect(parser.read("\u{1B}[\(number)~".utf8).count == 1)
    }

    @Test func anyBytesAreRead() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        var parser = KeyParser()
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0..<40, using: &random)).map { _ in
                Bool.random(using: &random) ? UInt8.random(in: 0...255, using: &random) : UInt8(ascii: "[")
            }
            for case .text(let scalar) in parser.read(bytes) {
                #expect(scalar.properties.generalCategory != .control, "seed \(seed)")
            }
        }
    }
}
