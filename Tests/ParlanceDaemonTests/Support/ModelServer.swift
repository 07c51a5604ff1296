import Foundation
import Testing

/// A server with OpenAI's interface on this computer: it lists one model, `small`, and answers as a script says.
struct ModelServer {
    let address: String
    private let process: Process

    private static let server = #"""
        import http.server, json
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
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        print(server.server_port, flush=True)
        server.serve_forever()
        """#

    /// - Parameter answer: a function `answer(asked)` in Python, from a request to its text.
    init(_ answer: String) throws {
        process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = ["-c", answer + "\n" + Self.server]
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        address = "http://127.0.0.1:\(port)"
    }

    func end() { kill(process.processIdentifier, SIGKILL) }
}
