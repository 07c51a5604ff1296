import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

/// Asks the local page of a node as a browser does, over sockets that also do what no browser would.
struct PageVisitor {
    let port: UInt16
    /// The header `Cookie`.
    let cookie: String

    /// The link once the page is served, a moment after the start.
    static func link(to node: LabNode) async throws -> String {
        try await soon("the page is served") { try? await node.ask(PageOpenOperation()).link }
    }

    static func port(of link: String) throws -> UInt16 {
        try #require(URL(string: link)?.port.flatMap { UInt16(exactly: $0) })
    }

    /// Opens a launch link.
    ///
    /// - Returns: the header `Cookie`; `nil` if the link does not let anybody in.
    static func cookie(from link: String) async throws -> String? {
        let url = try #require(URL(string: link))
        let answer = try await ask(try port(of: link), "GET /launch?\(url.query ?? "")", ["Connection: close"])
        #expect(answer.hasPrefix("HTTP/1.1 303 "))
        return answer.split(separator: "\r\n").first { $0.lowercased().hasPrefix("set-cookie: ") }
            .map { "Cookie: " + $0.dropFirst("Set-Cookie: ".count).prefix { $0 != ";" } }
    }

    /// A request over a connection of its own; the answer lasts until the daemon closes it.
    static func ask(_ port: UInt16, _ line: String, _ headers: [String], body: String = "") async throws -> String {
        let socket = try RawSocket.connected(toPort: port)
        let length = body.isEmpty ? [] : ["Content-Length: \(body.utf8.count)"]
        socket.send(head(port, line, headers + length) + Array(body.utf8))
        return String(decoding: try await socket.receive("the page answers"), as: UTF8.self)
    }

    static func head(_ port: UInt16, _ line: String, _ headers: [String]) -> [UInt8] {
        let lines = ["\(line) HTTP/1.1", "Host: 127.0.0.1:\(port)"] + headers
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }

    /// A browser that was let in.
    init(_ node: LabNode) async throws {
        let link = try await Self.link(to: node)
        port = try Self.port(of: link)
        cookie = try #require(try await Self.cookie(from: link))
    }

    /// What the page itself asks; the answer lasts until the daemon closes the connection.
    func ask(_ line: String, _ headers: [String] = ["Connection: close"], body: String = "") async throws -> String {
        try await Self.ask(port, line, [cookie, "Parlance-Page: 1"] + headers, body: body)
    }

    /// Sends what the page itself asks, and waits for nothing.
    func send(_ line: String, _ headers: [String] = [], body: [UInt8] = []) throws -> RawSocket {
        let socket = try RawSocket.connected(toPort: port)
        socket.send(Self.head(port, line, [cookie, "Parlance-Page: 1"] + headers) + body)
        return socket
    }

    /// Opens a stream of events.
    func openTab() async throws -> (socket: RawSocket, text: String) {
        let socket = try send("GET /events")
        let bytes = try await socket.receive("the stream begins") {
            String(decoding: $0, as: UTF8.self).contains("\n\n")
        }
        return (socket, String(decoding: bytes, as: UTF8.self))
    }
}
