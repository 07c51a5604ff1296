import NIOCore
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceControl

/// Requests that come one by one, as those of the local page do.
@Suite struct RequestAnswererTests {
    private func answer(
        _ line: String,
        of node: NodeFront,
        face: RequestAnswerer.Face? = nil
    ) async -> String? {
        await RequestAnswerer(node).answer(Array(line.utf8), in: .english, face: face).map { String(buffer: $0) }
    }

    /// Answers once, by a node of its own.
    private func answer(_ line: String, face: RequestAnswerer.Face? = nil) async throws -> String? {
        var response: String?
        try await ServerFixture.with { response = await answer(line, of: $0.node, face: face) }
        return response
    }

    @Test func aRequestGetsItsResponse() async throws {
        let response = try await answer(#"{"jsonrpc":"2.0","id":"a","method":"name"}"#)
        #expect(response == #"{"jsonrpc":"2.0","id":"a","result":{"name":"Ada"}}"#)
    }

    @Test func aBatchIsAnsweredInItsOrder() async throws {
        let response = try await answer(
            #"[{"jsonrpc":"2.0","id":1,"method":"name","params":{"name":"Eve"}},1,{"jsonrpc":"2.0","method":"name"},"#
                + #"{"jsonrpc":"2.0","id":2,"method":"name"}]"#
        )
        #expect(response?.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"result":{"name":"Eve"}},{"jsonrpc""#) == true)
        #expect(response?.hasSuffix(#"{"jsonrpc":"2.0","id":2,"result":{"name":"Eve"}}]"#) == true)
        #expect(response?.contains("-32600") == true)
    }

    /// Each answer names what was asked, so a few requests make a long answer.
    @Test func aBatchWhoseAnswersAreTooLongIsRefusedInPart() async throws {
        let name = String(repeating: "\u{1}", count: 150 << 10)
        let answerBytes = 6 * name.utf8.count
        let count = 2 * ControlLimits.replyLineBytes / answerBytes
        let requests = (1...count).map { #"{"jsonrpc":"2.0","id":\#($0),"method":"name"}"# }
        try await ServerFixture.with { fixture in
            // No name is so long; other answers are.
            fixture.node.change(NameOperation.self) { $0.name = name }
            let line = "[" + requests.joined(separator: ",") + "]"
            let response = try #require(await answer(line, of: fixture.node))
            #expect(response.utf8.count <= ControlLimits.replyLineBytes)
            #expect(response.ranges(of: "\"result\"").count == ControlLimits.batchReplyBytes / answerBytes + 1)
            #expect(response.ranges(of: "\"busy\"").count > 2 && response.hasSuffix("]"))
            #expect(response.ranges(of: "\"id\":").count == count)
        }
    }

    @Test func aNotificationIsPerformedAndNotAnswered() async throws {
        try await ServerFixture.with { fixture in
            let line = #"{"jsonrpc":"2.0","method":"name","params":{"name":"Eve"}}"#
            #expect(await answer(line, of: fixture.node) == nil)
            try await eventually("it is performed") { try await fixture.ada.call(NameOperation()).name == "Eve" }
        }
    }

    @Test(arguments: [
        ("", "-32700"), ("{", "-32700"), ("[]", "-32600"), (#"{"jsonrpc":"2.0","id":1,"method":"no"}"#, "-32601"),
        (#"{"jsonrpc":"2.0","id":1,"method":"name","params":{"x":1}}"#, "-32602"),
        // These belong to a connection.
        (#"{"jsonrpc":"2.0","id":1,"method":"subscribe"}"#, "-32601"),
        (#"{"jsonrpc":"2.0","id":1,"method":"language","params":{"language":"de"}}"#, "-32601"),
        // Nobody knows whose screen this would be.
        (#"{"jsonrpc":"2.0","id":1,"method":"idle","params":{"idle":true}}"#, "-32600"),
    ])
    func whatCannotBePerformedIsRefused(_ line: String, _ code: String) async throws {
        #expect(try await answer(line)?.contains(code) == true)
    }

    @Test func aFaceReportsThroughItsTab() async throws {
        let reports = Mutex<[ClientReport?]>([])
        let face: RequestAnswerer.Face = { report in reports.withLock { $0.append(report) } }
        let response = try await answer(
            #"{"jsonrpc":"2.0","id":1,"method":"shows","params":{"conversation":"c"}}"#,
            face: face
        )
        #expect(response == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        #expect(reports.withLock { $0 } == [.shows(ShowsOperation(conversation: "c"))])
    }

    @Test func anOperationIsPerformed() async throws {
        try await ServerFixture.with { fixture in
            let answerer = RequestAnswerer(fixture.node)
            let name = try await answerer.call(NameOperation()).name
            #expect(name == "Ada")
            await #expect(throws: ControlError.self) { try await answerer.call(FilePathOperation(file: "none")) }
        }
    }
}
