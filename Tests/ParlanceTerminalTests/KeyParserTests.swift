import Testing

@testable import ParlanceTerminal

@Suite struct KeyParserTests {
    private static let input =
        "aß日👍🏽\r\t\u{7F}\u{3}\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[5~\u{1B}[200~one\rtwo\r\n\u{1B}[31m日\u{9B}\u{1B}[201~"
        + "\u{1B}x\u{1B}\r\u{1B}[Z\u{1B}]11;rgb:0/0/0\u{7}\u{1B}P1\u{1B}\\\u{1B}[[A\u{1B}OP\u{1B}[3~!"

    private static let keys: [Key] = [
        .text("a"), .text("ß"), .text("日"), .text("👍"), .text("🏽"), .named(.enter), .named(.tab), .named(.backspace),
        .control("c"), .named(.up), .named(.down), .named(.right, .control), .named(.pageUp),
        .paste("one\ntwo\n[31m日"), .alt("x"), .named(.enter, .alt), .named(.backTab), .named(.f1), .named(.f1),
        .named(.delete), .text("!"),
    ]

    @Test func keysAreRead() {
        var parser = KeyParser()
        #expect(parser.read(Self.input.utf8) == Self.keys)
        #expect(!parser.isUndecided)
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
        #expect(parser.isUndecided)
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

    @Test func aPasteIsBounded() {
        var parser = KeyParser()
        let text = String(repeating: "x", count: 300_000)
        let keys = parser.read("\u{1B}[200~\(text)\u{1B}[201~y".utf8)
        #expect(keys.count == 2 && keys.last == .text("y"))
        guard case .paste(let pasted) = keys.first else { return }
        #expect(pasted.utf8.count == 65_536)
    }

    @Test func anyBytesAreRead() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(state: seed)
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
