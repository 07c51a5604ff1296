import Foundation
import ParlanceErrorCode
import Testing

@testable import ParlanceWeb
@testable import ParlanceWords

@Suite struct PhraseTests {
    private static let catalogue = "Sources/CParlanceCatalogue/de.po"

    @Test func everyPhraseHasItsTextInGerman() throws {
        let page = try SourceTree.pageModules().flatMap { PageSentences.all(in: $0.text) }
        let phrases =
            Set(try SourceTree.files(in: "Sources").flatMap(PhraseRule.phrases))
            .union(page.map { PhraseRule.Found(key: $0, hint: nil) })
        let entries = try CatalogueFile.entries(Array(try SourceTree.text(Self.catalogue).utf8))
        for violation in PhraseRule.differences(phrases, entries, at: Self.catalogue) {
            Issue.record(Comment(rawValue: violation.description))
        }
    }

    @Test func phrasesArePlainEnglish() throws {
        for entry in try CatalogueFile.entries(Array(try SourceTree.text(Self.catalogue).utf8)) {
            let faults = PlainEnglishRule.faults(in: entry.english)
            #expect(faults.isEmpty, "\(entry.english)")
        }
    }

    /// German quotation marks are „…“. Straight ones are typed: in a command, a search or a setting.
    @Test func quotationMarksAreGerman() throws {
        let typed = ["ask \"", "[\"", "in:\"", "from:NAME", " \" * /"]
        for entry in try CatalogueFile.entries(Array(try SourceTree.text(Self.catalogue).utf8)) {
            guard !typed.contains(where: { entry.text.contains($0) }) else { continue }
            #expect(!entry.text.contains { "\"'`".contains($0) }, "\(entry.text)")
            #expect(entry.text.count { $0 == "„" } == entry.text.count { $0 == "“" }, "\(entry.text)")
        }
    }

    @Test(
        arguments: [
            ("\"{1}\" is no day.", 1), ("There is no day.", 0), ("It is no longer there.", 0),
            ("Put it behind the colon.", 1), ("The clock is behind this one.", 0), ("It stands in the text.", 1),
            ("The mark stands for a verified person.", 0), ("a message is shown no more", 2),
            ("You get no more messages.", 0), ("This says what became of it.", 1),
        ]
    )
    func translatedPatternsAreFound(_ phrase: String, _ count: Int) {
        #expect(PlainEnglishRule.faults(in: phrase).count == count)
    }

    @Test func whatPeopleReadIsAPhrase() throws {
        for violation in try SourceTree.files(in: "Sources").flatMap(PhraseRule.violations) {
            Issue.record(Comment(rawValue: violation.description))
        }
    }

    /// A rule over folders that were renamed would always pass.
    @Test func theFacesAreFound() throws {
        let paths = try SourceTree.files(in: "Sources").map(\.path)
        for face in PhraseRule.faces { #expect(paths.contains { $0.hasPrefix(face) }, "\(face)") }
    }

    @Test func everyAllowanceMatches() throws {
        let files = try SourceTree.files(in: "Sources")
        for (path, allowed) in PhraseRule.asTheyAre {
            let file = try #require(files.first { $0.path == path }, "\(path)")
            let unused = allowed.subtracting(PhraseRule.literals(in: file).map(\.key))
            #expect(unused.isEmpty, "\(path)")
        }
    }

    @Test func differencesWithTheCatalogueAreFound() throws {
        let phrases: Set<PhraseRule.Found> = [
            .init(key: "Delivered to {1}.", hint: nil), .init(key: "you", hint: "whom"), .init(key: "New", hint: nil),
        ]
        let entries: [CatalogueFile.Entry] = [
            .init(english: "Delivered to {1}.", text: "Zugestellt.", line: 1),
            .init(english: "you", text: "du", line: 2),
            .init(english: "New", text: "Neu", line: 3), .init(english: "New", text: "", line: 4),
        ]
        #expect(
            PhraseRule.differences(phrases, entries, at: "de.po").map(\.description) == [
                "de.po:1: \"Delivered to {1}.\": has other values",
                "de.po:2: \"you\": no source says this",
                "de.po:4: \"New\": is here twice",
                "de.po:4: \"New\": has no text",
                "de.po:0: \"you\" (whom) is missing",
            ]
        )
    }

    private func file(_ code: String) -> SourceFile {
        SourceFile(path: "\(PhraseRule.faces[0])", text: code)
    }

    @Test func phrasesAreFoundWithTheirValues() {
        let code = #"""
            let a = say("Delivered to \(names("x y", at: 3)) and \(count) more.")
            let b = say(isOne ? "It is \"here\"." : "They are here.") + Phrase("you", hint: "whom").english
            let c = ControlError(.busy, "Too much \u{2713}.", advice: isOne ? "Wait." : "Wait a minute.")
            let d = say("""
                One line \
                goes on.
                  A second.
                """)
            let e = say(["NAME", "ID"]), f = names["no phrase"], g = say(names["key"])
            let h = TextTable(["LINK", ""], wrapsLast: true), i = TextTable.Cell("-")
            """#
        #expect(
            PhraseRule.phrases(in: file(code)).map(\.key) == [
                "Delivered to {1} and {2} more.", "It is \"here\".", "They are here.", "you", "Too much ✓.",
                "Wait a minute.", "One line goes on.\n  A second.", "NAME", "ID", "LINK",
            ]
        )
        #expect(PhraseRule.phrases(in: file(code)).compactMap(\.hint) == ["whom"])
    }

    @Test(arguments: [
        (#"let a = "Nobody is here.""#, true),
        (#"let a = "\(name) is here""#, true),
        (#"let a = say("Nobody " + "is here.")"#, true),
        (#"let a = say("\(name) \(isOne ? "is it" : "are they")")"#, true),
        (#"let a = say("\(name) \(isOne ? "is" : "are") here")"#, true),
        (#"let a = say("Nobody is here.")"#, false),
        (#"let a = say("Write: \(words["name"])\(isAll ? "--all " : "")")"#, false),
        (#"let a = ControlError(.busy, "Nobody is here.", advice: "Ask somebody.")"#, false),
        (#"let a = "NAME""#, false),
        (#"let a = names.map { "\"\($0)\"" }"#, true),
        (#"let a = Phrase("\"\(name)\"", hint: "quote")"#, false),
        (#"let a = "\(name): \(text)""#, false),
        (#"logger.info("links are full")"#, false),
        (#"@Option(help: "The name of somebody.") var name: String"#, false),
        (#"precondition(isOne, "There is one.")"#, false),
        (#"// "Nobody is here.""#, false),
    ])
    func sentencesHaveToBePhrases(_ code: String, _ isBroken: Bool) {
        #expect(PhraseRule.violations(in: file(code)).isEmpty != isBroken)
    }
}
