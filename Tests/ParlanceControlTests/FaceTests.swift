import ParlanceWaiting
import Testing

@testable import ParlanceControl

/// What chat screens and pages report of their user.
@Suite(.timeLimit(.minutes(30))) struct FaceTests {
    @Test func aReportHoldsUntilTheEndOfItsConnection() async throws {
        try await ServerFixture.with { fixture in
            let client = try await ControlClient.connect(to: fixture.path)
            _ = try await client.call(NameOperation())
            let since = ControlTime(milliseconds: 1_700_000_000_000)
            _ = try await client.call(IdleOperation(idle: true, since: since))
            _ = try await client.call(IdleOperation(idle: false))
            _ = try await client.call(ShowsOperation(conversation: "c"))
            _ = try await client.call(ShowsOperation())
            let reports: [ClientReport?] = [
                .idle(IdleOperation(idle: true, since: since)), .idle(IdleOperation(idle: false)),
                .shows(ShowsOperation(conversation: "c")), .shows(ShowsOperation()),
            ]
            #expect(fixture.node.reports == reports)
            await client.close()
            try await eventually("the face is gone") { fixture.node.reports.count == 5 }
            #expect(fixture.node.reports == reports + [nil])
        }
    }

    @Test func aConnectionThatReportsNothingIsNoFace() async throws {
        try await ServerFixture.with { fixture in
            let raw = try await RawConnection.open(fixture.path)
            try await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"idle","params":{"idle":"yes"}}"# + "\n")
            #expect(await raw.line()?.contains("-32602") == true)
            let long = String(repeating: "c", count: ControlLimits.conversationIDBytes + 1)
            try await raw.write(
                #"{"jsonrpc":"2.0","id":2,"method":"shows","params":{"conversation":"\#(long)"}}"# + "\n"
            )
            #expect(await raw.line()?.contains("-32602") == true)
            await raw.close()
            let client = try await ControlClient.connect(to: fixture.path)
            _ = try await client.call(NameOperation())
            await client.close()
            #expect(fixture.node.reports.isEmpty)
        }
    }
}
