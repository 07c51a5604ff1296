import Foundation
import Testing

@testable import ParlanceWords

@Suite struct CatalogueFileTests {
    private func entries(_ text: String) throws -> [CatalogueFile.Entry] {
        try CatalogueFile.entries(Array(text.utf8))
    }

    @Test func readsTextsWithEscapesAndSeveralLines() throws {
        let found = try entries(
            #"""
            # A comment.
            msgid ""
            msgstr "Language: de\n"

            msgid "One \"word\"."
            msgstr "Ein „Wort“."
            msgctxt "whom"
            msgid ""
            "two "
            "lines"
            msgstr "zwei\n"
            "\\Zeilen"
            """#
        )
        #expect(
            found == [
                .init(english: "One \"word\".", text: "Ein „Wort“.", line: 5),
                .init(hint: "whom", english: "two lines", text: "zwei\n\\Zeilen", line: 8),
            ]
        )
    }

    @Test(arguments: [
        ("msgid \"a\"\nmsgid \"b\"", 2),
        ("msgstr \"a\"", 1),
        ("\"a\"", 1),
        ("msgid \"a\"\nmsgstr \"b", 2),
        ("msgid \"a\"\nmsgstr \"b\"c\"", 2),
        ("msgid \"a\"\nmsgstr \"b\\x\"", 2),
        ("msgid \"a\"\nmsgid_plural \"b\"", 2),
        ("msgid \"a\"", 1),
        ("nonsense", 1),
    ])
    func saysWhichLineIsMalformed(_ text: String, _ line: Int) {
        #expect(throws: CatalogueFile.Fault(line: line)) { try entries(text) }
    }

    /// What is compiled in is the file of this checkout, and all of it can be read.
    @Test func theCatalogueIsCompiledIn() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources/CParlanceCatalogue/de.po")
        for entry in try CatalogueFile.entries(Array(Data(contentsOf: file))) {
            #expect(Catalogue.of(.german)?.text(for: entry.english, hint: entry.hint) == entry.text)
        }
    }
}
