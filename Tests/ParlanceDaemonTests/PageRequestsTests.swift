import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Requests to the local page, good and bad, with the real daemon.
    @Suite struct PageRequestsTests {
        private func withPage(
            _ arguments: [String] = [],
            _ body: @escaping @Sendable (LabNode, PageVisitor) async throws -> Void
        ) async throws {
            try await Lab.run { lab in
                let own = ["--page-port", "\(try Lab.freePort())"] + arguments
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort(), arguments: own)
                try await node.start()
                try await body(node, try await PageVisitor(node))
            }
        }

        /// The files that wait to be sent.
        private func shelf(_ node: LabNode) throws -> [String] {
            try FileManager.default.subpathsOfDirectory(atPath: node.folder.path).filter { $0.hasPrefix("files/") }
                .sorted()
        }

        @Test func aBatchIsAnsweredInItsOrder() async throws {
            try await withPage { _, visitor in
                let batch = #"[{"jsonrpc":"2.0","id":1,"method":"id"},{"jsonrpc":"2.0","id":2,"method":"no"},1]"#
                let answer = try await visitor.ask("POST /rpc", body: batch)
                #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains(#"[{"jsonrpc":"2.0","id":1,"result":"#))
                #expect(answer.contains("-32601") && answer.contains("-32600"))
            }
        }

        @Test func headHasNoBody() async throws {
            try await withPage { _, visitor in
                for (path, status) in [("/", 200), ("/nothing", 404), ("/index.html", 200)] {
                    let answer = try await visitor.ask("HEAD \(path)")
                    #expect(
                        answer.hasPrefix("HTTP/1.1 \(status) ") && answer.hasSuffix("\r\n\r\n"),
                        "\(path): \(answer)"
                    )
                }
            }
        }

        @Test func thePageIsFoundUnderItsOwnNameOnly() async throws {
            try await withPage { _, visitor in
                for path in ["/", "/nothing"] {
                    let twice = try await visitor.ask("GET \(path)", ["Connection: close", "Host: evil.test"])
                    #expect(twice.hasPrefix("HTTP/1.1 403 "), "\(path): \(twice)")
                }
            }
        }

        @Test func theCookieIsRenewedOnceADay() async throws {
            try await withPage { node, visitor in
                #expect(try await node.end(SIGTERM) == 0)
                let file = node.folder.appendingPathComponent("page.json")
                let kept = try String(contentsOf: file, encoding: .utf8)
                let used = try #require(kept.firstMatch(of: /"used":([0-9]+)/)?.1)
                let older = try #require(Int(used)) - 2 * 86_400
                try kept.replacing("\"used\":\(used)", with: "\"used\":\(older)").write(
                    to: file,
                    atomically: true,
                    encoding: .utf8
                )
                try await node.start()
                _ = try await PageVisitor.link(to: node)
                let request = #"{"jsonrpc":"2.0","id":1,"method":"id"}"#
                let first = try await visitor.ask("POST /rpc", body: request)
                #expect(first.contains("\(visitor.cookie.dropFirst("Cookie: ".count)); Path=/; Max-Age="), "\(first)")
                let second = try await visitor.ask("POST /rpc", body: request)
                #expect(second.hasPrefix("HTTP/1.1 200 ") && !second.lowercased().contains("set-cookie"))
            }
        }

        @Test func aFileIsAddedAndReadAgain() async throws {
            try await withPage { _, visitor in
                let answer = try await visitor.ask("POST /files?name=a.txt", body: "some words")
                let file = try #require(answer.firstMatch(of: /"file":"([^"]+)"/)?.1, "\(answer)")
                #expect(answer.contains("\"size\":10"))
                #expect(try await visitor.ask("GET /files/\(file)?name=b.txt").hasSuffix("\r\n\r\nsome words"))
                let long = String(repeating: "n", count: 1_025)
                #expect(try await visitor.ask("GET /files/\(file)?name=\(long)").hasPrefix("HTTP/1.1 400 "))
                #expect(try await visitor.ask("POST /files?name=\(long)", body: "x").hasPrefix("HTTP/1.1 400 "))
            }
        }

        @Test func anUploadThatIsRefusedLeavesNothing() async throws {
            try await withPage(["--file-limit", "1MiB"]) { node, visitor in
                let before = try shelf(node)
                let large = String(repeating: "x", count: 3 << 20)
                let answer = try await visitor.ask("POST /files?name=a.txt", body: large)
                #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("file-limit"), "\(answer.prefix(300))")
                let chunked = try visitor.send(
                    "POST /files?name=a.txt",
                    ["Transfer-Encoding: chunked"],
                    body: Array("1\r\nx\r\n0\r\n\r\n".utf8)
                )
                let refusal = String(decoding: try await chunked.receive("it is refused"), as: UTF8.self)
                #expect(refusal.contains("length"))
                #expect(try shelf(node) == before)
            }
        }

        @Test func anUploadThatIsCancelledLeavesNothing() async throws {
            try await withPage { node, visitor in
                let before = try shelf(node)
                var upload: RawSocket? = try visitor.send(
                    "POST /files?name=a.txt",
                    ["Content-Length: 1000000"],
                    body: Array(repeating: 1, count: 500_000)
                )
                try await eventually("the file is being added") { try shelf(node) != before }
                withExtendedLifetime(upload) {}
                upload = nil
                try await eventually("nothing is left") { try shelf(node) == before }
            }
        }

        @Test func onlySoManyFilesAreAddedAtOnce() async throws {
            try await withPage { node, visitor in
                let before = try shelf(node).count
                let uploads = try (0..<4).map { _ in
                    try visitor.send("POST /files?name=a.txt", ["Content-Length: 10"], body: [1])
                }
                try await eventually("four are being added") { try shelf(node).count == before + 4 }
                let fifth = try await visitor.ask("POST /files?name=b.txt", body: "some words")
                #expect(fifth.contains("\"busy\""), "\(fifth)")
                // Whoever asks for something else does not wait.
                #expect(try await visitor.ask("GET /").contains("<!doctype html>"))
                for upload in uploads {
                    upload.send(Array(repeating: 1, count: 9))
                    let answer = try await upload.receive("it is added") {
                        String(decoding: $0, as: UTF8.self).contains("}")
                    }
                    #expect(String(decoding: answer, as: UTF8.self).contains("\"size\":10"))
                }
                #expect(try await visitor.ask("POST /files?name=b.txt", body: "some words").contains("\"size\":10"))
            }
        }
    }
}
