/// Responses as bytes, in the forms that servers send them.
enum Responses {
    static let streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"

    /// With a length.
    static func json(_ body: String, status: String = "200 OK", headers: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\n\(headers)"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    /// A stream that the end of the connection ends.
    static func open(_ body: String) -> String { "\(streamHead)Connection: close\r\n\r\n\(body)" }

    /// A stream in chunks of the given texts.
    static func chunked(_ parts: [String], isWhole: Bool = true) -> String {
        let chunks = parts.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined()
        return "\(streamHead)Transfer-Encoding: chunked\r\n\r\n\(chunks)" + (isWhole ? "0\r\n\r\n" : "")
    }

    static func delta(_ text: String) -> String {
        #"data: {"model":"talker:1b","choices":[{"index":0,"delta":{"content":"\#(text)"},"finish_reason":null}]}"#
            + "\n\n"
    }

    static let role = #"data: {"choices":[{"index":0,"delta":{"role":"assistant","content":null}}]}"# + "\n\n"
    static let stop = #"data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"# + "\n\n"
    static let done = "data: [DONE]\n\n"

    static func chat(_ text: String, reason: String = "stop") -> String {
        json(
            #"{"model":"talker:1b","choices":[{"index":0,"message":{"role":"assistant","content":"\#(text)"},"#
                + #""finish_reason":"\#(reason)"}]}"#
        )
    }
}
