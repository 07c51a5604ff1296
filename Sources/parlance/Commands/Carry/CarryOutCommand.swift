import ArgumentParser
import ParlanceControl
import ParlanceWords
import SystemPackage

/// `parlance carry out FOLDER [WHO...]`
struct CarryOutCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "out",
        abstract: "Write what others may lack to a folder.",
        discussion: """
            Without WHO it writes for everybody whom you have accepted. Files that are up to date stay as they are, and files \
            of others are not touched.

            Examples: parlance carry out /media/stick
                      parlance carry out /media/stick Bob
            """
    )

    @Argument(help: "A folder, such as the one where a stick is mounted.")
    var folder: String

    @Argument(help: "Names, aliases or peer IDs of people you have accepted; nobody: all of them.")
    var who: [String] = []

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let stick = try StickFolder(folder)
        var failed = false
        for files in try await CarryCommand.people(who, session) {
            var report = Report(peer: files.peer)
            try await write(files, to: stick, &report, session)
            session.terminal.write(
                session.json ? [JSONWriter.text(try JSONValueEncoder.encode(report))] : [VisibleText.line(report.line)]
            )
            failed = failed || report.failed > 0
        }
        if failed { throw ExitCode(1) }
    }

    private func write(
        _ files: CarryFilesReply,
        to stick: StickFolder,
        _ report: inout Report,
        _ session: Session
    ) async throws {
        var after: String?
        for (slot, name) in files.outgoing.enumerated() {
            let existing: [UInt8]?
            switch stick.read(name, limit: files.bytes) {
            case .nothing: existing = nil
            case .file(let bytes): existing = bytes
            // It is replaced.
            case .tooLong, .notAFile, .failed: existing = []
            }
            if after == CarryPackReply.end && existing == nil { continue }
            let reply = try await session.client.call(
                CarryPackOperation(
                    who: files.peer.id,
                    slot: slot,
                    after: after,
                    existing: existing.map { Hex.text($0) }
                )
            )
            do throws(Errno) {
                switch reply.action {
                case .write:
                    try stick.replace(name, with: reply.file.flatMap { Hex.bytes($0) } ?? [])
                    report.written += 1
                case .keep: report.kept += 1
                case .remove: try stick.remove(name)
                case .leave, .none: break
                }
                report.messages += reply.messages
            } catch {
                // The next run writes it.
                report.failed += 1
                CarryCommand.report(.cannotWrite(stick.path + "/" + name, error), session)
            }
            report.sealed = reply.sealed
            after = reply.next
        }
        report.complete = after == CarryPackReply.end && report.failed == 0
    }

    /// What was written for one person, as `--json` prints it.
    struct Report: Codable {
        var peer: Person
        var messages = 0
        var written = 0
        var kept = 0
        var failed = 0
        var sealed = false
        /// Whether everything that the person may lack is in the folder.
        var complete = false

        init(peer: Person) {
            self.peer = peer
        }

        var line: String {
            let name = peer.displayName
            guard sealed else {
                return say(
                    """
                    \(name): only your keys are in the folder, since the keys of \(name) are not here. Let \(name) carry \
                    this in, and then out, and bring that back.
                    """
                )
            }
            guard failed == 0 else { return say("\(name): not everything could be written. Run it again.") }
            guard complete else {
                return say(
                    """
                    \(name): \(messages) messages are in the folder, as many as it takes. Carry out the rest when the \
                    receipts are back.
                    """
                )
            }
            switch messages {
            case 0: return say("\(name): nothing new; receipts are in the folder.")
            case 1: return say("\(name): 1 message is in the folder.")
            default: return say("\(name): \(messages) messages are in the folder.")
            }
        }
    }
}

extension ControlFailure {
    fileprivate static func cannotWrite(_ path: String, _ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: fileCode(reason),
            message: Phrase("The file \(path) cannot be written: \(reason.description)."),
            advice: Phrase("Check that the stick is there, writable and not full, then run it again.")
        )
    }
}
