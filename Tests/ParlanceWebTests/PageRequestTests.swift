import HTTPTypes
import ParlanceWords
import Testing

@testable import ParlanceWeb

@Suite struct PageRequestTests {
    private func request(_ path: String, _ fields: [(String, String)] = []) throws -> PageRequest {
        var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:7673", path: path)
        for (name, value) in fields {
            head.headerFields.append(HTTPField(name: try #require(HTTPField.Name(name)), value: value))
        }
        return PageRequest(head)
    }

    @Test func aTargetIsReadOnce() throws {
        let read = try request("/files/abc?name=t%C3%A4st%26x.bin&keep-metadata=1&name=other&empty")
        #expect(read.path == "/files/abc" && read.host == "127.0.0.1:7673")
        #expect(read.query == ["name": "täst&x.bin", "keep-metadata": "1", "empty": ""])
    }

    @Test(arguments: ["/%", "/%4", "/%zz", "/%+1", "/%FF", "/%C3%28"])
    func whatIsNoTextNamesNothing(_ path: String) throws {
        let read = try request(path)
        #expect(read.path.isEmpty && PageRoute(.get, read.path) == nil)
    }

    @Test(arguments: ["/../index.html", "//index.html", "/%2e%2e/page.js", "/index.html/", "/assets/index.html", ""])
    func onlyTheNamesOfThePageAreServed(_ path: String) throws {
        #expect(PageRoute(.get, try request(path).path) == nil)
    }

    @Test func everyRouteHasItsAccess() {
        #expect(PageRoute(.get, "/")?.access == PageGate.Access.anyBrowser)
        #expect(PageRoute(.get, "/launch")?.access == PageGate.Access.anyBrowser)
        #expect(PageRoute(.post, "/rpc")?.access == PageGate.Access.page)
        #expect(PageRoute(.post, "/files")?.access == PageGate.Access.page)
        #expect(PageRoute(.get, "/events")?.access == PageGate.Access.page)
        #expect(PageRoute(.get, "/files/abc")?.access == PageGate.Access.knownBrowser)
        #expect(PageRoute(.get, "/rpc") == nil && PageRoute(.post, "/") == nil && PageRoute(.put, "/files") == nil)
    }

    @Test(arguments: [
        ("de-AT,de;q=0.9,en;q=0.8", Language.german), ("fr,de;q=0.5", .german), ("en-US,de", .english), ("", .english),
        ("*", .english), (" de ", .german),
    ])
    func theLanguageIsTheFirstThatIsSpoken(_ accepted: String, _ language: Language) throws {
        #expect(try request("/", [("Accept-Language", accepted)]).language == language)
    }

    @Test func cookiesAndHeadersAreRead() throws {
        let read = try request(
            "/rpc",
            [
                ("Cookie", "a=1; parlance_7673=abc; a=2"), ("Origin", "http://x"), ("Sec-Fetch-Site", "none"),
                ("Parlance-Page", "1"), ("Parlance-Tab", "r-1"), ("Last-Event-ID", "r-7"),
            ]
        )
        #expect(read.cookies == ["a": ["1", "2"], "parlance_7673": ["abc"]])
        #expect(read.origin == "http://x" && read.fetchSite == "none" && read.isOfPage)
        #expect(read.tab == "r-1" && read.lastEventID == "r-7")
        #expect(try request("/rpc", [("Parlance-Page", "yes")]).isOfPage == false)
    }

    @Test func ofTwoHostsNeitherCounts() throws {
        #expect(try request("/").host == "127.0.0.1:7673")
        #expect(try request("/", [("Host", "evil.test")]).host == nil)
    }

    @Test func aDownloadHasItsNameInAnyScript() {
        let expected = "attachment; filename=\"t_____.txt\"; filename*=UTF-8''t%C3%A4%22s%0A%3B.txt"
        #expect(PageDownload.disposition("tä\"s\n;.txt") == expected.replacing("t_____", with: "t__s__"))
        #expect(PageDownload.disposition("") == "attachment")
    }
}
