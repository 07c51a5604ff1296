import HTTPTypes
import ParlanceControl
import ParlanceErrorCode
import Testing

@testable import ParlanceWeb

@Suite struct PageGateTests {
    private let gate = PageGate(port: 7673)

    private func request(_ change: (inout PageRequest) -> Void = { _ in }) -> PageRequest {
        var request = PageRequest(method: .post, path: "/rpc")
        request.host = "127.0.0.1:7673"
        request.origin = "http://127.0.0.1:7673"
        request.fetchSite = "same-origin"
        request.cookies = ["parlance_7673": ["right"]]
        request.isOfPage = true
        change(&request)
        return request
    }

    private func code(_ request: PageRequest, _ access: PageGate.Access = .page) -> ErrorCode? {
        gate.refusal(of: request, for: access) { $0 == "right" }?.code
    }

    @Test func thePageItselfIsAnswered() {
        #expect(code(request()) == nil)
        #expect(code(request { ($0.host, $0.origin) = ("localhost:7673", "http://localhost:7673") }) == nil)
        // A link that the user typed or that a program opened.
        #expect(code(request { ($0.origin, $0.fetchSite) = (nil, "none") }, .knownBrowser) == nil)
        // A browser that sends neither.
        #expect(code(request { ($0.origin, $0.fetchSite) = (nil, nil) }) == nil)
    }

    /// A page that points its own name at this machine sends its own name as Host and Origin.
    @Test(arguments: [
        "evil.test", "evil.test:7673", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:7674", "127.0.0.1.evil.test:7673",
        "localhost", "0.0.0.0:7673", "[::1]:7673", "", "LOCALHOST:7673",
    ])
    func anotherHostIsRefused(_ host: String) {
        #expect(code(request { ($0.host, $0.origin) = (host, "http://\(host)") }, .anyBrowser) == .notPermitted)
    }

    @Test func aRequestWithoutHostIsRefused() {
        #expect(code(request { $0.host = nil }, .anyBrowser) == .notPermitted)
    }

    @Test(arguments: [
        "http://evil.test", "null", "http://127.0.0.1:7674", "https://127.0.0.1:7673", "http://localhost:7673", "",
    ])
    func anotherOriginIsRefused(_ origin: String) {
        #expect(code(request { $0.origin = origin }, .anyBrowser) == .notPermitted)
    }

    @Test(arguments: ["cross-site", "same-site", "", "Same-Origin"])
    func anotherSiteIsRefused(_ site: String) {
        #expect(code(request { $0.fetchSite = site }, .anyBrowser) == .notPermitted)
    }

    @Test func whatFormsCanSendIsRefused() {
        #expect(code(request { $0.isOfPage = false }) == .notPermitted)
        #expect(code(request { $0.isOfPage = false }, .knownBrowser) == nil)
    }

    @Test func aBrowserThatWasNotLetInIsTold() {
        #expect(code(request { $0.cookies = [:] }) == .notSignedIn)
        #expect(code(request { $0.cookies = ["parlance_7673": ["wrong"]] }) == .notSignedIn)
        // The cookie of the page on another port of this host.
        #expect(code(request { $0.cookies = ["parlance_7674": ["right"]] }) == .notSignedIn)
        #expect(code(request { $0.cookies = [:] }, .anyBrowser) == nil)
    }

    /// Another program can set a cookie of the same name for this host, which browsers may send first.
    @Test func aCookieOfTheSameNameHidesNothing() {
        #expect(code(request { $0.cookies = ["parlance_7673": ["wrong", "right", ""]] }) == nil)
        #expect(code(request { $0.cookies = ["parlance_7673": ["wrong", ""]] }) == .notSignedIn)
    }

    /// Browsers send no port for that of `http`.
    @Test(arguments: [("127.0.0.1", true), ("localhost", true), ("127.0.0.1:80", false), ("evil.test", false)])
    func thePortOfHTTPIsLeftOut(_ host: String, _ isOwn: Bool) {
        var request = PageRequest(method: .get, path: "/")
        (request.host, request.origin) = (host, "http://\(host)")
        #expect((PageGate(port: 80).refusal(of: request, for: .anyBrowser) { _ in false } == nil) == isOwn)
    }

    @Test func scriptsAndOtherSitesNeverSeeTheCookie() {
        let expected = "parlance_7673=x; Path=/; Max-Age=2592000; HttpOnly; SameSite=Strict"
        #expect(gate.settingCookie("x") == expected)
    }
}
