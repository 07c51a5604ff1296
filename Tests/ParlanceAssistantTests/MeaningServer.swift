import Foundation
import Synchronization

/// A model server whose embeddings tell a few meanings apart, in two languages.
final class MeaningServer: Sendable {
    private struct State {
        var isAway = false
        /// What it answers to requests for embeddings instead of them.
        var status: String?
        var texts: [String] = []
        var chats = 0
    }

    private struct Body: Decodable {
        let model: String
        let input: [String]
    }

    /// Its models; an embedding of the last one has more numbers.
    static let models = ["talker", "near", "wide", "tagged:latest"]
    /// It embeds no text with this word.
    static let refused = "unspeakable"

    private static let meanings: [[String]] = [["fähre", "schiff", "ferry"], ["pump", "leck"]]
    private let state = Mutex(State())

    /// Every text of which it was asked the embedding, in order.
    var texts: [String] { state.withLock { $0.texts } }
    var chats: Int { state.withLock { $0.chats } }
    var script: [ScriptedServer.Step] { [.answer { [self] in response($0) }] }

    /// Away, it closes every connection at once.
    func setAway(_ isAway: Bool) { state.withLock { $0.isAway = isAway } }

    /// - Parameter status: such as "503 Loading model"; nil: it makes embeddings.
    func setStatus(_ status: String?) { state.withLock { $0.status = status } }

    private func response(_ request: String) -> String {
        guard !state.withLock({ $0.isAway }) else { return "" }
        if request.hasPrefix("GET /v1/models ") {
            return Responses.json(#"{"data":[\#(Self.models.map { #"{"id":"\#($0)"}"# }.joined(separator: ","))]}"#)
        }
        if request.hasPrefix("POST /v1/chat/completions ") {
            state.withLock { $0.chats += 1 }
            return Responses.chat("At nine [1].")
        }
        if let status = state.withLock({ $0.status }) { return Responses.json("", status: status) }
        guard request.hasPrefix("POST /v1/embeddings "), let head = request.firstRange(of: "\r\n\r\n"),
            let body = try? JSONDecoder().decode(Body.self, from: Data(request[head.upperBound...].utf8)),
            !body.input.contains(where: { $0.contains(Self.refused) })
        else { return Responses.json("", status: "500 Oops") }
        state.withLock { $0.texts += body.input }
        let entries = body.input.enumerated().map { number, text in
            #"{"index":\#(number),"embedding":\#(Self.vector(text, isWide: body.model == "wide"))}"#
        }
        return Responses.json(#"{"data":[\#(entries.joined(separator: ","))]}"#)
    }

    /// Not of length 1, as with some servers.
    private static func vector(_ text: String, isWide: Bool) -> [Double] {
        let text = text.lowercased()
        let parts = meanings.map { words in words.contains { text.contains($0) } ? 3.0 : 0 }
        return parts + [parts.contains(3) ? 0 : 3] + (isWide ? [0.1, 0.1] : [])
    }
}
