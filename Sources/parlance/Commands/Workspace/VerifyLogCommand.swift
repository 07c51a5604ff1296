import ArgumentParser
import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

/// `parlance verify-log FILE`
struct VerifyLogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-log",
        abstract: "Check the audit log of a workspace, without a daemon.",
        discussion: """
            It checks every signature, that no line was changed, and that each line says what follows from the events in \
            the log: who was an admin, who was excluded, which change counted.

            Whoever gives you a log can leave out events that no other event in it had seen, such as the last ones. Only \
            the last hash shows that: compare it with another member's.

            Exit codes: 0 valid; 65 not valid; 1 or 77 the file cannot be read.

            It shows the names of admins that the daemon of this computer knows, if there is one.

            Example: parlance verify-log ship.log
            """
    )

    @Argument(help: "The audit log.")
    var file: UserPath

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await ErrorOutput.reporting(json: json) {
            Terminal.endWithOutput()
            let text = try read()
            let charter: Charter
            do throws(CharterLog.Fault) {
                charter = try CharterLog.check(text)
            } catch {
                throw failure(error)
            }
            let report = VerifiedLog(charter)
            guard !json else {
                return Terminal.standardOutput.write([JSONWriter.text(try JSONValueEncoder.encode(report))])
            }
            let names = await Self.knownNames()
            Terminal.standardOutput.write(report.lines(names).map { VisibleText.line($0) })
        }
    }

    /// The names that the daemon of this computer knows, by peer ID; none if there is no daemon.
    private static func knownNames() async -> [String: String] {
        let paths = try? ControlPaths(
            profile: nil,
            dataDirectory: nil,
            socket: nil,
            environment: Terminal.environment
        )
        guard let socket = paths?.socketToUse(), let client = try? await ControlClient.connect(to: socket) else {
            return [:]
        }
        let own = try? await client.call(StatusOperation())
        let peers = (try? await client.call(PeersOperation()).peers) ?? []
        await client.close()
        let named = peers.map { ($0.id, $0.displayName) } + (own.map { [($0.peerID, $0.name)] } ?? [])
        return Dictionary(named) { first, _ in first }
    }

    private func read() throws(ControlFailure) -> [UInt8] {
        let advice = Phrase("Nothing was checked.")
        if let bytes = try InputFile.bytes(of: file, limit: Limits.charterLogBytes, advice: advice) { return bytes }
        throw ControlFailure(
            code: ControlFailure.fileTooLarge,
            message: "\(file.shown) is larger than any audit log.",
            advice: advice
        )
    }

    private func failure(_ fault: CharterLog.Fault) -> ControlFailure {
        ControlFailure(
            code: ControlFailure.logInvalid,
            message: fault.reason.message(of: fault.line, in: file.shown),
            advice: "Do not rely on this log. Get it again, from another member if need be."
        )
    }
}

extension CharterLog.Reason {
    fileprivate func message(of line: Int, in file: String) -> Phrase {
        switch self {
        case .empty: Phrase("\(file) is empty.")
        case .form:
            Phrase(
                "\(file) is not an audit log of a workspace (parlance workspace log --json writes one), or of a later form than this program knows."
            )
        case .line: Phrase("Line \(line) of \(file) is not a line of an audit log, or is cut off.")
        case .chain: Phrase("Line \(line) of \(file) was changed, or a line before it was changed, added or taken out.")
        case .event: Phrase("Line \(line) of \(file) contains no event of this workspace.")
        case .signature: Phrase("Line \(line) of \(file) contains an event that its author did not sign.")
        case .content: Phrase("Line \(line) of \(file) does not say what follows from the events of the log.")
        }
    }
}

/// What a valid log tells.
private struct VerifiedLog: Encodable {
    let valid = true
    let charter: String
    let title: String
    let events: Int
    let counting: Int
    let admins: [String]
    let excluded: [String]
    let rotations: Int
    /// The hash of the last line.
    let hash: String

    init(_ log: Charter) {
        let entries = log.entries
        charter = log.id.text
        title = log.title
        events = entries.count
        counting = entries.count { $0.counts }
        admins = log.admins.map { $0.grouped.filter { $0 != " " } }
        excluded = log.excluded.map { $0.grouped.filter { $0 != " " } }
        rotations = log.rotations.count
        hash = CharterLog.fingerprint(of: CharterLog.lines(of: log))
    }

    /// - Parameter names: those that are known, by peer ID.
    func lines(_ names: [String: String]) -> [String] {
        let who = { (id: String) in
            let text = PeerIDText.grouped(id)
            return names[id].map { "\(NameText.plain($0)) (\(text))" } ?? text
        }
        var lines = [
            say(
                "The log is valid: \(events) events of the workspace \(NameText.plain(title)). Those that count: \(counting)."
            ),
            say("Charter: \(charter)"),
        ]
        lines += admins.map { say("Admin: \(who($0))") }
        lines += excluded.map { say("Excluded: \(who($0))") }
        lines.append(say("Keys that the workspace has had: \(rotations)"))
        lines.append(say("Last hash, to compare with another member's: \(hash)"))
        return lines
    }
}
