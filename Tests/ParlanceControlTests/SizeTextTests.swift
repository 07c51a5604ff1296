import ParlanceTexts
import ParlanceWords
import Testing

/// Numbers of bytes, as people type and read them.
@Suite struct SizeTextTests {
    @Test func sizesAreRead() {
        let sizes: [(String, UInt64)] = [
            ("0 B", 0), ("1B", 1), ("512 b", 512), ("10 MiB", 10 << 20), ("10mib", 10 << 20), ("1.5 GiB", 3 << 29),
            ("0.25 KiB", 256), ("1.000001 KiB", 1_024), ("1 TiB", 1 << 40), ("16777215 TiB", 16_777_215 << 40),
        ]
        for (text, bytes) in sizes { #expect(SizeText.bytes(of: text) == bytes, "\(text)") }
    }

    @Test(arguments: [
        "", "10", "MiB", "10 MB", "10 M", "-1 B", "+1 B", "1. KiB", ".5 KiB", "1.2.3 KiB", "1,5 GiB", "1 KiB B", " 1 B",
        "1e3 B", "١ B", "16777216 TiB", "16777215.9999999 TiB", "99999999999999999999 B", "1.1234567 GiB", "off",
    ])
    func othersAreNot(text: String) { #expect(SizeText.bytes(of: text) == nil) }

    /// A part of a sentence whose reader is not known yet is in the reader's language, too.
    @Test func aSizeIsInTheLanguageOfItsReader() {
        let part = FileText.phrase(1_331)
        #expect(say(part) == "1.3 KiB" && FileText.size(1_331) == "1.3 KiB")
        Language.$current.withValue(.german) { #expect(say(part) == "1,3 KiB") }
    }

    @Test func whatIsTypedIsTheSameNumber() {
        let sizes: [(UInt64, String)] = [
            (0, "0 B"), (999, "999 B"), (1_024, "1 KiB"), (1_536, "1.5 KiB"), (1_280, "1.25 KiB"), (1_025, "1025 B"),
            (10 << 20, "10 MiB"), (3 << 29, "1.5 GiB"), (1 << 50, "1024 TiB"), (1_600_000, "1562.5 KiB"),
        ]
        for (bytes, text) in sizes {
            #expect(SizeText.typed(bytes) == text)
            #expect(SizeText.bytes(of: text) == bytes)
        }
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let bytes = UInt64.random(in: 0...UInt64.max, using: &random) >> UInt64.random(in: 0...63, using: &random)
            #expect(SizeText.bytes(of: SizeText.typed(bytes)) == bytes, "\(bytes)")
        }
    }
}
