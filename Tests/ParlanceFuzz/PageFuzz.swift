import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypesHTTP1
import ParlanceWeb

/// Anything that a browser, or another program, can send to the port of the local page. What the gate lets through is
/// compared with what the fields say before they are taken apart.
enum PageFuzz {
    private static let right = "right"

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        // Browsers leave the port of `http` out.
        let port: UInt16 = reader.byte() % 2 == 0 ? 7673 : 80
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes))
        guard (try? channel.pipeline.syncOperations.addHandler(decoder)) != nil else { return }
        // What is no HTTP ends the connection; what came before it was answered.
        _ = try? channel.writeInbound(ByteBuffer(bytes: reader.rest()))
        while let part = try? channel.readInbound(as: HTTPServerRequestPart.self) {
            if case .head(let head) = part { judge(head, port) }
        }
    }

    private static func judge(_ head: HTTPRequestHead, _ port: UInt16) {
        guard let request = try? HTTPRequest(head, secure: false, splitCookie: false) else { return }
        let asked = PageRequest(request)
        checkText(asked)
        let gate = PageGate(port: port)
        let access = PageRoute(asked.method, asked.path)?.access ?? .anyBrowser
        let cookies = values(of: "Cookie", head).joined(separator: ";").split(separator: ";")
            .map { $0.filter { $0 != " " } }
        let refusal = gate.refusal(of: asked, for: access) { $0 == right }
        guard refusal == nil else { return }
        let hosts = head.headers["Host"]
        promise(hosts == ["127.0.0.1\(suffix(port))"] || hosts == ["localhost\(suffix(port))"], "another host")
        promise(values(of: "Origin", head).allSatisfy { $0 == "http://" + hosts[0] }, "another origin")
        promise(values(of: "Sec-Fetch-Site", head).allSatisfy(["same-origin", "none"].contains), "another site")
        switch access {
        case .anyBrowser: break
        case .knownBrowser: promise(cookies.contains("\(gate.cookie)=\(right)"), "a browser that was not let in")
        case .page:
            promise(cookies.contains("\(gate.cookie)=\(right)"), "a browser that was not let in")
            promise(values(of: "Parlance-Page", head) == ["1"], "a form")
        }
        if access == .anyBrowser, PageRoute(asked.method, asked.path) != nil {
            promise(head.method == .GET || head.method == .HEAD, "a change by anybody")
        }
    }

    /// What a field says; white space around that is no part of it (RFC 9110, section 5.5).
    private static func values(of name: String, _ head: HTTPRequestHead) -> [String] {
        head.headers[name].map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " \t")) }
    }

    private static func suffix(_ port: UInt16) -> String { port == 80 ? "" : ":\(port)" }

    /// A path and a name that were read, written and read again are the same, and a name adds nothing to a header.
    private static func checkText(_ asked: PageRequest) {
        let name = asked.query["name"] ?? ""
        let target = encoded(asked.path) + "?name=" + encoded(name)
        let again = PageRequest(HTTPRequest(method: .get, scheme: "http", authority: nil, path: target))
        promise(again.path == asked.path && again.query == ["name": name], "a target is read as something else")
        let disposition = PageDownload.disposition(name)
        promise(disposition.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "a name that ends its header")
        let quotes = disposition.utf8.count { $0 == UInt8(ascii: "\"") }
        promise(quotes == (name.isEmpty ? 0 : 2), "a name that ends its text")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static var seeds: [[UInt8]] {
        let cookie = "Cookie: a=1; parlance_7673=wrong; parlance_7673=\(right)"
        let own = ["Host: 127.0.0.1:7673", "Origin: http://127.0.0.1:7673", "Sec-Fetch-Site: same-origin", cookie]
        let page = own + ["Parlance-Page: 1", "Parlance-Tab: 0a-1", "Accept-Language: de-AT,de;q=0.9,en;q=0.8"]
        let requests: [(String, [String], String)] = [
            ("GET / HTTP/1.1", ["Host: localhost:7673", "Sec-Fetch-Site: none", "If-None-Match: \"0a\""], ""),
            ("HEAD /page.css HTTP/1.1", own, ""), ("GET /launch?key=0a0b HTTP/1.1", own, ""),
            ("GET /words HTTP/1.0", own, ""), ("GET /events HTTP/1.1", page + ["Last-Event-ID: 0a-7"], ""),
            ("POST /rpc HTTP/1.1", page + ["Content-Length: 2"], "{}"),
            ("POST /rpc HTTP/1.1", page + ["Transfer-Encoding: chunked"], "2\r\n{}\r\n0\r\n\r\n"),
            ("POST /files?name=t%C3%A4st.bin&keep-metadata=1 HTTP/1.1", page + ["Content-Length: 1"], "x"),
            ("GET /files/abc?name=a%22%0D%0A;b HTTP/1.1", own, ""), ("GET http://evil.test/rpc HTTP/1.1", own, ""),
            ("POST /%72pc HTTP/1.1", own, ""),
            ("GET /../rpc HTTP/1.1", ["host: evil.test", "Host: 127.0.0.1:7673"], ""),
            ("OPTIONS * HTTP/1.1", ["Host: 127.0.0.1:7673", "Origin: null"], ""),
            ("CONNECT localhost:80 HTTP/1.1", ["Host: localhost"], ""),
            ("POST /rpc HTTP/1.1", ["Host: localhost", "Parlance-Page: 1", "Cookie: parlance_80=\(right)"], ""),
        ]
        let texts = requests.map { ([$0.0] + $0.1).joined(separator: "\r\n") + "\r\n\r\n" + $0.2 }
        let all = texts + [texts[5] + texts[0]]
        return all.map { [0] + Array($0.utf8) } + all.map { [1] + Array($0.utf8) }
    }
}
