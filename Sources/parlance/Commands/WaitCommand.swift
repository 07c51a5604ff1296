import ArgumentParser
import ParlanceControl
import ParlanceErrorCode
import ParlanceTexts
import ParlanceWords

/// `parlance wait [WHO...]`
struct WaitCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until this node is up and people are connected, and say who is missing.",
        discussion: """
            For scripts. Without WHO and options it waits until the daemon answers and has begun to look for others. With \
            WHO it waits for these people, with --people for so many, and with --members for all members of your workspace \
            that this computer knows. Only those whom you have accepted count. A name that nobody has yet is waited for, and a \
            daemon that is started again meanwhile too. When the time is up it says who is missing.

            Exit codes: 0 all are here; 1 the time is up, and somebody is missing; 2 no daemon has answered; 64 wrong usage; \
            65 several people have a name that you gave.

            Examples: parlance wait
                      parlance wait Bob Cleo --timeout 2m
                      parlance wait --people 39 --timeout 10m
            """
    )

    @Argument(help: "People.", completion: Completions.person)
    var who: [String] = []

    @Option(help: ArgumentHelp("How many people are to be connected.", valueName: "n"))
    var people: Int?

    @Flag(help: "Wait for all members of the workspace that this computer knows.")
    var members = false

    @Option(help: ArgumentHelp("For how long at most, such as 90s, 10m or 1h.", valueName: "time"))
    var timeout = "60s"

    @OptionGroup var options: Options

    func validate() throws {
        guard people.map({ $0 > 0 }) ?? true else { throw ValidationError(say("Give a number of people from 1.")) }
        guard [!who.isEmpty, people != nil, members].count(where: { $0 }) <= 1 else {
            throw ValidationError(say("Give only one of WHO, --people and --members."))
        }
        guard seconds != nil else {
            throw ValidationError(say("\"\(timeout)\" is not a length of time. Give one such as 90s, 10m or 1h."))
        }
    }

    private var seconds: Int? {
        guard let count = timeout.last == "s" ? Int(timeout.dropLast()) : Int(timeout) else {
            return PeriodText.seconds(of: timeout)
        }
        return count >= 0 ? count : nil
    }

    /// How long to wait before it looks again, or tries again to reach a daemon, in milliseconds.
    private static let retryMilliseconds: Int64 = 1_000

    var onlyShows: Bool { true }

    func run(_ session: Session) async throws {}

    func run() async throws {
        try await ErrorOutput.reporting(json: options.json) {
            Terminal.endWithOutput()
            let began = ContinuousClock.now
            let end = began.advanced(by: .seconds(seconds ?? 0))
            var session = try await opened(before: end)
            while true {
                do {
                    var report = try await report(session)
                    guard report.complete || ContinuousClock.now >= end else {
                        await Self.pause(before: end)
                        continue
                    }
                    report.seconds = Int(began.duration(to: .now).components.seconds)
                    session.terminal.write(
                        session.json
                            ? [JSONWriter.text(try JSONValueEncoder.encode(report))]
                            : report.lines.map { VisibleText.line($0) }
                    )
                    await session.close()
                    if !report.complete { throw ExitCode(1) }
                    return
                } catch let failure as ControlFailure where Self.isWithoutDaemon(failure) && ContinuousClock.now < end {
                    // It is started again, perhaps as a newer version.
                    await session.close()
                    session = try await opened(before: end)
                }
            }
        }
    }

    /// The session with the daemon, as soon as one answers.
    private func opened(before end: ContinuousClock.Instant) async throws -> Session {
        while true {
            do {
                return try await Session.open(options)
            } catch let failure as ControlFailure where Self.isWithoutDaemon(failure) && ContinuousClock.now < end {
                await Self.pause(before: end)
            }
        }
    }

    /// Whether there is no daemon, or one that ends.
    private static func isWithoutDaemon(_ failure: ControlFailure) -> Bool {
        failure.isConnectionLost || ["noDaemon", ErrorCode.stopping.rawValue].contains(failure.code)
    }

    private static func pause(before end: ContinuousClock.Instant) async {
        let left = ContinuousClock.now.duration(to: end) / .milliseconds(1)
        await ControlClient.pause(milliseconds: min(retryMilliseconds, max(1, Int64(left))))
    }

    private func report(_ session: Session) async throws -> WaitReport {
        if members { return try await reportOnMembers(session) }
        let reply = try await session.client.call(PeersOperation(who: who.isEmpty ? nil : who))
        let known = reply.peers.filter { $0.connected && [.accepted, .verified].contains($0.trust) }
        var report = WaitReport(connected: known.map(\.displayName))
        let others = reply.peers.filter { peer in !known.contains { $0.id == peer.id } }
        if !who.isEmpty {
            report.missing = others.map(\.displayName) + (reply.unknown ?? [])
            report.lacking = report.missing.count
        } else if let people {
            report.lacking = max(0, people - known.count)
            let accepted = others.filter { [.accepted, .verified].contains($0.trust) }
            report.missing = report.lacking > 0 ? accepted.map(\.displayName) : []
        } else {
            report.isStarting = try await session.client.call(StatusOperation()).discovery.state == .starting
        }
        if report.lacking > 0 {
            report.notAccepted = others.filter { $0.connected && $0.trust == .unknown }
        }
        return report
    }

    private func reportOnMembers(_ session: Session) async throws -> WaitReport {
        guard let workspace = try await session.client.call(WorkspaceShowOperation()).workspace else {
            throw ControlFailure(
                code: ErrorCode.noWorkspace.rawValue,
                message: "This node is in no workspace.",
                advice: "Join one first: parlance workspace join CODE"
            )
        }
        let connected = Set(workspace.connected.map(\.id))
        var report = WaitReport(connected: workspace.connected.map(\.displayName))
        report.missing = (workspace.members ?? []).filter { !connected.contains($0.id) }.map(\.displayName)
        report.lacking = report.missing.count
        return report
    }
}

/// What `wait` found.
private struct WaitReport: Encodable {
    /// The names of those who are connected.
    var connected: [String]
    /// The names of those who are missing, as far as they are known; of so many people, all who could be meant.
    var missing: [String] = []
    /// How many are missing, whether or not it is known who.
    var lacking = 0
    /// Those who could be meant and are connected, but whom the user has not accepted; programs are told their names.
    var notAccepted: [PeerInfo] = []
    /// Whether the node has not begun to look for others yet, and that is what was waited for.
    var isStarting = false
    /// How long it waited.
    var seconds = 0

    var complete: Bool { lacking == 0 && !isStarting }

    private enum CodingKeys: String, CodingKey { case complete, connected, missing, lacking, notAccepted, seconds }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(complete, forKey: .complete)
        try members.encode(connected, forKey: .connected)
        try members.encode(missing, forKey: .missing)
        try members.encode(lacking, forKey: .lacking)
        if !notAccepted.isEmpty { try members.encode(notAccepted.map(\.displayName), forKey: .notAccepted) }
        try members.encode(seconds, forKey: .seconds)
    }

    var lines: [String] {
        let strangers = notAccepted.map { "\($0.shownName) (\(PeerIDText.short($0.id)))" }.joined(separator: ", ")
        let advice = say("Connected, but not accepted by you: \(strangers). To accept: parlance accept ID")
        return [say("Connected: \(connected.count)")] + (complete ? [] : [lack]) + (strangers.isEmpty ? [] : [advice])
    }

    private var lack: String {
        let names = missing.map { NameText.plain($0) }.joined(separator: ", ")
        if isStarting { return say("The node has not begun to look for others after \(seconds) s: parlance doctor") }
        if missing.count > lacking { return say("Missing after \(seconds) s: \(lacking) of these: \(names)") }
        if missing.count == lacking { return say("Missing after \(seconds) s: \(lacking) (\(names))") }
        let strangers = lacking - missing.count
        if strangers <= notAccepted.count {
            return missing.isEmpty
                ? say("Missing after \(seconds) s: \(lacking)")
                : say("Missing after \(seconds) s: \(names), and \(strangers) more")
        }
        return missing.isEmpty
            ? say("Missing after \(seconds) s: \(lacking), whom this node has not met: parlance peers")
            : say("Missing after \(seconds) s: \(names), and \(strangers) whom this node has not met: parlance peers")
    }
}
