import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// The files that a command waits for, and what is shown meanwhile.
struct Fetch {
    private let session: Session
    private var files: [FileInfo]
    /// The places of those that were given out or will not come. Two of them can have the same ID.
    private var done: Set<Int> = []
    private var failures: [ControlFailure] = []
    private var line: ProgressLine
    /// What says of a file that nobody who has it is there.
    private var notices: [String: WaitingNotice] = [:]
    /// The tenths of each file that lines in a pipe have told of.
    private var told: [String: Int] = [:]

    init(_ reply: FilesReply, _ session: Session) {
        let refused = reply.refused ?? []
        files = reply.files.map(\.file) + refused.map(\.file)
        self.session = session
        line = ProgressLine(isWanted: !session.json)
        for (index, refusal) in zip(reply.files.count..., refused) {
            done.insert(index)
            failed(refusal.file, ControlFailure(refusal.error))
        }
    }

    /// Whether nothing is left to wait for.
    var isOver: Bool { done.count == files.count }

    /// The files that are here and were not given out yet.
    mutating func ready() -> [FileInfo] {
        let ready = files.indices.filter { files[$0].state == .here && !done.contains($0) }
        done.formUnion(ready)
        for index in ready { notices.removeValue(forKey: files[index].file)?.ends() }
        if !ready.isEmpty { line.clear() }
        return ready.map { files[$0] }
    }

    /// Takes note that a file will not be saved. The others are, so it is only said now.
    mutating func failed(_ file: FileInfo, _ failure: ControlFailure) {
        failures.append(failure)
        line.clear()
        guard files.count > 1 else { return }
        if session.json, let data = try? JSONValueEncoder.encode(failure) {
            let about: JSON = .object([.init("file", .string(file.file)), .init("error", data)])
            let line: JSON = .object([.init("type", .string("notSaved")), .init("data", about)])
            return session.terminal.write([JSONWriter.text(line)])
        }
        Terminal.standardError.write([Self.line(failure)])
    }

    static func line(_ failure: ControlFailure) -> String {
        VisibleText.line("\(say(failure.message)) \(say(failure.advice))")
    }

    /// - Parameter typed: the ID of them all.
    /// - Throws: if one of the files was not saved.
    func finish(_ typed: String) throws(ControlFailure) {
        guard let first = failures.first else { return }
        guard files.count > 1 else { throw first }
        throw ControlFailure(
            code: first.code,
            message: "\(failures.count) of \(files.count) files were not saved.",
            advice: "To try it again: parlance fetch \(typed)"
        )
    }

    /// Takes what the node tells.
    ///
    /// - Returns: whether it is about one of these files.
    mutating func happened(_ event: FileEvent) -> Bool {
        let places = files.indices.filter { files[$0].file == event.file && !done.contains($0) }
        guard let index = places.first else { return false }
        for place in places { (files[place].state, files[place].bytes) = (event.state, event.bytes) }
        let file = files[index]
        if session.json, let data = try? JSONValueEncoder.encode(event) {
            let line: JSON = .object([.init("type", .string(FileEvent.kind.rawValue)), .init("data", data)])
            session.terminal.write([JSONWriter.text(line)])
        }
        switch event.state {
        case .fetching: show(file, event)
        case .here, .offered: break
        case .paused, .cancelled, .failed:
            notices.removeValue(forKey: event.file)?.ends()
            done.formUnion(places)
            for place in places { failed(files[place], Self.ended(files[place], event)) }
        }
        return true
    }

    private mutating func show(_ file: FileInfo, _ event: FileEvent) {
        guard !session.json else { return }
        guard event.waits != true else {
            line.clear()
            return notice(about: file).waits()
        }
        notices[file.file]?.ends()
        let progress = FileText.progress(event.bytes, of: file.size, rate: event.rate)
        let text = VisibleText.line("\(file.name): \(progress)")
        line.show(text)
        // In a pipe a line for each tenth.
        let tenth = FileText.percent(event.bytes, of: file.size) / 10
        guard !Terminal.isOutputTerminal, tenth > told[file.file, default: 0] else { return }
        told[file.file] = tenth
        session.terminal.write([text])
    }

    private mutating func notice(about file: FileInfo) -> WaitingNotice {
        if let notice = notices[file.file] { return notice }
        let words = say("Waiting for somebody who has \(file.name). Ctrl-C ends this command, not the transfer.")
        let notice = WaitingNotice { [terminal = session.terminal] in terminal.write([VisibleText.line(words)]) }
        notices[file.file] = notice
        return notice
    }

    private static func ended(_ file: FileInfo, _ event: FileEvent) -> ControlFailure {
        let id = file.shortReference
        return switch event.state {
        case .paused:
            ControlFailure(
                code: "filePaused",
                message: "\(file.name) is paused.",
                advice: "To go on: parlance fetch \(id)"
            )
        case .cancelled:
            ControlFailure(
                code: "fileCancelled",
                message: "\(file.name) is not fetched any more: it was cancelled.",
                advice: "To fetch it after all: parlance fetch \(id)"
            )
        default:
            ControlFailure(
                code: ControlFailure.fileFailed,
                message:
                    "\(file.name) could not be fetched: \((event.why ?? Phrase("the reason is not known")).withoutPeriod).",
                advice: "To try it again: parlance fetch \(id)"
            )
        }
    }
}
