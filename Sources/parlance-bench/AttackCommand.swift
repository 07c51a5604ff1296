import ArgumentParser
import Foundation
import ParlanceControl

/// Floods a daemon's peer port, and says what its friends notice of it.
struct AttackCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "A friend's messages before and during a flood of the peer port, and how soon it is over after it."
    )

    @Option(help: "The control socket of a friend, who writes to the daemon that is attacked.")
    var socket: String?

    @Option(help: "Whom it writes to: the daemon that is attacked.")
    var to: String?

    @Option(help: "The port that is attacked, as 192.0.2.7:4747.")
    var target: String

    @Option(help: "half-open, drip (one byte a second), handshakes or links.")
    var kind = Flood.Kind.halfOpen.rawValue

    @Option(help: "How many connections are wanted all the time.")
    var connections = 10_000

    @Option(help: "How many are started in a second at most.")
    var rate = 2_000

    @Option(help: "Addresses to come from, as 10.78.0.1+1000.")
    var sources: String?

    @Option(help: "How long, in seconds.")
    var seconds = 20

    @Option(name: .customLong("pid"), help: "The process that is attacked, to see its memory.")
    var process: Int32?

    func measure() async throws {
        guard let kind = Flood.Kind(rawValue: kind) else {
            let kinds = Flood.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw BenchError("\(kind) is no kind of attack; there are \(kinds)")
        }
        let target = try Target(target, sources: sources)
        Self.raiseLimit()
        let friend = try await friend()
        var values: [String: Double] = [:]
        values["before_p99_ms"] = try await friend?.latencies(for: 3).percentile(99)
        let memory = Self.residentMegabytes(process)
        let flood = Flood(kind, target, connections: connections, startsPerSecond: rate)
        flood.start()
        if let friend {
            let during = try await friend.latencies(for: seconds)
            values["p50_ms"] = during.percentile(50)
            values["p99_ms"] = during.percentile(99)
            values["messages"] = Double(during.count)
        } else {
            await Self.pass(seconds)
        }
        let grown = Self.residentMegabytes(process)
        let figures = flood.stop()
        values["recovery_s"] = try await Self.recovery(Target(self.target, sources: nil))
        values["after_p99_ms"] = try await friend?.latencies(for: 3).percentile(99)
        if let memory, let grown { values["memory_growth_mb"] = grown - memory }
        values["started"] = Double(figures.started)
        values["refused"] = Double(figures.refused)
        values["closed"] = Double(figures.closed)
        values["held_most"] = Double(figures.heldMost)
        values["handshakes"] = Double(figures.answered)
        values["handshakes_per_second"] = Double(figures.answered) / Double(seconds)
        Report(values).print()
        await friend?.client.close()
    }

    private func friend() async throws -> Friend? {
        guard let socket, let to else { return nil }
        let client = try await ControlClient.connect(to: socket)
        let deliveries = Deliveries()
        try await deliveries.follow(client)
        return Friend(client: client, deliveries: deliveries, to: to)
    }

    /// Every connection takes a descriptor.
    private static func raiseLimit() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    /// Waits without keeping a thread of the pool.
    private static func pass(_ seconds: Int) async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { continuation.resume() }
        }
    }

    /// Seconds until a newcomer's first message is answered, by somebody who tries again and again.
    private static func recovery(_ target: Target) async throws -> Double {
        let began = ContinuousClock.now
        while began.duration(to: .now) < .seconds(60) {
            if Probe.isAnswered(target) { return began.duration(to: .now).seconds }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { continuation.resume() }
            }
        }
        throw BenchError("no newcomer was let in within 60 s after the attack")
    }

    private static func residentMegabytes(_ process: Int32?) -> Double? {
        guard let process, let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return kilobytes / 1024
    }
}

/// Who writes to the one that is attacked, one message at a time.
private struct Friend {
    let client: ControlClient
    let deliveries: Deliveries
    let to: String

    /// Milliseconds from each request to delivered, sorted.
    func latencies(for seconds: Int) async throws -> [Double] {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        var milliseconds: [Double] = []
        while clock.now < end {
            let began = clock.now
            let sent = try await client.call(SendOperation(who: to, text: "in the storm"))
            let delivered = try await deliveries.reached(sent.sequence, in: sent.conversation)
            milliseconds.append((delivered - began).milliseconds)
        }
        return milliseconds.sorted()
    }
}

/// A newcomer who is let in, or not.
enum Probe {
    static func isAnswered(_ target: Target) -> Bool {
        let descriptor = target.connect(isBlocking: true)
        guard descriptor >= 0, let newcomer = try? Newcomer() else { return false }
        defer { close(descriptor) }
        var patience = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var next = newcomer.beginning
        while !newcomer.isLinked {
            if !next.isEmpty, send(descriptor, next, next.count, Int32(MSG_NOSIGNAL)) != next.count { return false }
            var answer = [UInt8](repeating: 0, count: 1024)
            let count = recv(descriptor, &answer, answer.count, 0)
            guard count > 0, let more = try? newcomer.receive(answer[..<count]) else { return false }
            next = more
        }
        return true
    }
}
