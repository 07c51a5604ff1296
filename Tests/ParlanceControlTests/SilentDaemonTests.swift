import Foundation
import NIOCore
import NIOEmbedded
import ParlanceWaiting
import Synchronization
import Testing

@testable import ParlanceControl

/// A daemon that takes connections and requests, and answers nothing.
@Suite(.timeLimit(.minutes(30))) struct SilentDaemonTests {
    private let channel = EmbeddedChannel()
    private let calls = PendingCalls(path: "/run/it")
    private let answers = Answers()

    private final class Answers: Sendable {
        let codes = Mutex<[String]>([])
    }

    init() { calls.opened(channel) }

    private func ask(_ method: String) {
        calls.send(method: method, params: nil) { [answers] result in
            let code = if case .failure(let failure) = result { failure.code } else { "answered" }
            answers.codes.withLock { $0.append(code) }
        }
    }

    /// What is said when the daemon has said nothing.
    private var codes: [String] { answers.codes.withLock { $0 } }

    /// The methods that were asked for since the last time, with their numbers.
    private func asked() throws -> [(id: Int64, method: String)] {
        channel.embeddedEventLoop.run()
        var requests: [(Int64, String)] = []
        while var bytes = try channel.readOutbound(as: ByteBuffer.self) {
            let text = bytes.readString(length: bytes.readableBytes) ?? ""
            for line in text.split(separator: "\n") {
                let json = try JSONParser.parse(Array(line.utf8))
                guard case .integer(let id) = json["id"], let method = json["method"]?.text else {
                    Issue.record("a request without an ID: \(line)")
                    continue
                }
                requests.append((id, method))
            }
        }
        return requests
    }

    private func answer(_ id: Int64) {
        calls.received(Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#.utf8))
    }

    private func pass(_ milliseconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
    }

    @Test func whatADaemonThatHangsLeavesUnansweredFails() throws {
        ask("status")
        #expect(try asked().map(\.method) == ["language", "status"])
        pass(ControlLimits.daemonSilentMilliseconds - 1)
        #expect(codes == [])
        pass(1)
        #expect(codes == ["daemonSilent"])
        #expect(calls.failure == .daemonSilent("/run/it"))
        #expect(ControlFailure.daemonSilent("/run/it").exitCode == 2)
        ask("status")
        #expect(codes == ["daemonSilent", "daemonSilent"])
    }

    /// An answer that takes long is waited for as long as the daemon answers greetings.
    @Test func aLongAnswerIsWaitedFor() throws {
        ask("ask")
        var waits = try asked()
        for _ in 1...20 {
            let greeting = try #require(waits.first { $0.method == "language" })
            answer(greeting.id)
            pass(ControlLimits.daemonSilentMilliseconds)
            #expect(codes == [])
            waits = try asked()
        }
        // It hangs in the middle of it.
        pass(ControlLimits.daemonSilentMilliseconds)
        #expect(codes == ["daemonSilent"])
    }

    /// A daemon that hangs sends no events, and nobody would know why.
    @Test func whoFollowsEventsNoticesADaemonThatHangs() throws {
        let sink = PendingCalls.Sink(
            deliver: { _ in },
            ended: { [answers] in answers.codes.withLock { $0.append("end") } }
        )
        _ = calls.subscribed(sink, .success(.object([.init("subscription", .integer(1))])))
        ask("status")
        for request in try asked() { answer(request.id) }
        for _ in 1...3 {
            pass(ControlLimits.daemonSilentMilliseconds)
            let greetings = try asked()
            #expect(greetings.map(\.method) == ["language"])
            for greeting in greetings { answer(greeting.id) }
        }
        #expect(codes == ["answered"] && calls.failure == nil)
        pass(2 * ControlLimits.daemonSilentMilliseconds)
        #expect(codes == ["answered", "end"])
        #expect(calls.failure == .daemonSilent("/run/it"))
    }

    /// Nothing goes on while nobody waits; the next request begins it again.
    @Test func whoWaitsForNothingAsksNothing() throws {
        ask("status")
        for request in try asked() { answer(request.id) }
        #expect(codes == ["answered"])
        pass(ControlLimits.daemonSilentMilliseconds * 100)
        #expect(try asked().isEmpty)
        ask("send")
        #expect(try asked().map(\.method) == ["language", "send"])
        pass(ControlLimits.daemonSilentMilliseconds)
        #expect(codes == ["answered", "daemonSilent"])
    }

    /// Each change is told once, and a silence with its beginning.
    @Test func whoReconnectsIsToldEachChangeOnce() {
        var absence = DaemonAbsence()
        /// What is told of some failures, one each second: whether anything, and since when the daemon is silent.
        func told(_ failures: [ControlFailure?], from start: Int64) -> [[Int64?]] {
            failures.enumerated().map { place, failure in
                let now = ControlTime(milliseconds: 1000 * (start + Int64(place)))
                let isTold = absence.failed(failure, at: now)
                return [isTold ? 1 : 0, absence.silentSince.map { $0.milliseconds / 1000 }]
            }
        }
        let silent = ControlFailure.daemonSilent("/run/it")
        let since = 30 - ControlLimits.daemonSilentMilliseconds / 1000
        #expect(told([silent, silent, silent], from: 30) == [[1, since], [0, since], [0, since]])
        #expect(told([.noDaemon("/run/it"), .connectionLost, nil], from: 40) == [[1, nil], [0, nil], [0, nil]])
        #expect(told([silent], from: 60) == [[1, since + 30]])
        let returns = [absence.answered(), absence.answered()]
        #expect(returns == [true, false] && absence.silentSince == nil)
        #expect(told([nil, nil], from: 90) == [[1, nil], [0, nil]])
    }

    /// The system refuses a connection while a program has not taken those before it. A crowd passes.
    @Test func aFullQueueIsWaitedFor() async throws {
        let folder = try ServerFixture.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let queue = try FullQueue(folder + "/control.sock")
        defer { queue.close() }
        // Who does not wait has heard of no silence.
        let path = queue.path
        let hasty = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ControlClient.connect(to: path)
        }
        await #expect(throws: CancellationError.self) { try await hasty.value }
        async let connecting = ControlClient.connect(to: path)
        queue.takeAll()
        try await connecting.close()
    }
}
