import Glibc
import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

// What is told of files.
extension EventHub {
    func transferChanged(_ view: TransferView) {
        transfers.learn(view)
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
