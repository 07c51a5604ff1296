import ParlanceWords
import Testing

/// What a terminal is written in a locale that is not UTF-8.
@Suite struct CharsetTests {
    @Test(
        arguments: [
            ("de_DE.UTF-8", .utf8), ("C.utf8", .utf8), ("xx_YY.UTF-8", .utf8), ("de_DE.ISO-8859-1", .latin1),
            ("de_DE.iso88591", .latin1), ("de_DE.ISO8859-15", .latin9), ("de_DE@euro", .latin9), ("C", .ascii),
            ("POSIX", .ascii), ("", .ascii), ("ja_JP.EUC-JP", .ascii),
        ] as [(String, Charset)]
    )
    func theLocaleSaysIt(_ locale: String, _ charset: Charset) {
        #expect(Charset { $0 == "LANG" ? locale : nil } == charset)
        #expect(
            Charset { $0 == "LC_ALL" ? locale : $0 == "LANG" ? "C.UTF-8" : nil } == (locale.isEmpty ? .utf8 : charset)
        )
    }

    @Test func noByteIsACommand() {
        let text = "Grüße 🎈 € ž · \u{85}e\u{301} das Ende – „ja“"
        for charset in [Charset.latin1, .latin9, .ascii] {
            let bytes = charset.bytes(text)
            #expect(!bytes.contains { (0x80...0x9F).contains($0) }, "\(charset)")
        }
        #expect(Charset.latin1.bytes("Grüße €!") == Array("Gr".utf8) + [0xFC, 0xDF] + Array("e ?!".utf8))
        #expect(Charset.latin9.bytes("€ž¤") == [0xA4, 0xB8, UInt8(ascii: "?")])
        #expect(Charset.ascii.bytes("ü\u{1B}[0m") == Array("?\u{1B}[0m".utf8))
        #expect(Charset.utf8.bytes("ü🎈") == Array("ü🎈".utf8))
        #expect(Charset.ascii.bytes("🎈", width: 2) == Array("??".utf8))
    }
}
