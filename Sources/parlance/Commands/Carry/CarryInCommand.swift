import ArgumentParser
import ParlanceControl
import ParlanceWords
import SystemPackage

/// `parlance carry in FOLDER [WHO...]`
struct CarryInCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "in",
        abstract: "Take what others have written to a folder for you.",
        discussion: """
            It opens only files that people whom you have accepted can have made for you, checks who made them, and changes \
            nothing in the folder. Files that were put there with --files are taken, too. Then carry out again, so that they get your receipts.

            Examples: parlance carry in /media/stick
                      parlance carry in /media/stick Bob
            """
    )

    @Argument(help: "A folder, such as the one where a stick is mounted.", completion: .directory)
    var folder: UserPath

    @Argument(
        help: "Names, aliases or peer IDs of people you have accepted; nobody: all of them.",
        completion: Completions.person
    )
    var who: [String] = []

    @OptionGroup var options: Options

    /// What one person has written may need what another has. Each round but the last has taken something.
    private static let rounds = 8

    func run(_ session: Session) async throws {
        let stick = try StickFolder(folder)
        let people = try await CarryCommand.people(who, session)
        var reports = people.map { CarryInReport(peer: $0.peer) }
        var sealed: [[SealedFileInfo]] = people.map { _ in [] }
        for _ in 0..<Self.rounds {
            var isNew = false
            for index in people.indices {
                let isNewHere: Bool
                (isNewHere, sealed[index]) = try await take(people[index], from: stick, &reports[index], session)
                isNew = isNewHere || isNew
            }
            guard isNew else { break }
        }
        // Now all messages are here, and with them what they name.
        try await takeFiles(sealed, from: stick, &reports, session)
        // A program is told of everybody: it has no other way to see that there was nothing.
        let found = reports.filter { session.json || !$0.files.isEmpty }
        for report in found {
            session.terminal.write(
                session.json
                    ? [JSONWriter.text(try JSONValueEncoder.encode(report))]
                    : report.lines.map { VisibleText.line($0) }
            )
            for failure in report.failures(in: stick.path) { CarryCommand.report(failure, session) }
        }
        if found.isEmpty {
            session.terminal.write([VisibleText.line(say("There is nothing for you in the folder \"\(stick.path)\"."))])
        }
        if found.contains(where: { !$0.failures(in: stick.path).isEmpty }) { throw ExitCode(1) }
    }

    /// Takes each file once, whoever has put it there.
    private func takeFiles(
        _ sealed: [[SealedFileInfo]],
        from stick: StickFolder,
        _ reports: inout [CarryInReport],
        _ session: Session
    ) async throws {
        var sealedIn = SealedFilesIn(stick, session)
        var taken: Set<String> = []
        for (index, files) in sealed.enumerated() {
            for info in files where !taken.contains(info.file) {
                let report = try await sealedIn.take(info)
                if report.outcome == .taken { taken.insert(info.file) }
                reports[index].sealed.append(report)
            }
        }
    }

    /// - Returns: whether anything was new here, and the files that lie sealed beside the parcels and are not here.
    private func take(
        _ files: CarryFilesReply,
        from stick: StickFolder,
        _ report: inout CarryInReport,
        _ session: Session
    ) async throws -> (isNew: Bool, sealed: [SealedFileInfo]) {
        var isNew = false
        var sealed: [SealedFileInfo] = []
        var seen: [CarryInReport.File] = []
        for (slot, name) in files.incoming.enumerated() {
            var file = CarryInReport.File(file: name)
            switch stick.read(name, limit: files.bytes) {
            case .nothing: continue
            case .tooLong: file.outcome = .tooLong
            case .notAFile: file.outcome = .notAFile
            case .failed(let reason): (file.outcome, file.reason) = (.failed, reason.description)
            case .file(let bytes):
                let reply = try await session.client.call(
                    CarryTakeOperation(who: files.peer.id, slot: slot, file: Hex.text(bytes))
                )
                file.take(reply)
                report.add(reply)
                sealed += reply.files ?? []
                isNew = isNew || reply.messages + reply.changes + reply.receipts > 0
            }
            seen.append(file)
        }
        report.files = seen
        return (isNew, sealed)
    }
}
