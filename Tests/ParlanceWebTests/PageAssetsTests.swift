import Foundation
import NIOCore
import ParlanceControl
import ParlanceWords
import Testing

@testable import ParlanceWeb

@Suite struct PageAssetsTests {
    private let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Sources/CParlancePage/assets")

    private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    @Test func everyFileOfThePageIsCompiledIn() throws {
        #expect(try names().count > 10)
        for name in try names() {
            let asset = try #require(PageAssets.all["/" + name], "\(name) is missing in page.c")
            let file = try Data(contentsOf: folder.appending(path: name))
            #expect(Array(asset.bytes.readableBytesView) == Array(file), "\(name)")
        }
        #expect(PageAssets.all["/"]?.type == "text/html; charset=utf-8" && PageAssets.all["/no-such-file.js"] == nil)
    }

    /// The policy of the page forbids what these need; a text must never become HTML.
    @Test func noModuleMakesHTMLOfText() throws {
        let banned = [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function",
            "setAttribute(\"style\"", "setAttribute('style'", "fetch(\"http", "fetch('http", "importScripts(\"http",
        ]
        for name in try names() where name.hasSuffix(".js") {
            let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
            for word in banned { #expect(!text.contains(word), "\(name)") }
        }
        let index = try String(contentsOf: folder.appending(path: "index.html"), encoding: .utf8)
        for word in ["<style", "onclick", "style=\"", "http:", "https:"] { #expect(!index.contains(word)) }
    }

    @Test func sentencesAreFound() {
        let code = """
            const a = say("One {1}.", name), b = say( 'It is "two".') + essay("no");
            say(key); text.say("no"); say(`three`);
            """
        #expect(PageSentences.all(in: code) == ["One {1}.", "It is \"two\".", "three"])
    }

    @Test func thePageSpeaksGerman() {
        guard case .object(let words) = PageAssets.all.words(in: .german) else {
            Issue.record("there are no words")
            return
        }
        #expect(words.count > 100)
        #expect(PageAssets.all.words(in: .english) == .object([]))
    }
}
