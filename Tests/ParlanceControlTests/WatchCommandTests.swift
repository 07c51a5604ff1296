import Foundation
import NIOCore
import NIOPosix
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceControl

/// The commands that go on and print what happens.
@Suite(.timeLimit(.minutes(30))) struct WatchCommandTests {
    /// Runs until the output satisfies a condition, and then ends the command.
    private func run(
        _ arguments: [String],
        socket: String,
        until isEnough: @escaping @Sendable (String) -> Bool
    ) async throws -> CommandTests.Outcome {
        let (process, output) = (Process(), Pipe())
        process.executableURL = BuiltCommand.url
        process.arguments = arguments
        process.environment = ["PARLANCE_SOCKET": socket, "HOME": "/nowhere", "TZ": "UTC"]
        process.standardOutput = output
        let text = Mutex("")
        output.fileHandleForReading.readabilityHandler = { handle in
            let piece = handle.availableData
            if piece.isEmpty { handle.readabilityHandler = nil }
            let isDone = text.withLock { text in
                text += String(decoding: piece, as: UTF8.self)
                return isEnough(text)
            }
            if isDone { process.terminate() }
        }
        return try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { process in
                let code = process.terminationStatus
                continuation.resume(
                    returning: CommandTests.Outcome(code: code, output: text.withLock { $0 }, errors: "")
                )
            }
            do { try process.run() } catch { continuation.resume(throwing: error) }
        }
    }

    @Test func watchPrintsEventsUntilTheDaemonStops() async throws {
        try await ServerFixture.with("Bob") { fixture in
            async let watching = fixture.run("watch", "--json", "--events", "message")
            try await eventually("somebody watches") { fixture.node.subscriberCount == 1 }
            fixture.node.emit(Sample.bob)
            _ = try await fixture.run("send", "Bob", "hello")
            fixture.node.emit(StoppingEvent(why: "test"))
            let outcome = try await watching
            #expect(outcome.code == 0)
            let lines = outcome.output.split(separator: "\n").map { try? JSONParser.parse(Array($0.utf8)) }
            #expect(lines.map { $0?["type"] } == [.string("message"), .string("stopping")])
            #expect(lines.first??["data"]?["text"] == .string("hello"))
        }
    }

    @Test func peersWatchTellsPeopleOnceThatTheDaemonStops() async throws {
        try await ServerFixture.with { fixture in
            async let watching = CommandTests.run(["peers", "--watch"], socket: fixture.path)
            try await eventually("somebody watches") { fixture.node.subscriberCount == 1 }
            fixture.node.emit(StoppingEvent(why: "The daemon stops."))
            let outcome = try await watching
            #expect(outcome.code == 0)
            #expect(outcome.output.split(separator: "\n").last?.dropFirst("12:34".count) == "  The daemon stops.")
        }
    }

    /// The second daemon at the same socket is the same node still; the stop is an event of its own.
    @Test func watchGoesOnWithTheNextDaemon() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let long = "a text of several words, " + String(repeating: "which goes on ", count: 3)
            async let watching = run(["watch"], socket: fixture.path, until: { $0.contains("Connected again.") })
            try await eventually("somebody watches") { fixture.node.subscriberCount == 1 }
            let id = try await fixture.write(long)
            fixture.node.emit(StoppingEvent(why: "The daemon stops."))
            let outcome = try await watching
            #expect(outcome.output.contains("  \(id)  You  \(long)"), "\(outcome)")
            #expect(outcome.output.contains("  The daemon stops.\n"))
            #expect(outcome.output.contains("  Connected again."))
        }
    }

    /// What the line does not name, such as an address, may change with the link.
    @Test func aReconnectionIsToldOnce() async throws {
        try await ServerFixture.with { fixture in
            async let watching = run(["watch"], socket: fixture.path, until: { $0.contains("Waiting for") })
            try await eventually("somebody watches") { fixture.node.subscriberCount == 1 }
            var bob = Sample.bob
            fixture.node.emit(bob)
            bob.addresses = ["127.0.0.1:40123"]
            fixture.node.emit(bob)
            (bob.connected, bob.nearby) = (false, false)
            fixture.node.emit(bob)
            fixture.node.emit(Sample.bob)
            fixture.node.emit(StoppingEvent(why: "The daemon stops."))
            let lines = try await watching.output.split(separator: "\n").map { $0.dropFirst("12:34  ".count) }
            let told = lines.filter { $0.hasPrefix("Bob (") }.map { $0.contains(" is connected") }
            #expect(told == [true, false, true], "\(lines)")
        }
    }

    /// A node that stops ends its presence, its link and its announcement, one after the other.
    @Test(arguments: [["watch"], ["watch", "--events", "presence,stopping"], ["watch", "--json"]])
    func aStopIsOneLine(_ words: [String]) async throws {
        try await ServerFixture.with { fixture in
            async let watching = run(words, socket: fixture.path, until: { $0.contains("The daemon stops.") })
            try await eventually("somebody watches") { fixture.node.subscriberCount == 1 }
            // As a node tells of one that stops: its presence, the link, a dial that fails, and its announcement.
            var bob = Sample.bob
            func stop() {
                bob.connected = false
                fixture.node.emit(PresenceEvent(peer: bob.id, displayName: "Bob", presence: .offline))
                for note in ["Bob's node was stopped", "Bob's computer answers, and Parlance does not run there"] {
                    bob.note = Phrase(verbatim: note)
                    fixture.node.emit(bob)
                }
                (bob.nearby, bob.note) = (false, "Bob's node was stopped")
                fixture.node.emit(bob)
            }
            stop()
            // He comes again, and stops again; before the first line nothing was told of him.
            (bob.nearby, bob.note) = (true, nil)
            fixture.node.emit(bob)
            bob.connected = true
            fixture.node.emit(bob)
            stop()
            // Who comes and goes without a link is news.
            var cleo = bob
            (cleo.id, cleo.name, cleo.displayName) = ("cleo" + bob.id.dropFirst(4), "Cleo", "Cleo")
            (cleo.nearby, cleo.note) = (true, nil)
            fixture.node.emit(cleo)
            cleo.nearby = false
            fixture.node.emit(cleo)
            fixture.node.emit(StoppingEvent(why: "The daemon stops."))
            let lines = try await watching.output.split(separator: "\n")
            let (ofBob, ofCleo) = (lines.count { $0.contains("Bob") }, lines.count { $0.contains("Cleo") })
            switch words.count {
            case 1: #expect(ofBob == 4 && ofCleo == 2, "\(lines)")
            case 2: #expect(ofBob == 10 && ofCleo == 2, "\(lines)")
            default: #expect(ofBob == 2 && lines.contains { $0.contains("Bob is offline") }, "\(lines)")
            }
        }
    }

    /// It takes two connections without an answer, and answers on the third. The silence is told once, and the return when
    /// it is true.
    @Test func aDaemonThatHangsIsNotBack() async throws {
        let folder = try ServerFixture.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let path = folder + "/control.sock"
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { [connections = Connections()] channel in
                let isAnswered = connections.next() > 2
                return channel.eventLoop.makeCompletedFuture {
                    if isAnswered { try channel.pipeline.syncOperations.addHandler(Subscriber()) }
                }
            }
            .bind(unixDomainSocketPath: path).get()
        let output = try await run(["watch"], socket: path, until: { $0.contains("Connected again.") }).output
        try await server.close().get()
        let lines = output.split(separator: "\n").map { $0.dropFirst("12:34  ".count) }
        #expect(lines.count == 3, "\(output)")
        #expect(lines.first?.hasPrefix("The daemon has not answered since ") == true, "\(output)")
        #expect(lines.dropFirst().first?.hasPrefix("Waiting for the daemon") == true, "\(output)")
    }

    @Test func aMutedConversationIsQuiet() async throws {
        try await ServerFixture.with("Bob") { fixture in
            async let watching = run(["watch"], socket: fixture.path, until: { $0.contains("Waiting for") })
            async let program = fixture.run("watch", "--json")
            try await eventually("both watch") { fixture.node.subscriberCount == 2 }
            _ = try await fixture.ada.call(MuteOperation(who: "Bob"))
            _ = try await fixture.hear("quiet", from: fixture.bob)
            _ = try await fixture.ada.call(UnmuteOperation(who: "Bob"))
            _ = try await fixture.hear("loud", from: fixture.bob)
            fixture.node.emit(StoppingEvent(why: "The daemon stops."))
            let shown = try await watching.output
            #expect(shown.contains("  Bob  loud\n") && !shown.contains("quiet"), "\(shown)")
            #expect(try await program.output.contains("\"muted\":true"), "programs decide for themselves")
        }
    }
}

/// Counts connections.
private final class Connections: Sendable {
    private let count = Mutex(0)

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Answers every request as if it were a subscription.
private final class Subscriber: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private var splitter = LineSplitter(limit: ControlLimits.replyLineBytes)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        splitter.append(&bytes)
        while let line = try? splitter.next() {
            guard let json = try? JSONParser.parse(line), case .integer(let id) = json["id"] else { continue }
            let reply = ByteBuffer(string: #"{"jsonrpc":"2.0","id":\#(id),"result":{"subscription":1}}"# + "\n")
            context.channel.writeAndFlush(reply, promise: nil)
        }
    }
}
