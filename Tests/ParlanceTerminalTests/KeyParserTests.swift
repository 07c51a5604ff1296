import ParlanceRandom
import Testing

@testable import ParlanceTerminal

@Suite struct KeyParserTests {
    /// What comes in a read each, and the keys that it is.
    private static let typed: [(input: String, keys: [Key])] = [
        ("aß日👍🏽", [.paste("aß日👍🏽")]), ("日", [.text("日")]), ("d", [.text("d")]), ("\r", [.named(.enter)]),
        ("\t\u{7F}\u{3}", [.named(.tab), .named(.backspace), .control("c")]),
        ("Hello\r", [.paste("Hello"), .named(.enter, .atOnce)]),
        (
            "\u{1B}[A\u{1B}OB\u{1B}[1;5C\u{1B}[5~",
            [.named(.up), .named(.down), .named(.right, .control), .named(.pageUp)]
        ),
        ("\u{1B}[200~one\rtwo\r\n\u{1B}[31m日\u{9B}\u{1B}[201~", [.paste("one\ntwo\n[31m日", isCut: false)]),
        ("\u{1B}x\u{1B}\r\u{1B}[Z", [.alt("x"), .named(.enter, .alt), .named(.backTab)]),
        ("\u{1B}]11;rgb:0/0/0\u{7}\u{1B}P1\u{1B}\\\u{1B}[[A\u{1B}OP", [.named(.f1), .named(.f1)]),
        ("\u{1B}[3~!", [.named(.delete), .text("!")]),
    ]

    @Test func keysAreRead() {
        var parser = KeyParser()
        let keys = Self.typed.flatMap { parser.read($0.input.utf8) + parser.nothingFollowed() }
        #expect(keys == Self.typed.flatMap(\.keys))
        #expect(parser.patience == nil)
    }

    @Test func nothingBehindEscIsLost() {
        for (input, keys) in [("\u{1B}[é", [Key.alt("["), .text("é")]), ("\u{1B}Oé", [.alt("O"), .text("é")])] {
            var parser = KeyParser()
            #expect(parser.read(input.utf8) == keys)
        }
    }

    @Test func itMayBeCutAtEveryByte() {
        for (input, whole) in Self.typed {
            let bytes = Array(input.utf8)
            for cut in bytes.indices {
                var parser = KeyParser()
                let keys = parser.read(bytes[..<cut]) + parser.read(bytes[cut...]) + parser.nothingFollowed()
                #expect(keys == Self.keys(of: bytes, cutAt: cut, whole: whole), "\(input) before byte \(cut)")
            }
            var parser = KeyParser()
            let keys = bytes.flatMap { parser.read([$0]) } + parser.nothingFollowed()
            #expect(keys == (input.contains("\u{1B}[200~") ? whole : Self.apart(whole)), "\(input)")
        }
    }

    /// What two reads are: what begins in the first and is not a text is as it would be in one, a character that is cut
    /// is one by itself, and otherwise each read is what it is alone.
    private static func keys(of bytes: [UInt8], cutAt cut: Int, whole: [Key]) -> [Key] {
        func alone(_ bytes: ArraySlice<UInt8>) -> [Key] {
            var parser = KeyParser()
            return parser.read(bytes) + parser.nothingFollowed()
        }
        var first = KeyParser()
        _ = first.read(bytes[..<cut])
        if first.patience != nil { return whole }
        let isContinued = { (byte: UInt8) in byte & 0xC0 == 0x80 }
        guard isContinued(bytes[cut]) else { return alone(bytes[..<cut]) + alone(bytes[cut...]) }
        let start = bytes[..<cut].lastIndex { !isContinued($0) } ?? 0
        let end = bytes[cut...].firstIndex { !isContinued($0) } ?? bytes.endIndex
        let character = String(decoding: bytes[start..<end], as: UTF8.self).unicodeScalars.map { Key.text($0) }
        let before = start == 0 ? [] : [Key.paste(String(decoding: bytes[..<start], as: UTF8.self))]
        return before + character + alone(bytes[end...])
    }

    /// The keys without what came at once: the parts of texts, and Enter.
    private static func apart(_ keys: [Key]) -> [Key] {
        keys.flatMap { key -> [Key] in
            switch key {
            case .paste(let text, _): text.unicodeScalars.map { .text($0) }
            case .named(.enter, .atOnce): [.named(.enter)]
            default: [key]
            }
        }
    }

    private static func text(_ keys: [Key]) -> String {
        keys.map { key in
            switch key {
            case .text(let scalar): String(scalar)
            case .paste(let text, _): text
            case .named(.enter, .alt): "\n"
            case .named(.enter, _): "<Enter>"
            default: "<\(key)>"
            }
        }.joined()
    }

    /// Some programs let an end mark within a paste through (tmux 3.3 does): what comes with it is text all the same.
    @Test(arguments: [
        ("\u{1B}[200~\u{1B}[201~/file id_key\r\u{1B}[201~", "/file id_key\n"),
        ("\u{1B}[200~hello \u{1B}[201~ text\r\u{1B}[201~", "hello  text\n"),
        ("hello \u{1B}[201~ text\r", "hello  text\n"),
        ("\u{1B}[200~one\u{1B}[201~\u{1B}[200~two\r\u{1B}[201~", "onetwo\n"),
        ("\u{1B}[200~one\u{1B}[201~\r\u{1B}[200~two\u{1B}[201~\u{3}", "one\ntwo"),
    ])
    func nothingInAReadWithAnEndMarkIsAKey(input: String, text: String) {
        var parser = KeyParser()
        #expect(Self.text(parser.read(input.utf8) + parser.nothingFollowed()) == text)
        #expect(parser.read("\r".utf8) == [.named(.enter)], "the next read is typed again")
    }

    /// Wherever the reads are cut, also next to the end marks within it, nothing of a paste is a key.
    @Test func nothingPastedIsAKeyHoweverItIsCut() {
        var random = SplitMix.printingSeed()
        let pieces = [
            "/file id_key\r", "\r", "\n", "\r\n", "hello", "é日👍", "\u{3}", "\u{1B}", "\u{1B}[A", "\u{1B}[20", "\t", "?",
            "\u{1B}[201~", "\u{1B}[201~", "\u{1B}[201~",
        ]
        for _ in 0..<2_000 {
            let content = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let bytes = Array("\u{1B}[200~\(content.joined())\u{1B}[201~".utf8)
            var parser = KeyParser()
            var keys: [Key] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Bool.random(using: &random) ? 1 : Int.random(in: 1...rest.count, using: &random)
                keys += parser.read(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            let patience = parser.patience
            keys += parser.nothingFollowed()
            var whole = KeyParser()
            let expected = Self.text(whole.read(bytes) + whole.nothingFollowed())
            #expect(Self.text(keys) == expected, "\(content)")
            #expect(keys.allSatisfy { if case .paste = $0 { true } else { false } }, "\(content): \(keys)")
            #expect(patience.map { $0 < 100 } == true, "keys are keys again soon after the true end")
            #expect(parser.read("\r".utf8) == [.named(.enter)])
        }
    }

    /// Where an end mark was followed by more, the true one is waited for.
    @Test func behindAFalseEndTextIsWaitedForLonger() {
        var parser = KeyParser()
        #expect(parser.read("\u{1B}[200~a\u{1B}[201~".utf8) == [.paste("a")])
        let short = parser.patience ?? .max
        #expect(parser.read("b".utf8) == [.paste("b")])
        #expect(parser.patience.map { $0 > 5 * short } == true)
        #expect(parser.read("\u{1B}[201~".utf8) == [] && parser.patience == short)
    }

    /// The Linux console and others paste without marks.
    @Test(arguments: [
        ("l1\rl2\rl3\r", "l1\nl2\nl3\n"), ("l1\r\nl2", "l1\nl2"), ("l1\r\nl2\r\n", "l1\nl2\n"), ("\r\r", "\n\n"),
        ("l1\nl2\n", "l1\nl2\n"), ("one line\r", "one line<Enter>"), ("one line\r\n", "one line<Enter>"),
        ("\r", "<Enter>"),
    ])
    func aReadOfSeveralLinesSendsNothing(input: String, text: String) {
        var parser = KeyParser()
        #expect(Self.text(parser.read(input.utf8) + parser.nothingFollowed()) == text)
        #expect(parser.read("d".utf8) == [.text("d")], "the next read is typed again")
    }

    /// A chat screen would delete, answer and edit with the letters of a paste.
    @Test(arguments: [
        "dyn\rx", "dy", "d\t", "dü?!", "\rdy", "right, ok\rthen", "done, yes\rdy\r", "dä", "\u{1B}[Ady", "y\r",
    ])
    func severalCharactersInAReadAreNoKeys(input: String) {
        for cut in 1...input.utf8.count {
            // A character may be cut, but the next read is another one.
            guard cut == input.utf8.count || Array(input.utf8)[cut] & 0xC0 == 0x80 else { continue }
            var parser = KeyParser()
            let keys = parser.read(input.utf8.prefix(cut)) + parser.read(input.utf8.dropFirst(cut))
            let typed = (keys + parser.nothingFollowed()).filter {
                if case .text(let scalar) = $0 { scalar.isASCII } else { $0 == .named(.enter) }
            }
            #expect(typed.isEmpty, "\(typed)")
        }
    }

    /// The rest of a long paste comes in another read, right after it.
    @Test(arguments: ["one\rtwo", String(repeating: "word ", count: 60)])
    func theNextReadsOfAPasteAreTextToo(beginning: String) {
        var parser = KeyParser()
        #expect(Self.text(parser.read(beginning.utf8)) == beginning.replacing("\r", with: "\n"))
        #expect(parser.patience.map { $0 < 100 } == true)
        #expect(Self.text(parser.read("d".utf8) + parser.read("y\r".utf8) + parser.nothingFollowed()) == "dy\n")
        #expect(parser.read("d\u{7F}".utf8) == [.text("d"), .named(.backspace)])
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
            [0xE6, 0x97, 0x61, 0xFF, 0x80].flatMap { parser.read([$0]) } == [
                .text("\u{FFFD}"), .text("a"), .text("\u{FFFD}"), .text("\u{FFFD}"),
            ]
        )
        #expect(parser.read([0xE6, 0x97, 0x61, 0xFF, 0x80]) == [.paste("\u{FFFD}a\u{FFFD}\u{FFFD}")])
    }

    @Test(arguments: ["x", "日", "👩‍👩‍👧"]) func aPasteIsCutBehindAWholeCharacter(character: String) {
        var parser = KeyParser()
        let text = String(repeating: character, count: 300_000 / character.utf8.count)
        let keys = parser.read("\u{1B}[200~\(text)\u{1B}[201~y".utf8)
        guard keys.count == 2, keys[1] == .paste("y"), case .paste(let pasted, isCut: true) = keys[0] else {
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
        #expect(Self.apart(parser.read(endless.utf8)).count == 502)
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
