import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance watch`
struct WatchCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Print what happens, as it happens.",
        discussion: """
            New messages, their statuses, what is edited or deleted, groups that change, people who come and go, who \
            types, who asks to talk. Each message shows its ID, for commands such as 'parlance reply'. Messages of a muted \
            conversation are left out, unless they mention you; --json has them, with "muted". When the daemon \
            stops, it waits for the next one and goes on; what came in between is in 'parlance history'.

            With --json each line is {"type":..., "data":...}; protocol/control-reference.md describes every type. It \
            then ends when the daemon stops, so that a program knows that it may have missed something.

            Example: parlance watch --events message,request
            """
    )

    @Option(
        help: "Only these kinds, separated by commas: \(Self.kinds).",
        completion: .list(ControlEventKind.allCases.map(\.rawValue))
    )
    var events: String?

    @OptionGroup var options: Options

    private static let kinds = ControlEventKind.allCases.map(\.rawValue).joined(separator: ", ")

    func validate() throws {
        _ = try chosen()
    }

    private func chosen() throws -> Set<ControlEventKind>? {
        guard let events else { return nil }
        return Set(
            try events.split(separator: ",").map { word in
                guard let kind = ControlEventKind(rawValue: word.trimming(" ")) else {
                    throw ValidationError(say("'\(word)' is not a kind of event. Kinds: \(Self.kinds)."))
                }
                return kind
            }
        )
    }

    /// How long to wait before each attempt to reach a daemon that has stopped, in milliseconds.
    private static let retryMilliseconds: Int64 = 500

    func run(_ session: Session) async throws {
        var (session, absence) = (session, DaemonAbsence())
        while true {
            let hasPeers = try chosen()?.contains(PeerInfo.kind) ?? true
            let printer = EventPrinter(session: session, hasPeers: hasPeers)
            do {
                // A daemon that takes the connection and hangs is not back.
                let events = try await session.client.events(SubscriptionFilter(events: try chosen()))
                if absence.answered() {
                    printer.tell(say("Connected again. What came in between: parlance conversations"), .good)
                }
                try await printer.follow(events)
                if session.json { return }
                tell(nil, &absence, printer)
            } catch let failure as ControlFailure where failure.isConnectionLost && !session.json {
                tell(failure, &absence, printer)
            }
            await session.close()
            session = try await next(&absence, printer)
        }
    }

    /// Waits for a daemon that takes connections.
    private func next(_ absence: inout DaemonAbsence, _ printer: EventPrinter) async throws -> Session {
        while true {
            await ControlClient.pause(milliseconds: Self.retryMilliseconds)
            do {
                return try await Session.open(options)
            } catch let failure as ControlFailure where failure.code == "noDaemon" || failure.isConnectionLost {
                tell(failure, &absence, printer)
            }
        }
    }

    /// Says once what has become of the daemon.
    ///
    /// - Parameter failure: `nil` if the daemon has said that it stops.
    private func tell(_ failure: ControlFailure?, _ absence: inout DaemonAbsence, _ printer: EventPrinter) {
        let clock = LocalClock.system()
        guard absence.failed(failure, at: clock.now) else { return }
        if let since = absence.silentSince {
            printer.tell(say(DaemonAbsence.words(silentSince: since, clock)), .bad)
        } else if let failure {
            printer.tell(say(failure.message), .bad)
        }
        printer.tell(say("Waiting for the daemon; Ctrl-C ends this."), .faint)
    }
}

extension Substring {
    /// The text without a character at its ends.
    fileprivate func trimming(_ character: Character) -> String {
        String(drop { $0 == character }.reversed().drop { $0 == character }.reversed())
    }
}
