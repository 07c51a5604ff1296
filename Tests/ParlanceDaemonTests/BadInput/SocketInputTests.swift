import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// Bad input to the control socket: the number and the code of the error, and a daemon that goes on.
    @Suite struct SocketInputTests {
        private struct Case {
            var line: String
            var number: Int64
            var word: String

            init(_ line: String, _ number: Int64, _ word: String) {
                self.line = line
                self.number = number
                self.word = word
            }

            /// A call of a method with the request ID 7.
            static func call(_ method: String, _ params: String, _ number: Int64, _ word: String) -> Case {
                Case("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\(method)\",\"params\":\(params)}", number, word)
            }
        }

        private static let malformed = [
            Case("nonsense", -32700, "parseError"),
            Case("{\"a\":1,\"a\":2}", -32700, "parseError"),
            Case("{\"jsonrpc\":\"2.0\",}", -32700, "parseError"),
            Case("\u{FEFF}{}", -32700, "parseError"),
            Case("\"\\ud800\"", -32700, "parseError"),
            Case(String(repeating: "[", count: 40), -32700, "parseError"),
            Case("[]", -32600, "invalidRequest"),
            Case("5", -32600, "invalidRequest"),
            Case("{\"jsonrpc\":\"1.0\",\"id\":7,\"method\":\"status\"}", -32600, "invalidRequest"),
            Case("{\"jsonrpc\":\"2.0\",\"id\":7}", -32600, "invalidRequest"),
            Case("{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"status\"}", -32600, "invalidRequest"),
        ]

        private static let calls: [Case] = [
            .call("nope", "{}", -32601, "methodNotFound"),
            .call("send", "{\"who\":\"Bob\"}", -32602, "invalidParams"),
            .call("send", "{\"who\":\"Bob\",\"text\":5}", -32602, "invalidParams"),
            .call("send", "{\"who\":\"Bob\",\"text\":\"x\",\"colour\":\"red\"}", -32602, "invalidParams"),
            .call("send", "[\"Bob\",\"x\"]", -32602, "invalidParams"),
            .call("send", "{\"who\":\"Bob\",\"text\":\" \"}", 1006, "emptyText"),
            .call(
                "send",
                "{\"who\":\"Bob\",\"text\":\"\(String(repeating: "x", count: 65_537))\"}",
                1007,
                "textTooLong"
            ),
            .call("send", "{\"who\":\"Nobody\",\"text\":\"x\"}", 1001, "unknownPeer"),
            .call("send", "{\"who\":\"Ada\",\"text\":\"x\"}", 1003, "ownIdentity"),
            .call("history", "{\"who\":\"Bob\",\"limit\":0}", 1009, "invalidValue"),
            .call("history", "{\"who\":\"Bob\",\"limit\":-9223372036854775808}", 1009, "invalidValue"),
            .call("history", "{\"who\":\"Bob\",\"limit\":9223372036854775807}", 1009, "invalidValue"),
            .call("history", "{\"who\":\"Bob\",\"limit\":1.5}", -32602, "invalidParams"),
            .call("history", "{\"who\":\"Bob\",\"before\":\"aaaaaaaaaaaa\"}", 1004, "unknownMessage"),
            .call("outbox.cancel", "{\"id\":\"aaaaaaaaaaaa\"}", 1005, "notWaiting"),
            .call("presence", "{\"state\":\"offline\"}", 1009, "invalidValue"),
            .call("presence", "{\"state\":\"gone\"}", -32602, "invalidParams"),
            .call("name", "{\"name\":\"\"}", 1008, "invalidName"),
            .call("name", "{\"name\":\"A\\u0007da\"}", 1008, "invalidName"),
            .call("subscribe", "{\"events\":[\"weather\"]}", -32602, "invalidParams"),
            .call("unsubscribe", "{\"subscription\":5}", 1009, "invalidValue"),
        ]

        @Test func eachHasItsErrorAndTheConnectionGoesOn() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let socket = try RawSocket.connected(toPath: pair.ada.socketPath)
                for each in Self.malformed + Self.calls {
                    let answer = try await socket.ask(Array((each.line + "\n").utf8))
                    let error = try JSONParser.parse(Array(answer.utf8.dropLast()))["error"]
                    let what = String(each.line.prefix(80))
                    #expect(error?["code"] == .integer(each.number), "\(what): \(answer)")
                    #expect(error?["data"]?["code"]?.text == each.word, "\(what): \(answer)")
                    #expect(
                        error?["message"]?.text?.isEmpty == false && error?["data"]?["advice"]?.text?.isEmpty == false
                    )
                    Refusal.checkWords(answer, of: what)
                }
                let fine = try await socket.ask(Array("{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"id\"}\n".utf8))
                #expect(fine.contains("\"name\":\"Ada\""))
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact"])
            }
        }

        @Test func aLineOverTheLimitCostsTheConnectionOnly() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let limit = ControlLimits.requestLineBytes
                for excess in [1, limit] {
                    let socket = try RawSocket.connected(toPath: node.socketPath)
                    socket.send(Array(repeating: UInt8(ascii: "x"), count: limit + excess))
                    let answer = String(decoding: try await socket.receive("the connection is closed"), as: UTF8.self)
                    let error = try JSONParser.parse(Array(answer.utf8.dropLast()))
                    #expect(error["id"] == .null)
                    #expect(error["error"]?["data"]?["code"]?.text == "invalidRequest")
                    #expect(answer.contains("longer than \(limit) bytes"))
                }
                #expect(try await node.status().name == "Ada")
            }
        }

        @Test func aLineThatNeverEndsIsNoHarm() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let halves = try (0..<20).map { _ in try RawSocket.connected(toPath: node.socketPath) }
                for half in halves { half.send(Array("{\"jsonrpc\":".utf8)) }
                #expect(try await node.status().name == "Ada")
                #expect(try await node.end(SIGTERM) == 0)
            }
        }
    }
}
