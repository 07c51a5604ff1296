import ParlanceControl
import ParlanceTerminal
import ParlanceWords

// The files of messages.
extension Chat {
    /// Sends a file that the user has named, and empties the line; nil if there is nobody to send it to.
    mutating func sendFile(_ typed: String) -> [ChatEffect]? {
        guard let who = open?.who else {
            tell(Phrase("No conversation is open. To open one: /open WHO"), .warning)
            return nil
        }
        composer.draft.finish()
        let path = Self.path(typed)
        let name = path.split(separator: "/").last.map(String.init) ?? path
        tell(Phrase("Reading \(name)…"))
        return [.sendFile(path: path, who: who, .file(name))]
    }

    /// Terminals put a path in quotes, or a backslash before each space, when a file is dropped on them.
    private static func path(_ typed: String) -> String {
        for quote in ["'", "\""] where typed.count > 2 && typed.hasPrefix(quote) && typed.hasSuffix(quote) {
            return String(typed.dropFirst().dropLast())
        }
        return typed.replacing("\\ ", with: " ")
    }

    /// The message that `/fetch` is about: the selected one, or the newest one that has files.
    var messageWithFiles: String? {
        let selected = open?.message(history.selected).flatMap { Self.isFetched($0) ? $0 : nil }
        return (selected ?? open?.messages.last(where: Self.isFetched))?.id
    }

    /// Fetches the files of a message.
    mutating func fetchFiles() -> [ChatEffect]? {
        guard let id = composer.draft.target else {
            tell(Phrase("No file from anybody else is here."), .warning)
            return nil
        }
        composer.draft.finish()
        return [.call(FileFetchOperation(id: id), .fetched)]
    }

    private static func isFetched(_ message: MessageInfo) -> Bool {
        guard message.deleted == nil, let files = message.files else { return false }
        return files.contains { !message.mine || $0.state != .here }
    }

    /// The daemon fetches these now, or has them.
    mutating func fetched(_ reply: FilesReply) {
        for entry in reply.files { change(entry.file.file) { $0 = entry.file } }
        if let refused = reply.refused?.first { return tell(said(ControlFailure(refused.error)), .bad, stays: true) }
        if let here = reply.files.first(where: { $0.file.state == .here }) { return tellHere(here.file) }
        let names = reply.files.map { Phrase(verbatim: $0.file.name) }
        tell(Phrase("Fetching: \(Phrase.joined(names, by: ", "))"))
    }

    /// A file has come further.
    mutating func changed(_ event: FileEvent) {
        var changed: FileInfo?
        var wasHere = false
        change(event.file) { file in
            wasHere = file.state == .here
            (file.state, file.bytes, file.why, file.waits) = (event.state, event.bytes, event.why, event.waits)
            changed = file
        }
        guard let changed else { return }
        if event.state == .here, !wasHere { tellHere(changed) }
        if event.state == .failed {
            let why = event.why ?? Phrase("the reason is not known")
            tell(Phrase("\(changed.name) could not be fetched: \(why.withoutPeriod)."), .bad, stays: true)
        }
    }

    private mutating func tellHere(_ file: FileInfo) {
        let id = file.shortReference
        tell(Phrase("\(file.name) is here. To save it: parlance fetch \(id)"), stays: true)
    }

    /// Changes a file of the messages that are here.
    private mutating func change(_ id: String, _ body: (inout FileInfo) -> Void) {
        guard open?.changeFile(id, body) == true else { return }
        history.changed()
    }
}
