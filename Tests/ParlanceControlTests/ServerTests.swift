import Foundation
import NIOCore
import NIOPosix
import ParlanceWaiting
import Synchronization
import Testing

@testable import ParlanceControl

@Suite(.timeLimit(.minutes(30))) struct ServerTests {
    private func json(_ line: String?) throws -> JSON {
        try JSONParser.parse(Array((line ?? "").utf8))
    }

    private func errorNumber(_ line: String?) throws -> JSON? {
        try json(line)["error"]?["code"]
    }

    @Test func answersEveryStandardErrorAndGoesOn() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let raw = try await RawConnection.open(fixture.path)
            let lines: [(String, Int64)] = [
                ("{", -32700), ("\"\u{1}\"", -32700), ("[]", -32600), ("{}", -32600),
                (#"{"jsonrpc":"2.0","id":1,"method":"nope"}"#, -32601),
                (#"{"jsonrpc":"2.0","id":1,"method":"send","params":{}}"#, -32602),
                (#"{"jsonrpc":"2.0","id":1,"method":"send","params":{"who":"Bob","text":" "}}"#, 1006),
            ]
            for (line, number) in lines {
                try await raw.write(line + "\n")
                let answer = try json(await raw.line())
                #expect(answer["error"]?["code"] == .integer(number))
                #expect(answer["error"]?["data"]?["advice"]?.text?.isEmpty == false)
            }
            try await raw.write([0x22, 0xFF, 0x22, 0x0A])
            #expect(try errorNumber(await raw.line()) == .integer(-32700))
            try await raw.write(String(repeating: "[", count: 500_000) + "\n")
            #expect(try errorNumber(await raw.line()) == .integer(-32700))
            try await raw.write(#"{"jsonrpc":"2.0","id":"x","method":"name"}"# + "\n")
            #expect(await raw.line() == #"{"jsonrpc":"2.0","id":"x","result":{"name":"Ada"}}"#)
            await raw.close()
        }
    }

    @Test func answersDripFedBytes() async throws {
        try await ServerFixture.with { fixture in
            let raw = try await RawConnection.open(fixture.path)
            for byte in #"{"jsonrpc":"2.0","id":1.5,"method":"name"}"#.utf8 { try await raw.write([byte]) }
            try await raw.write("\r\n")
            #expect(await raw.line() == #"{"jsonrpc":"2.0","id":1.5,"result":{"name":"Ada"}}"#)
            await raw.close()
        }
    }

    @Test func batchesAreAnsweredTogetherAndNotificationsNotAtAll() async throws {
        try await ServerFixture.with { fixture in
            let raw = try await RawConnection.open(fixture.path)
            try await raw.write(
                #"[{"jsonrpc":"2.0","id":1,"method":"name"},{"jsonrpc":"2.0","method":"name","params":{"name":"Eve"}},"#
                    + #"3,{"jsonrpc":"2.0","id":2,"method":"nope"},{"jsonrpc":"2.0","method":"nope"}]"# + "\n"
            )
            guard case .array(let answers) = try json(await raw.line()) else {
                Issue.record("no array")
                return
            }
            #expect(answers.count == 3)
            let byID = answers.map { ($0["id"], $0["error"]?["code"] ?? $0["result"]?["name"]) }
            #expect(byID.contains { $0 == (.integer(1), .string("Ada")) })
            #expect(byID.contains { $0 == (.null, .integer(-32600)) })
            #expect(byID.contains { $0 == (.integer(2), .integer(-32601)) })
            // A batch of notifications alone gets no line; the next line answers the request after it.
            try await raw.write(
                #"[{"jsonrpc":"2.0","method":"name"}]"# + "\n" + #"{"jsonrpc":"2.0","method":"nope"}"# + "\n"
            )
            try await eventually("the name is another one") {
                try await fixture.ada.call(NameOperation()).name == "Eve"
            }
            try await raw.write(#"{"jsonrpc":"2.0","id":9,"method":"name"}"# + "\n")
            #expect(await raw.line() == #"{"jsonrpc":"2.0","id":9,"result":{"name":"Eve"}}"#)
            await raw.close()
        }
    }

    @Test func aLineOverTheLimitEndsTheConnectionWithAReason() async throws {
        try await ServerFixture.with { fixture in
            let raw = try await RawConnection.open(fixture.path)
            raw.push(String(repeating: " ", count: ControlLimits.requestLineBytes + 1))
            #expect(try errorNumber(await raw.line()) == .integer(-32600))
            #expect(await raw.line() == nil)
        }
    }

    @Test func answersWhatCameBeforeTheEndOfInput() async throws {
        try await ServerFixture.with { fixture in
            let raw = try await RawConnection.open(fixture.path)
            try await raw.write(
                #"{"jsonrpc":"2.0","id":1,"method":"name"}"# + "\n" + #"{"jsonrpc":"2.0","id":2,"method":"id"}"#
            )
            try await raw.closeOutput()
            var ids: [JSON?] = []
            while let line = await raw.line() { ids.append(try json(line)["id"]) }
            #expect(ids == [.integer(1), .integer(2)])
        }
    }

    @Test func onlyTheOwnerMayReachTheSocket() async throws {
        let seen = Mutex<Int?>(nil)
        let refuse: @Sendable (Int) -> Bool = { uid in
            seen.withLock { $0 = uid }
            return false
        }
        try await ServerFixture.with(admits: refuse) { fixture in
            let attributes = try FileManager.default.attributesOfItem(atPath: fixture.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let folder = try FileManager.default.attributesOfItem(atPath: fixture.folder + "/sub")
            #expect(folder[.posixPermissions] as? Int == 0o700)
            let raw = try await RawConnection.open(fixture.path)
            #expect(try errorNumber(await raw.line()) == .integer(1014))
            #expect(await raw.line() == nil)
            #expect(seen.withLock { $0 } == Int(getuid()))
            #expect(fixture.node.handled == 0)
        }
    }

    @Test func refusesOneConnectionTooMany() async throws {
        try await ServerFixture.with { fixture in
            var open: [RawConnection] = []
            for _ in 0..<ControlLimits.connections { open.append(try await RawConnection.open(fixture.path)) }
            // Each connection is served before the next one asks.
            for raw in open {
                try await raw.write(#"{"jsonrpc":"2.0","id":1,"method":"name"}"# + "\n")
                #expect(try json(await raw.line())["result"] != nil)
            }
            let extra = try await RawConnection.open(fixture.path)
            #expect(try errorNumber(await extra.line()) == .integer(1011))
            #expect(await extra.line() == nil)
            for raw in open { await raw.close() }
        }
    }

    @Test func replacesADeadSocketButNeverALiveOneOrAFile() async throws {
        try await ServerFixture.with { fixture in
            let second = ControlServer(
                path: fixture.path,
                node: fixture.node,
                group: MultiThreadedEventLoopGroup.singleton
            )
            await #expect(throws: ControlError.self) { try await second.start() }
            let client = try await ControlClient.connect(to: fixture.path)
            #expect(try await client.call(NameOperation()) == NameReply(name: "Ada"))
            await client.close()

            // A socket file whose process ended without removing it.
            let dead = fixture.folder + "/dead.sock"
            let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .bind(unixDomainSocketPath: fixture.folder + "/moved.sock").get()
            #expect(rename(fixture.folder + "/moved.sock", dead) == 0)
            try await listener.close().get()
            let third = ControlServer(path: dead, node: fixture.node, group: MultiThreadedEventLoopGroup.singleton)
            try await third.start()
            await third.stop()
            #expect(!FileManager.default.fileExists(atPath: dead))

            let file = fixture.folder + "/file"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
            let fourth = ControlServer(path: file, node: fixture.node, group: MultiThreadedEventLoopGroup.singleton)
            await #expect(throws: ControlError.self) { try await fourth.start() }
            #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data("precious".utf8))
        }
    }

    @Test func refusesAFolderThatOthersCanWriteTo() async throws {
        try await ServerFixture.with { fixture in
            let folder = fixture.folder + "/open"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            #expect(chmod(folder, 0o777) == 0)
            let group = MultiThreadedEventLoopGroup.singleton
            let server = ControlServer(path: folder + "/control.sock", node: fixture.node, group: group)
            await #expect(throws: ControlError.self) { try await server.start() }
        }
    }

    @Test func stopsReadingFromAClientWhoseRequestsAreNotAnswered() async throws {
        // One thread serves all connections, so an answer on one of them shows that the others have had their turn.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        try await ServerFixture.with(group: group) { fixture in
            fixture.node.hold()
            let raw = try await RawConnection.open(fixture.path)
            let count = 3 * ControlLimits.unansweredHighWater
            for number in 0..<count { raw.push(#"{"jsonrpc":"2.0","id":\#(number),"method":"name"}"# + "\n") }
            try await eventually("the server reads no more") {
                fixture.node.handled >= ControlLimits.unansweredHighWater
            }
            // The server reads no more requests on this connection, but answers on another one.
            let other = try await RawConnection.open(fixture.path)
            try await other.write("{\n")
            _ = await other.line()
            #expect(fixture.node.handled == ControlLimits.unansweredHighWater)
            fixture.node.release()
            var answered = 0
            while answered < count, await raw.line() != nil { answered += 1 }
            #expect(answered == count)
            await raw.close()
            await other.close()
        }
        try await group.shutdownGracefully()
    }

    @Test func keepsTheOrderOfPipelinedSends() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let client = try await ControlClient.connect(to: fixture.path)
            let sequences = Mutex<[UInt64]>([])
            for number in 1...5000 {
                client.send(SendOperation(who: "Bob", text: "text \(number)")) { result in
                    if case .success(let sent) = result { sequences.withLock { $0.append(sent.sequence) } }
                }
            }
            try await eventually("all are answered", last: "\(sequences.withLock { $0.count })") {
                sequences.withLock { $0.count } == 5000
            }
            let all = sequences.withLock { $0 }
            #expect(all == (0..<5000).map { all[0] + $0 })
            #expect(try await fixture.texts == (1...5000).map { "text \($0)" })
            await client.close()
        }
    }

    /// At a stop each request is either answered, or refused and not performed, so no caller has to guess whether to
    /// repeat it.
    @Test func stopAnswersWhatWasTakenAndRefusesTheRest() async throws {
        // However slow the machine is, the server gives up on nobody.
        try await ServerFixture.with(stopSeconds: 600) { fixture in
            fixture.node.hold()
            let client = try await ControlClient.connect(to: fixture.path)
            let answers = Mutex<[String]>([])
            let ask: @Sendable () -> Void = {
                client.send(NameOperation()) { result in
                    let code = if case .failure(let failure) = result { failure.code } else { "answered" }
                    answers.withLock { $0.append(code) }
                }
            }
            for _ in 0..<100 { ask() }
            try await eventually("all calls came") { fixture.node.handled == 100 }
            async let stopped: Void = fixture.server.stop()
            try await eventually("the server refuses a call") {
                ask()
                return answers.withLock { !$0.isEmpty }
            }
            #expect(answers.withLock { $0.first } == "stopping")
            let handled = fixture.node.handled
            fixture.node.release()
            await stopped
            try await eventually("every call that was taken is answered") {
                answers.withLock { $0.count { $0 == "answered" } } == handled
            }
            await client.close()
            #expect(fixture.node.handled == handled)
        }
    }

    /// The system does not say whose socket it is once the daemon has died: that is no other user.
    @Test func whoDiesWhileAClientConnectsIsNobodyElse() {
        func refusal(_ uid: Int?, own: Int, any: Bool = false) -> ControlFailure? {
            ControlClient.refusal(of: uid, own: own, ofAnyUser: any, "/run/it")
        }
        for own in [0, 1000] {
            #expect(refusal(nil, own: own) == .connectionLost && refusal(-1, own: own) == .connectionLost)
            #expect(refusal(own, own: own) == nil)
            #expect(refusal(1001, own: own) == .servedByAnother("/run/it", isRoot: own == 0))
        }
        #expect(refusal(-1, own: 0, any: true) == .connectionLost && refusal(1001, own: 0, any: true) == nil)
        #expect(refusal(1001, own: 1000, any: true) == .servedByAnother("/run/it", isRoot: false))
    }

    @Test func stopTellsNobodyAnswersAfterwards() async throws {
        try await ServerFixture.with { fixture in
            let client = try await ControlClient.connect(to: fixture.path)
            _ = try await client.call(IDOperation())
            await fixture.server.stop()
            #expect(!FileManager.default.fileExists(atPath: fixture.path))
            await #expect(throws: ControlFailure.self) { try await client.call(IDOperation()) }
            await #expect(throws: ControlFailure.noDaemon(fixture.path)) {
                try await ControlClient.connect(to: fixture.path)
            }
        }
    }
}
