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

            Example: parlance verify-log ship.log
            """
    )

    @Argument(help: "The audit log.")
    var file: UserPath

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        try await ErrorOutput.reporting(json: json) {
            let text = try read()
            let charter: Charter
            do throws(CharterLog.Fault) {
                charter = try CharterLog.check(text)
            } catch {
                throw failure(error)
            }
            let report = VerifiedLog(charter)
            Terminal.standardOutput.write(
                json
                    ? [JSONWriter.text(try JSONValueEncoder.encode(report))] : report.lines.map { VisibleText.line($0) }
            )
        }
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
        case .form: Phrase("\(file) is not an audit log of a workspace, or of a later form than this program knows.")
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

    var lines: [String] {
        var lines = [
            say(
                "The log is valid: \(events) events of the workspace \(NameText.plain(title)). Those that count: \(counting)."
            ),
            say("Charter: \(charter)"),
        ]
        lines += admins.map { say("Admin: \(PeerIDText.grouped($0))") }
        lines += excluded.map { say("Excluded: \(PeerIDText.grouped($0))") }
        lines.append(say("Rotations of the key: \(rotations)"))
        lines.append(say("Last hash, to compare with another member's: \(hash)"))
        return lines
    }
}
