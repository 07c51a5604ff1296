import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance wait [WHO...]`
struct WaitCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "wait",
        abstract: "Wait until this node is up and people are connected, and say who is missing.",
        discussion: """
            For scripts. Without WHO and options it waits until the daemon answers and has begun to look for others. With \
            WHO it waits for these people, with --people for so many whom you have accepted, and with --members for all \
            members of your workspace that this computer knows.

            Exit codes: 0 all are here; 1 the time is up, and somebody is missing; 2 no daemon has answered; 64 wrong usage; \
            65 several people have a name that you gave.

            Examples: parlance wait
                      parlance wait Bob Cleo --timeout 2m
                      parlance wait --people 39 --timeout 10m
            """
    )

    @Argument(help: "People, by name or by the beginning of the peer ID.")
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

    /// How long to wait before it looks again, in milliseconds.
    private static let retryMilliseconds: Int64 = 250

    func run() async throws {
        try await ErrorOutput.reporting(json: options.json) {
            let began = ContinuousClock.now
            let end = began.advanced(by: .seconds(seconds ?? 0))
            let session = try await opened(before: end)
            while true {
                var report = try await report(session)
                let isOver = ContinuousClock.now >= end
                if report.complete || isOver {
                    report.seconds = Int(began.duration(to: .now).components.seconds)
                    session.terminal.write(
                        session.json
                            ? [JSONWriter.text(try JSONValueEncoder.encode(report))]
                            : report.lines.map { VisibleText.line($0) }
                    )
                    await session.close()
                    if !report.complete { throw ExitCode(1) }
                    return
                }
                await ControlClient.pause(milliseconds: Self.retryMilliseconds)
            }
        }
    }

    func run(_ session: Session) async throws {}

    /// The session with the daemon, as soon as one answers.
    private func opened(before end: ContinuousClock.Instant) async throws -> Session {
        while true {
            do {
                return try await Session.open(options)
            } catch let failure as ControlFailure
                where ["noDaemon", "connectionLost"].contains(failure.code) && ContinuousClock.now < end
            {
                await ControlClient.pause(milliseconds: Self.retryMilliseconds)
            }
        }
    }

    private func report(_ session: Session) async throws -> WaitReport {
        let peers = try await session.client.call(PeersOperation()).peers
        let known = peers.filter { [.accepted, .verified].contains($0.trust) }
        var report = WaitReport(connected: known.filter(\.connected).map(\.displayName))
        if members {
            let workspace = try await session.client.call(WorkspaceShowOperation()).workspace
            guard let workspace else {
                throw ControlFailure(
                    code: ControlError.Code.noWorkspace.rawValue,
                    message: "This node is in no workspace.",
                    advice: "Join one first: parlance workspace join CODE"
                )
            }
            let connected = Set(workspace.connected.map(\.id))
            report.connected = workspace.connected.map(\.displayName)
            report.missing = (workspace.members ?? []).filter { !connected.contains($0.id) }.map(\.displayName)
            report.lacking = report.missing.count
        } else if let people {
            report.lacking = max(0, people - report.connected.count)
            report.missing = report.lacking > 0 ? known.filter { !$0.connected }.map(\.displayName) : []
        } else if !who.isEmpty {
            let wanted = try who.map { (typed: $0, peer: try Self.find($0, in: peers)) }
            report.connected = wanted.filter { $0.peer?.connected == true }.map { $0.peer?.displayName ?? $0.typed }
            report.missing = wanted.filter { $0.peer?.connected != true }.map { $0.peer?.displayName ?? $0.typed }
            report.lacking = report.missing.count
        } else {
            let discovery = try await session.client.call(StatusOperation()).discovery.state
            report.lacking = discovery == .starting ? 1 : 0
        }
        report.complete = report.lacking == 0
        return report
    }

    /// The person that a word means; `nil`: nobody yet.
    private static func find(_ typed: String, in peers: [PeerInfo]) throws(ControlFailure) -> PeerInfo? {
        let word = typed.lowercased()
        let shown = peers.filter { $0.displayName.lowercased() == word }
        let found =
            shown.count == 1
            ? shown
            : peers.filter { peer in
                [peer.alias, peer.name, peer.newName].contains { $0?.lowercased() == word }
                    || word.count >= shortestID && peer.id.hasPrefix(word.filter { $0 != " " })
            }
        guard found.count <= 1 else {
            throw ControlFailure(
                code: ControlError.Code.ambiguousPeer.rawValue,
                message: "Several people are called \(NameText.plain(typed)).",
                advice: "Give the beginning of a peer ID: parlance peers"
            )
        }
        return found.first
    }

    /// How much of a peer ID is needed, in characters.
    private static let shortestID = 8
}

/// What `wait` found.
private struct WaitReport: Encodable {
    var complete = false
    /// The names of those who are connected.
    var connected: [String]
    /// The names of those who are known and missing.
    var missing: [String] = []
    /// How many are missing, whether or not it is known who.
    var lacking = 0
    /// How long it waited.
    var seconds = 0

    var lines: [String] {
        let here = say("Connected: \(connected.count)")
        guard lacking > 0 else { return [here] }
        let names = missing.map { NameText.plain($0) }.joined(separator: ", ")
        return [
            here,
            names.isEmpty
                ? say("Missing after \(seconds) s: \(lacking)")
                : say("Missing after \(seconds) s: \(lacking) (\(names))"),
        ]
    }
}
