import Foundation
import Testing

@testable import ParlanceControl

/// The file of what was begun and not sent.
@Suite struct DraftFileTests {
    private func within(_ body: (DraftFile, String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "drafts-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(try #require(DraftFile(in: folder + "/state", of: "adaada")), folder + "/state")
    }

    private func draft(_ who: String, _ text: String) -> KeptDraft { KeptDraft(who: who, text: text) }

    @Test func whatIsKeptIsReadAgainAndWhatIsEmptyIsRemoved() throws {
        try within { file, folder in
            #expect(file.read().isEmpty)
            let answer = KeptDraft(who: "b", text: "ünd\n\"so\"", answers: "m1", aside: "aside", about: "m2")
            try file.apply([draft("a", "one"), answer])
            #expect(file.read() == [draft("a", "one"), answer])
            // Another screen keeps a draft of its own.
            try file.apply([draft("c", "three")])
            try file.apply([draft("a", "")])
            #expect(file.read() == [answer, draft("c", "three")])
            try file.apply([KeptDraft(who: "b"), KeptDraft(who: "c"), KeptDraft(who: "never")])
            #expect(file.read().isEmpty)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
        }
    }

    @Test func onlyItsOwnerReadsWhatWasBegun() throws {
        try within { file, folder in
            try file.apply([draft("a", "one")])
            for (path, wanted) in [(file.path, 0o600), (folder, 0o700)] {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == wanted)
            }
            chmod(folder, 0o777)
            #expect(throws: ControlFailure.self) { try file.apply([draft("b", "two")]) }
            chmod(folder, 0o700)
            #expect(file.read() == [draft("a", "one")])
        }
    }

    @Test func whatIsNoFileOfDraftsCountsAsEmpty() throws {
        try within { file, _ in
            try file.apply([draft("a", "one")])
            for text in ["", "nonsense", "[]", #"{"version":1}"#, #"{"version":1,"drafts":[{"who":7}]}"#] {
                try Data(text.utf8).write(to: URL(filePath: file.path))
                #expect(file.read().isEmpty, "\(text)")
                try file.apply([draft("b", "two")])
                #expect(file.read() == [draft("b", "two")], "after \(text)")
            }
            try FileManager.default.removeItem(atPath: file.path)
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/etc/passwd")
            #expect(file.read().isEmpty)
        }
    }

    @Test func theFileOfALaterVersionStays() throws {
        try within { file, _ in
            try file.apply([draft("a", "one")])
            let later = Data(#"{"version":2,"drafts":[]}"#.utf8)
            try later.write(to: URL(filePath: file.path))
            try file.apply([draft("b", "two")])
            #expect(try Data(contentsOf: URL(filePath: file.path)) == later && file.read().isEmpty)
        }
    }

    @Test func theOldestGoFirst() throws {
        try within { file, _ in
            let most = ControlLimits.drafts
            try file.apply((0..<most).map { draft("w\($0)", "text") })
            try file.apply([draft("w0", "changed"), draft("new", "text")])
            let whos = file.read().map(\.who)
            #expect(whos.count == most && !whos.contains("w1") && whos.suffix(2) == ["w0", "new"])
            // Escaped they could be six times as long: two of them fill the file.
            let long = String(repeating: "x", count: ControlLimits.draftTextBytes)
            try file.apply((0..<4).map { draft("l\($0)", long) })
            let drafts = file.read()
            #expect(drafts.suffix(2).map(\.who) == ["l2", "l3"] && drafts.suffix(2).allSatisfy { $0.text == long })
            #expect(drafts.contains { $0.who == "w0" } && !drafts.contains { ["l0", "l1"].contains($0.who) })
        }
    }

    /// What was written can be read, whatever the text is.
    @Test func aDraftOfTheGreatestSizeFits() throws {
        let text = String(repeating: "\u{1}", count: ControlLimits.draftTextBytes)
        let draft = KeptDraft(who: String(repeating: "w", count: 56), text: text, edits: "m", aside: text)
        #expect(draft.mostBytes <= ControlLimits.draftFileBytes)
        let escaped = KeptDraft(who: "w", text: String(repeating: "\u{1}", count: 100), answers: "m", about: "n")
        let json = JSONWriter.text(try JSONValueEncoder.encode(escaped))
        #expect((600...escaped.mostBytes).contains(json.utf8.count))
    }

    @Test func aTextIsCutBetweenCharacters() throws {
        try within { file, _ in
            let bytes = ControlLimits.draftTextBytes
            try file.apply([draft("a", "x" + String(repeating: "ü", count: bytes))])
            let text = try #require(file.read().first?.text)
            #expect(text == "x" + String(repeating: "ü", count: (bytes - 1) / 2))
            #expect(draft("a", String(repeating: "x", count: bytes)).bounded.text.utf8.count == bytes)
        }
    }

    @Test func anIDIsNoPath() {
        for owner in ["", "../x", "a/b", "A", "a.b", String(repeating: "a", count: 129)] {
            #expect(DraftFile(in: "/tmp", of: owner) == nil, "\(owner)")
        }
    }
}
