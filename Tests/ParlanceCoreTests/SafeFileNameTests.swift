import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import Testing

/// Names of files from strangers.
@Suite struct SafeFileNameTests {
    /// Pieces of which names are made by chance: what is dangerous, and what stands beside it.
    private static let pieces: [String] = [
        "/", "\\", ".", "..", " ", "\0", "\n", "\r", "\t", "\u{1b}[2J", "\u{7f}", "\u{85}", "\u{2028}", "\u{202e}",
        "\u{2066}", "\u{200b}", "\u{200c}", "\u{200d}", "\u{feff}", "\u{ad}", "<", ">", ":", "\"", "|", "?", "*", "CON",
        "con",
        "NUL", "aux", "COM1", "LPT²", "PRN", "CLOCK$", ".txt", ".tar.gz", "a", "é", "e\u{301}", "語", "می", "क्", "👨",
        "🏴",
        "\u{E0067}", "\u{E007F}", "\u{fe0f}", "\u{3164}", "\u{2800}", "\u{fffe}", "\u{301}", "\u{a0}", "(2)", "~", "-",
        "ß", "İ",
    ]

    private static func hostile(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<(1 + random.below(6)) {
            let piece = Array(pieces[Int(random.below(Int64(pieces.count)))].utf8)
            let times = random.below(8) == 0 ? Int(random.below(300)) : 1
            for _ in 0..<times { bytes += piece }
            if random.below(6) == 0 { bytes.append(UInt8(random.below(256))) }
        }
        return bytes
    }

    private static func expectSafe(_ name: SafeFileName, _ from: [UInt8]) {
        let scalars = name.text.unicodeScalars
        #expect((1...Limits.fileNameBytes).contains(name.text.utf8.count), "\(from)")
        #expect(!scalars.contains { "/\\<>:\"|?*".unicodeScalars.contains($0) }, "\(from)")
        #expect(!scalars.contains { $0.properties.generalCategory == .control }, "\(from)")
        #expect(
            !scalars.contains { (0x202A...0x202E).contains($0.value) || (0x2066...0x2069).contains($0.value) },
            "\(from)"
        )
        #expect(
            scalars.first != "." && scalars.last != "." && scalars.last?.properties.isWhitespace == false,
            "\(from)"
        )
        let stem = String(scalars.prefix { $0 != "." }).uppercased()
        #expect(!["CON", "NUL", "AUX", "PRN", "COM1", "LPT²", "CLOCK$"].contains(stem), "\(from)")
        #expect(SafeFileName(name.text).text.utf8.elementsEqual(name.text.utf8), "\(from): safe twice is safe once")
    }

    /// The specification is enough to make the same name of it.
    @Test func theAuditorMakesTheSameName() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5_000 {
            let name = String(decoding: Self.hostile(&random), as: UTF8.self)
            let (safe, plain) = (SafeFileName(name).text, PlainFileName(name).text)
            #expect(safe.utf8.elementsEqual(plain.utf8), "\(Array(name.utf8)): \(safe), not \(plain)")
        }
    }

    @Test func everyNameBecomesSafe() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var random = SeededGenerator(seed: seed)
        var existing: Set<SafeFileName> = []
        for round in 0..<5_000 {
            let bytes = Self.hostile(&random)
            let name = SafeFileName(bytes)
            Self.expectSafe(name, bytes)
            if round.isMultiple(of: 50) {
                let other = name.distinct(from: existing)
                Self.expectSafe(other, bytes)
                #expect(!existing.map(\.folded).contains(other.folded))
                existing.insert(other)
            }
        }
    }

    @Test(arguments: [
        "a", "Lunch menu.pdf", "Überweisung.odt", "Re\u{301}sume\u{301}.txt", "議事録（最終）.docx", "회의록.hwp",
        "протокол.txt", "مستند نهائي.pdf", "می\u{200c}خواهم.txt", "שלום.txt", "ประชุม.txt", "हिन्दी क्\u{200d}ष.txt",
        "ന്\u{200d}.txt", "👨\u{200d}👩\u{200d}👧.jpg", "❤\u{fe0f}\u{200d}🔥.png", "🏴󠁧󠁢󠁷󠁬󠁳󠁿.png", "a.b.c.tar.gz", "no extension",
        "50 % & more; [x] {y} #1 'z' $5 ~ `.txt",
        "-rf", " leading space", "CONTRACT.txt", "com10", "(2)", "a\u{a0}b.txt", "辻\u{e0100}.txt", "\u{e000}private",
        "ᄀ\u{1160}.txt",
    ])
    func anOrdinaryNameStaysAsItIs(_ name: String) {
        #expect(SafeFileName(name).text.utf8.elementsEqual(name.utf8))
    }

    /// A cut keeps the extension and no part of a character.
    @Test func aLongNameIsCutBetweenCharacters() {
        let family = "👨\u{200d}👩\u{200d}👧"
        let name = SafeFileName(String(repeating: family, count: 30) + ".jpg")
        #expect(name.text == String(repeating: family, count: 13) + ".jpg")
        #expect(family.utf8.count * 14 + 4 > Limits.fileNameBytes && name.parts.suffix == ".jpg")
        // One character that is too long is cut all the same.
        let marks = SafeFileName("a" + String(repeating: "\u{301}", count: 1_000) + ".txt")
        #expect(marks.text.hasSuffix(".txt") && (250...Limits.fileNameBytes).contains(marks.text.utf8.count))
    }

    @Test func aNumberStandsBeforeTheExtension() {
        func distinct(_ name: String, _ existing: String...) -> String {
            SafeFileName(name).distinct(from: Set(existing.map { SafeFileName($0) })).text
        }
        #expect(distinct("a.txt") == "a.txt" && distinct("a.txt", "b.txt") == "a.txt")
        #expect(distinct("a.txt", "a.txt") == "a (2).txt" && distinct("a.txt", "A.TXT", "a (2).txt") == "a (3).txt")
        #expect(distinct("a", "a") == "a (2)" && distinct("a.tar.gz", "a.tar.gz") == "a.tar (2).gz")
        #expect(distinct(".bashrc", "_bashrc") == "_bashrc (2)" && distinct("é", "e\u{301}") == "é (2)")
        let long = String(repeating: "x", count: 251) + ".txt"
        #expect(distinct(long, long) == String(repeating: "x", count: 243) + " (2).txt")
    }

    /// Ten thousand files of one name, and as many that become one when they are cut, take no square of their number.
    @Test func manyNamesAreToldApartQuickly() {
        var names = FileNameSet()
        let same = (0..<Limits.folderEntries).map { _ in names.insert(SafeFileName("a.txt")) }
        #expect(Set(same.map(\.folded)).count == Limits.folderEntries)
        #expect(same.last?.text == "a (\(Limits.folderEntries)).txt")
        let stem = String(repeating: "x", count: 247)
        let cut = (0..<Limits.folderEntries).flatMap { number in
            [
                names.insert(SafeFileName("\(stem)\(number)")),
                names.insert(SafeFileName("\(stem)\(number)".uppercased())),
            ]
        }
        #expect(Set(cut.map(\.folded)).count == 2 * Limits.folderEntries)
        #expect(cut.allSatisfy { $0.text.utf8.count <= Limits.fileNameBytes && names.contains($0) })
    }
}
