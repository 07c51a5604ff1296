import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceTexts
import ParlanceWords
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Takes sealed files from a stick and puts them on the shelf of the node (protocol/carry.md, "Taking files").
struct SealedFilesIn {
    let stick: StickFolder
    let session: Session
    private var line: ProgressLine
    private var pace = TransferPace()

    init(_ stick: StickFolder, _ session: Session) {
        (self.stick, self.session) = (stick, session)
        line = ProgressLine(isWanted: !session.json)
    }

    /// Takes one file. What is wrong with it does not hold up the others.
    mutating func take(_ info: SealedFileInfo) async throws -> CarryInReport.Sealed {
        var report = CarryInReport.Sealed(info)
        defer { line.clear() }
        guard let place = info.place, let carried = CarriedFile(info) else {
            report.outcome = .damaged
            return report
        }
        switch stick.openFile(place) {
        case .nothing: report.outcome = .missing
        case .notAFile: report.outcome = .damaged
        case .failed(let reason): (report.outcome, report.reason) = (.failed, reason.description)
        case .file(let file): try await take(file, carried, &report)
        }
        return report
    }

    private mutating func take(
        _ file: StickFile,
        _ carried: CarriedFile,
        _ report: inout CarryInReport.Sealed
    ) async throws {
        let place = try await session.client.call(FilePrepareOperation())
        guard carried.size <= place.limit else {
            (report.outcome, report.limit) = (.tooLarge, place.limit)
            return
        }
        let unfinished = UnfinishedFile([UserPath(place.path)])
        defer { unfinished.finish() }
        do throws(SealedFiles.Failure) {
            try open(file, carried, to: place.path, report.name)
        } catch {
            return report.failed(error)
        }
        do {
            // The node reads it once more, and names it by what it has read.
            let added = try await session.client.call(FileAddOperation(name: place.name))
            report.outcome = added.file == report.file ? .taken : .damaged
        } catch let failure as ControlFailure where !failure.isConnectionLost {
            // The node has not taken it.
            unlink(place.path)
            (report.outcome, report.reason) = (.failed, say(failure.message.withoutPeriod))
            return
        }
        // It is here: whoever waits for it is told. Where the node takes no more files, it stays on the shelf all the same.
        _ = try? await session.client.call(FileFetchOperation(id: report.file))
    }

    private mutating func open(
        _ file: StickFile,
        _ carried: CarriedFile,
        to path: String,
        _ name: String
    ) throws(SealedFiles.Failure) {
        var (line, pace) = (line, pace)
        defer { (self.line, self.pace) = (line, pace) }
        try SealedFiles.open(file.descriptor, carried, to: path) { done in
            pace.saw(done, at: Moment.milliseconds)
            let progress = FileText.progress(done, of: carried.size, rate: pace.rate)
            line.show(VisibleText.line(say("Reading \(name): \(progress)")))
        }
    }
}

extension CarryInReport {
    /// What has become of a sealed file.
    struct Sealed: Codable {
        var file: String
        var name: String
        var size: UInt64
        var outcome = Outcome.taken
        /// Why it could not be read or written.
        var reason: String?
        /// Of `tooLarge`, the most bytes that the node takes.
        var limit: UInt64?

        enum Outcome: String, Codable, JSONWord { case taken, missing, foreign, damaged, tooLarge, noRoom, failed }

        init(_ info: SealedFileInfo) {
            (file, name, size) = (info.file, info.name ?? info.file, info.size)
        }

        mutating func failed(_ failure: SealedFiles.Failure) {
            switch failure {
            case .foreign: outcome = .foreign
            case .damaged: outcome = .damaged
            case .stick(let code): (outcome, reason) = (.failed, Errno(rawValue: code).description)
            case .disk(.full), .disk(.failed(Errno.noSpace.rawValue)): outcome = .noRoom
            case .disk(.failed(let code)): (outcome, reason) = (.failed, Errno(rawValue: code).description)
            case .disk(let error): (outcome, reason) = (.failed, "\(error)")
            }
        }

        func failure(_ peer: String) -> ControlFailure? {
            let again = Phrase("Let \(peer) carry out again: --file \(String(file.prefix(FileInfo.idCharacters)))")
            switch outcome {
            case .taken: return nil
            case .missing:
                return ControlFailure(
                    code: ControlFailure.fileFailed,
                    message: "The file \(name) from \(peer) is not in the folder any more.",
                    advice: again
                )
            case .foreign:
                return ControlFailure(
                    code: ControlFailure.fileFailed,
                    message: "The file \(name) from \(peer) was not taken: something else is in its place.",
                    advice: again
                )
            case .damaged:
                return ControlFailure(
                    code: ControlFailure.fileFailed,
                    message: "The file \(name) from \(peer) was not taken: it is damaged in the folder.",
                    advice: again
                )
            case .tooLarge:
                return ControlFailure(
                    code: ControlFailure.fileTooLarge,
                    message: """
                        \(name) has \(FileText.size(size)), which is larger than file-limit: \(FileText.size(limit ?? 0)).
                        """,
                    advice: "Allow larger files with the setting file-limit, then carry in again."
                )
            case .noRoom:
                return ControlFailure(
                    code: ControlFailure.fileFailed,
                    message: "\(name) was not taken: the disk has no room for \(FileText.size(size)).",
                    advice: "Make room, then carry in again. The file stays in the folder."
                )
            case .failed:
                return ControlFailure(
                    code: ControlFailure.fileFailed,
                    message: "\(name) was not taken: it cannot be read or kept: \(reason ?? "").",
                    advice: "Check the stick and the disk, then carry in again."
                )
            }
        }
    }
}
