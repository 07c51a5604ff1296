import CZlib
import Foundation
import HTTPTypes
import HummingbirdCore
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
        let sources = Dictionary(uniqueKeysWithValues: PageAssets.sources.map { ($0.name, Array($0.bytes)) })
        for name in try names() {
            let source = try #require(sources[name], "\(name) is missing in page.c")
            let file = try Data(contentsOf: folder.appending(path: name))
            #expect(source == Array(file), "\(name)")
            let asset = try #require(PageAssets.all["/" + name])
            let isModule = name.hasSuffix(".js") && name != "worker.js"
            #expect(isModule || Array(asset.bytes.readableBytesView) == source, "\(name)")
        }
        #expect(PageAssets.all["/"]?.type == "text/html; charset=utf-8" && PageAssets.all["/no-such-file.js"] == nil)
    }

    /// A browser gets the smaller form, and each form has a tag of its own.
    @Test func filesAreCompressedForThoseWhoTakeIt() throws {
        let asset = try #require(PageAssets.all["/page.css"])
        func answer(_ encodings: String?, knows tag: String? = nil) throws -> Response {
            var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:7673", path: "/page.css")
            head.headerFields[.acceptEncoding] = encodings
            head.headerFields[.ifNoneMatch] = tag
            return PageAnswer.asset(asset, PageRequest(head))
        }
        let plain = try answer(nil)
        #expect(plain.headers[.contentEncoding] == nil && plain.headers[.vary] == "Accept-Encoding")
        #expect(plain.body.contentLength == asset.bytes.readableBytes)
        for none in ["gzip, br", "deflate;q=0", "deflate; q=0.0, gzip", "inflate"] {
            #expect(try answer(none).headers[.contentEncoding] == nil, "\(none)")
        }
        let packed = try answer("gzip, deflate;q=0.5, br")
        #expect(packed.headers[.contentEncoding] == "deflate")
        #expect(packed.body.contentLength == asset.deflated.readableBytes)
        #expect(asset.deflated.readableBytes * 2 < asset.bytes.readableBytes)
        var bytes = [UInt8](repeating: 0, count: asset.bytes.readableBytes)
        var count = UInt(bytes.count)
        let source = Array(asset.deflated.readableBytesView)
        #expect(uncompress(&bytes, &count, source, UInt(source.count)) == Z_OK)
        #expect(bytes == Array(asset.bytes.readableBytesView) && count == UInt(bytes.count))
        let tags = try [plain, packed].map { try #require($0.headers[.eTag]) }
        #expect(tags[0] != tags[1])
        #expect(try answer(nil, knows: tags[0]).status == .notModified)
        #expect(try answer("deflate", knows: tags[1]).status == .notModified)
        #expect(try answer("deflate", knows: tags[0]).status == .ok)
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

    private func words(in language: Language) throws -> [String: String] {
        let told = PageAssets.all.words(in: language)
        #expect(told["language"] == .string(language.rawValue))
        guard case .object(let words) = told["words"] else { return [:] }
        return try words.reduce(into: [:]) { found, member in
            guard case .string(let text) = member.value else { throw JSONFault() }
            found[member.key] = text
        }
    }

    private struct JSONFault: Error {}

    @Test func thePageSpeaksGerman() throws {
        #expect(try words(in: .german).count > 100)
        #expect(try words(in: .english).isEmpty)
    }

    /// A command that the page shows reaches this daemon, in each language.
    @Test(arguments: Language.allCases) func commandsNameTheDaemon(language: Language) throws {
        let told = try CommandOptions.$current.withValue(" --profile work") { try words(in: language) }
        let command = "parlance config set {1} {2}"
        #expect(told[command] == "parlance --profile work config set {1} {2}")
    }
}
