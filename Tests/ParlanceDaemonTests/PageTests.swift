import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// The local page, with the real daemon (protocol/page.md). `contrib/browse` tests it in a real browser.
    @Suite struct PageTests {
        private func ask(
            _ port: UInt16,
            _ line: String,
            _ headers: [String] = [],
            body: String = ""
        ) async throws -> String {
            try await PageVisitor.ask(port, line, ["Connection: close"] + headers, body: body)
        }

        private let request = #"{"jsonrpc":"2.0","id":1,"method":"id"}"#

        @Test func onlyABrowserThatWasLetInIsAnswered() async throws {
            try await Lab.run { lab in
                let own = ["--page-port", "\(try Lab.freePort())"]
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort(), arguments: own)
                try await ada.start()
                let link = try await PageVisitor.link(to: ada)
                let port = try PageVisitor.port(of: link)
                #expect(try await ask(port, "GET /").contains("<!doctype html>"))
                #expect(try await ask(port, "POST /rpc", ["Parlance-Page: 1"], body: request).contains("notSignedIn"))
                let cookie = try #require(try await PageVisitor.cookie(from: link))
                #expect(try await PageVisitor.cookie(from: link) == nil, "a link works once")
                #expect(
                    try await ask(port, "POST /rpc", [cookie, "Parlance-Page: 1"], body: request).contains("\"Ada\"")
                )
                for (headers, what) in [
                    ([cookie], "a form"), ([cookie, "Parlance-Page: 1", "Origin: http://evil.test"], "another origin"),
                    ([cookie, "Parlance-Page: 1", "Sec-Fetch-Site: same-site"], "another port"),
                    ([cookie + "0", "Parlance-Page: 1"], "another cookie"),
                ] {
                    let answer = try await ask(port, "POST /rpc", headers, body: request)
                    #expect(answer.contains("\"error\"") && !answer.contains("\"result\""), "\(what): \(answer)")
                }
                // A browser stays let in over a crash.
                try await ada.kill()
                try await ada.start()
                #expect(try await PageVisitor.port(of: PageVisitor.link(to: ada)) == port)
                #expect(
                    try await ask(port, "POST /rpc", [cookie, "Parlance-Page: 1"], body: request).contains("\"Ada\"")
                )
            }
        }

        @Test func aTakenPortIsReplacedAndOffMeansNone() async throws {
            try await Lab.run { lab in
                let holder = try RawSocket.tcp()
                let taken = try holder.bindToFreePort()
                try holder.listen()
                let ada = LabNode.onLoopback(
                    lab,
                    "Ada",
                    port: try Lab.freePort(),
                    arguments: ["--page-port", "\(taken)"]
                )
                try await ada.start()
                let port = try await PageVisitor.port(of: PageVisitor.link(to: ada))
                #expect(port != taken)
                // The doctor, the command that opens it, and the page say so.
                let note =
                    "Your page is at http://127.0.0.1:\(port): another program has port \(taken), which page-port names."
                let problem = try #require(try await ada.status().problems.first { $0.code == "page" })
                #expect(problem.message.english == note && problem.severity == .note)
                #expect(try await ada.ask(DoctorOperation()).problems.contains(problem))
                #expect(try await ada.parlance("doctor").output.contains(note))
                #expect(try await ada.parlance("status").output.contains(note))
                let printed = try await ada.parlance("open", "--print")
                #expect(printed.output.hasPrefix("http://127.0.0.1:\(port)/launch?key="))
                #expect(printed.errors == note + "\n")
                #expect(try await ada.ask(PageOpenOperation()).note?.english == note)
                #expect(try await ask(port, "GET /").contains("<!doctype html>"))
                let bob = LabNode.onLoopback(
                    lab,
                    "Bob",
                    port: try Lab.freePort(),
                    arguments: ["--page-port", "off"]
                )
                try await bob.start()
                await #expect { try await bob.ask(PageOpenOperation()) } throws: {
                    ($0 as? ControlFailure)?.code == "notYet"
                }
            }
        }

        @Test func eventsComeInAStreamAndEndWithTheDaemon() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let link = try await PageVisitor.link(to: pair.ada)
                let cookie = try #require(try await PageVisitor.cookie(from: link))
                let socket = try RawSocket.connected(toPort: try PageVisitor.port(of: link))
                let head = [
                    "GET /events HTTP/1.1", "Host: 127.0.0.1:\(try PageVisitor.port(of: link))", "Parlance-Page: 1",
                    cookie,
                ]
                socket.send(Array((head.joined(separator: "\r\n") + "\r\n\r\n").utf8))
                _ = try await socket.receive("an event comes") {
                    String(decoding: $0, as: UTF8.self).contains("event: hello")
                }
                _ = try await pair.bob.send("Look at the page", to: "Ada")
                let told = try await socket.receive("an event comes") {
                    String(decoding: $0, as: UTF8.self).contains("Look at the page")
                }
                #expect(String(decoding: told, as: UTF8.self).contains("event: message"))
                let clock = ContinuousClock()
                let stop = clock.now
                #expect(try await pair.ada.end(SIGTERM) == 0)
                #expect(clock.now - stop < patience(.seconds(5)))
                let last = try await socket.receive("the stream ends")
                #expect(String(decoding: last, as: UTF8.self).contains("event: stopping"))
            }
        }

        @Test(.enabled(if: geteuid() == 0, "only root can run a program as another user"))
        func anotherUserIsNotAnswered() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let port = try await PageVisitor.port(of: PageVisitor.link(to: ada))
                let fetch = """
                    import sys, http.client
                    c = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]), timeout=10)
                    try:
                        c.request("GET", "/")
                        sys.exit(3 if c.getresponse().read() else 0)
                    except (http.client.HTTPException, OSError):
                        sys.exit(4)
                    """
                let python = try Programs.system("python3")
                let asMe = try await lab.run(python, ["-c", fetch, "\(port)"])
                #expect(asMe.code == 3)
                let drop = [
                    "--reuid=65534", "--regid=65534", "--clear-groups", "--", python.path, "-c", fetch, "\(port)",
                ]
                #expect(try await lab.run(try Programs.system("setpriv"), drop).code == 4)
            }
        }
    }
}
