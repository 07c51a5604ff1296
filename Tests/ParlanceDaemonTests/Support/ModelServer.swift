import Foundation
import Testing

/// A server with OpenAI's interface, on this computer or on a host of a test: it lists one model, `small`, and answers as
/// a script says.
struct ModelServer {
    let address: String
    let port: Int
    private let process: Process

    private static let server = #"""
        import http.server, json, sys
        class Answers(http.server.BaseHTTPRequestHandler):
            def log_message(self, *words): pass
            def reply(self, kind, text):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(text.encode())))
                self.end_headers()
                self.wfile.write(text.encode())
            def do_GET(self):
                self.reply("application/json", json.dumps({"data": [{"id": "small"}]}))
            def do_POST(self):
                asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                piece = {"choices": [{"index": 0, "delta": {"content": answer(asked)}, "finish_reason": "stop"}]}
                self.reply("text/event-stream", "data: " + json.dumps(piece) + "\n\ndata: [DONE]\n\n")
        server = http.server.ThreadingHTTPServer((sys.argv[1], 0), Answers)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    /// - Parameters:
    ///   - answer: a function `answer(asked)` in Python, from a request to its text.
    ///   - host: an address of the host on which it runs.
    ///   - runner: the words that run it on that host, such as `ip netns exec NAME`.
    init(_ answer: String, at host: String = "127.0.0.1", runner: [String] = []) throws {
        process = Process()
        let output = Pipe()
        let words = runner + ["python3", "-c", answer + "\n" + Self.server, host]
        process.executableURL = try Programs.system(words[0])
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        self.port = port
        address = "http://\(host):\(port)"
    }

    func end() { kill(process.processIdentifier, SIGKILL) }
}
