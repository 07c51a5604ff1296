import Foundation
import ParlanceCore
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The samples in protocol/control.md are what the programs write.
@Suite struct SampleTests {
    private let lines: [(isRequest: Bool, json: JSON)]

    init() throws {
        let page = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol/control.md")
        lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n").compactMap { line in
            guard line.hasPrefix("-> ") || line.hasPrefix("<- ") else { return nil }
            return (line.hasPrefix("->"), try JSONParser.parse(Array(line.utf8.dropFirst(3))))
        }
    }

    /// Whether the parameters and the result are those of an operation, with every member in its place.
    private func isSample<Operation: ControlOperation>(
        of operation: Operation.Type,
        _ request: JSON,
        _ result: JSON
    ) throws -> Bool {
        let reply = try JSONValueDecoder.decode(Operation.Reply.self, from: result, name: "result", strict: true)
        return try Operation(params: request["params"]).params() == request["params"]
            && JSONValueEncoder.encode(reply) == result
    }

    @Test func requestsAndResultsAreThoseOfTheirOperations() throws {
        var seen: [String] = []
        for (line, next) in zip(lines, lines.dropFirst()) where line.isRequest {
            let method = try #require(line.json["method"]?.text)
            let operation = try #require(NodeOperations.definitions.first { $0.method == method })
            #expect(line.json["id"] == next.json["id"])
            #expect(try isSample(of: operation, line.json, try #require(next.json["result"])), "\(method)")
            seen.append(method)
        }
        #expect(seen == ["send", "history", "outbox", "presence", "idle", "presence", "mute", "language"])
    }

    @Test func anEventIsOneOfItsKind() throws {
        let notices = lines.filter { $0.json["method"]?.text == "event" }
        let params = try #require(notices.first?.json["params"])
        let (kind, data) = (params["type"]?.text ?? "", params["data"] ?? .null)
        let event = try #require(try ControlEvents.read(kind, data))
        #expect(try JSONValueEncoder.encode(event) == data)
    }

    @Test func anErrorHasTheWordsOfItsReason() throws {
        let json = try #require(lines.compactMap { $0.json["error"] }.first)
        let sample = RPCError(json: json)
        let candidates = try #require(sample.candidates)
        let ids = try (1...2).map { try #require(PeerID([UInt8](repeating: $0, count: 32))) }
        let refusal = ParlanceCore.Refusal.naming(.severalPeers("Bob", ids.map { .peer($0) }))
        var left = candidates
        #expect(sample == RPCError(ControlError(refusal) { _ in left.removeFirst() }))
    }

    @Test func theOutboxSaysWhyInTheWordsOfTheNode() throws {
        let items = lines.compactMap { $0.json["result"]?["items"] }
        let outbox = try #require(items.first)
        let read = try JSONValueDecoder.decode([OutboxItem].self, from: outbox, name: "items", strict: true)
        #expect(read.map(\.why) == [WaitReason.sentence(.peerOffline, ["Bob"], isOffline: false) { _ in "" }])
    }
}
