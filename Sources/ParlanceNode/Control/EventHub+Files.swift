import Glibc
import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceTexts
import ParlanceWire
import ParlanceWords

// What is told of files.
extension EventHub {
    func transferChanged(_ view: TransferView) {
        var event = FileEvent(
            file: view.record.file.text,
            conversation: view.record.conversation.text,
            state: FileState(view.record.state),
            size: view.record.size,
            bytes: view.bytes,
            rate: view.rate
        )
        if view.waits { event.waits = true }
        event.sources = view.sources.prefix(ControlLimits.peopleListed).map { person($0) }
        if case .failed(let trouble) = view.record.state { event.why = trouble.words }
        publish(event)
    }

    func uploadChanged(_ view: UploadView) {
        publish(
            UploadEvent(
                file: view.file.text,
                peer: person(view.peer),
                bytes: view.bytes,
                why: view.trouble?.words
            )
        )
    }

    /// Describes a file of a message.
    ///
    /// - Parameters:
    ///   - number: which of the files of the message it is, from 1; `nil` if it is the only one.
    ///   - message: the message that names it.
    ///   - mine: whether the user has sent it: then it is here as a rule.
    func info(_ mention: FileMention, number: Int?, of message: EventID, mine: Bool) -> FileInfo {
        var info = FileInfo(
            file: mention.file.text,
            name: SafeFileName(mention.name).text,
            size: mention.size,
            state: .offered
        )
        if info.name != mention.name { info.sentName = mention.name }
        info.reference = number.map { "\(message.text)/\($0)" } ?? message.text
        if mention.isFolder { info.folder = true }
        if mention.width > 0, mention.height > 0 {
            (info.width, info.height) = (Int(mention.width), Int(mention.height))
        }
        let view = directory[mention.file]
        if mine || view?.record.state == .done, isOnShelf(mention.file) {
            info.state = .here
        } else if let view, view.record.state != .done {
            info.state = FileState(view.record.state)
            if view.bytes > 0 { info.bytes = view.bytes }
            if view.waits { info.waits = true }
            if case .failed(let trouble) = view.record.state { info.why = trouble.words }
        }
        return info
    }
}

extension FileState {
    fileprivate init(_ state: TransferRecord.State) {
        switch state {
        case .wanted: self = .fetching
        case .paused: self = .paused
        case .done: self = .here
        // Fetched again only by hand, like one that was never fetched.
        case .removed: self = .offered
        case .cancelled: self = .cancelled
        case .failed: self = .failed
        }
    }
}

extension MessageLife {
    /// Adds who has the files, as far as they have told.
    mutating func add(_ uploads: [UploadView], _ hub: EventHub) {
        guard message.mine, let files = message.files.map({ Set($0.map(\.file)) }) else { return }
        let told = uploads.filter { files.contains($0.file.text) }.map { view in
            FileHolder(
                file: view.file.text,
                person: hub.person(view.peer),
                bytes: view.bytes,
                why: view.trouble?.words
            )
        }
        if !told.isEmpty { holders = told }
    }
}

extension TransferRecord.Trouble {
    /// Why a file could not be fetched, in one sentence.
    var words: Phrase {
        switch self {
        case .full(let needed, let free):
            Phrase("the disk has no room: \(FileText.phrase(needed)) are needed, and \(FileText.phrase(free)) are free")
        case .disk(EFBIG): Phrase("it is larger than file-limit or the file system allows")
        case .disk(let code): Phrase("the disk does not take it: \(String(cString: strerror(code)))")
        case .peers: Phrase("those who have it sent wrong bytes, or stopped sending")
        }
    }
}

extension UploadView.Trouble {
    /// Why a peer fetches no more, in one sentence.
    var words: Phrase {
        switch self {
        case .noRoom: Phrase("their disk has no room")
        case .stopped: Phrase("they have stopped it")
        }
    }
}
