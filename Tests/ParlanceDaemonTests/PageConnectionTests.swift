import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// How the connections of browsers end, and what they cannot hinder.
    @Suite struct PageConnectionTests {
        private func served(_ lab: Lab, _ arguments: [String] = []) async throws -> LabNode {
            let port = try Lab.freePort()
            let node = LabNode.onLoopback(lab, "Ada", port: port, arguments: ["--page-port", "0"] + arguments)
            try await node.start()
            return node
        }

        @Test func theDaemonStopsAlthoughAClientDoesNotRead() async throws {
            try await Lab.run { lab in
                let ada = try await served(lab)
                let visitor = try await PageVisitor(ada)
                let tab = try visitor.send("GET /events")
                // Far more than the sockets hold.
                let lazy = try RawSocket.connected(toPort: visitor.port)
                let request = PageVisitor.head(visitor.port, "GET /page.css", [])
                let rest = Array(repeatElement(request, count: 500).joined())
                for _ in 0..<4 { lazy.send(rest) }
                _ = try await lazy.receive("the first answer comes") { $0.count > 1_000 }
                #expect(try await ada.end(SIGTERM) == 0)
                withExtendedLifetime((tab, lazy)) {}
            }
        }

        /// The request asks to keep the connection; its body is never sent as a whole.
        @Test func aRefusalComesAndEndsTheConnection() async throws {
            try await Lab.run { lab in
                let visitor = try await PageVisitor(try await served(lab))
                let socket = try RawSocket.connected(toPort: visitor.port)
                socket.send(PageVisitor.head(visitor.port, "POST /files?name=x", ["Content-Length: 10000000"]))
                socket.send(Array(repeating: 0, count: 100_000))
                let answer = String(decoding: try await socket.receive("the connection ends"), as: UTF8.self)
                #expect(answer.hasPrefix("HTTP/1.1 403 ") && answer.lowercased().contains("connection: close"))
                #expect(answer.contains("notPermitted"))
                let next = PageVisitor.head(visitor.port, "POST /rpc", [visitor.cookie, "Content-Length: 0"])
                let twice = try RawSocket.connected(toPort: visitor.port)
                twice.send(next + next)
                let once = String(decoding: try await twice.receive("the connection ends"), as: UTF8.self)
                #expect(once.components(separatedBy: "HTTP/1.1").count == 2)
            }
        }

        /// Browsers close their end of a stream when its tab is closed.
        @Test func aClosedTabMakesRoomAtOnce() async throws {
            try await Lab.run { lab in
                let visitor = try await PageVisitor(try await served(lab))
                for round in 0..<3 {
                    var tabs: [RawSocket] = []
                    for _ in 0..<50 {
                        let tab = try await visitor.openTab()
                        try #require(tab.text.contains("event: hello"), "\(round): \(tab.text)")
                        tabs.append(tab.socket)
                    }
                    tabs = []
                    try await eventually("there is room again", within: .seconds(5)) {
                        let tabs = try (0..<15).map { _ in try visitor.send("GET /events") }
                        for tab in tabs {
                            let bytes = try await tab.receive("it answers") { !$0.isEmpty }
                            guard String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200") else { return false }
                        }
                        return true
                    }
                }
            }
        }

        /// The client is gone before the daemon has looked at it.
        @Test func aConnectionThatWasResetIsNobodys() async throws {
            try await Lab.run { lab in
                let ada = try await served(lab)
                let visitor = try await PageVisitor(ada)
                ada.child?.signal(SIGSTOP)
                for _ in 0..<20 { try visitor.send("POST /rpc", ["Content-Length: 0"]).resetWhenClosed() }
                ada.child?.signal(SIGCONT)
                #expect(try await visitor.ask("GET /").contains("<!doctype html>"))
            }
        }

        @Test func thePageIsServedAgainAfterDescriptorsRanOut() async throws {
            try await Lab.run { lab in
                let ada = try await served(lab)
                let visitor = try await PageVisitor(ada)
                let tab = try await visitor.openTab()
                let process = try #require(ada.child?.processID)
                let limit = try Programs.system("prlimit")
                let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
                let before = try await lab.run(
                    limit,
                    ["--pid", "\(process)", "--nofile", "--noheadings", "--output", "SOFT"]
                )
                let soft = before.output.trimmingCharacters(in: .whitespacesAndNewlines)
                #expect(try await lab.run(limit, ["--pid", "\(process)", "--nofile=\(open):"]).code == 0)
                let waiting = try (0..<5).map { _ in try RawSocket.connected(toPort: visitor.port) }
                try await eventually("the daemon runs out of descriptors") {
                    ada.child?.complained.contains("takes no connections") == true
                }
                #expect(try await lab.run(limit, ["--pid", "\(process)", "--nofile=\(soft):"]).code == 0)
                #expect(try await visitor.ask("GET /").contains("<!doctype html>"))
                withExtendedLifetime((waiting, tab)) {}
            }
        }

        /// The browser stays let in, although the wanted port is taken both times.
        @Test func theSamePortIsFoundAgain() async throws {
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
                let visitor = try await PageVisitor(ada)
                #expect(visitor.port != taken)
                try await ada.kill()
                try await ada.start()
                #expect(try await PageVisitor.port(of: PageVisitor.link(to: ada)) == visitor.port)
                let request = #"{"jsonrpc":"2.0","id":1,"method":"id"}"#
                #expect(try await visitor.ask("POST /rpc", body: request).contains("\"Ada\""))
            }
        }
    }
}
