import Foundation
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords
import Synchronization

/// The files of a test node: what was put on its shelf, and files of Bob that come when they are asked for.
enum TestFiles {
    /// "hello" and a line feed, as the ID says.
    static let file = FileInfo(
        file: "di5n2g6lkrwe5z7yb3at5i3bkqyg7toepsiknup5ly6xxqf4336q",
        name: "report.pdf",
        size: 6,
        state: .offered
    )

    static func entry(_ state: FileState) -> FileEntry {
        var file = file
        file.state = state
        if state == .paused { file.bytes = 3 }
        return FileEntry(
            file: file,
            message: "m7",
            conversation: "c1",
            title: "Bob",
            sender: Person(id: TestNode.bob.id, displayName: "Bob", trust: .accepted),
            time: ControlTime(milliseconds: 1_763_689_260_000)
        )
    }

    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(FilePrepareOperation.self, to: &methods) { _, state in
            state.prepared += 1
            try? FileManager.default.createDirectory(atPath: state.shelf, withIntermediateDirectories: true)
            let name = "new\(state.prepared)"
            return FilePrepareReply(name: name, path: state.shelf + "/" + name, limit: state.fileLimit)
        }
        node.add(FileAddOperation.self, to: &methods) { request, state throws(ControlError) in
            let bytes = (try? Data(contentsOf: URL(fileURLWithPath: state.shelf + "/" + request.name))) ?? Data()
            guard bytes.count < 1_000 else {
                throw ControlError(.invalidValue, "The file is larger than 1000 B.", advice: "Send it in parts.")
            }
            state.added.append(Array(bytes))
            return FileAddReply(file: "f\(state.added.count)", size: UInt64(bytes.count))
        }
        node.add(FilePathOperation.self, to: &methods) { request, state throws(ControlError) in
            guard let path = state.whole[request.file] else {
                throw ControlError(.notYet, "This file is not on this computer as a whole.", advice: "Fetch it.")
            }
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return FilePathReply(path: path, size: attributes?[.size] as? UInt64 ?? 0)
        }
        node.add(FilesOperation.self, to: &methods) { request, _ in
            FilesReply(files: request.who == "Nobody" ? [] : [entry(.offered), entry(.paused)])
        }
        node.add(FileFetchOperation.self, to: &methods) { request, state throws(ControlError) in
            guard request.id.hasPrefix("di5n2g6l") else {
                throw ControlError(.unknownMessage, "No message or file has that ID.", advice: "Look again.")
            }
            if !state.fetched.isEmpty { return FilesReply(files: state.fetched, refused: state.refused) }
            if state.whole[file.file] != nil { return FilesReply(files: [entry(.here)]) }
            state.events += state.news
            if let arrives = state.arrives { state.whole[file.file] = arrives }
            return FilesReply(files: [entry(.fetching)])
        }
        node.add(FilePauseOperation.self, to: &methods) { _, _ in FilesReply(files: [entry(.paused)]) }
        node.add(FileResumeOperation.self, to: &methods) { _, _ in FilesReply(files: [entry(.fetching)]) }
        node.add(FileCancelOperation.self, to: &methods) { _, _ in FilesReply(files: [entry(.cancelled)]) }
        node.add(FileRetryOperation.self, to: &methods) { _, _ in FilesReply(files: [entry(.fetching)]) }
    }

    /// What is told of the file.
    static func event(_ state: FileState, _ bytes: UInt64) -> FileEvent {
        var event = FileEvent(file: file.file, conversation: "c1", state: state, size: file.size, bytes: bytes)
        if state == .fetching, bytes > 0 { event.sources = [Person(id: TestNode.bob.id, displayName: "Bob")] }
        if state == .failed { event.why = "those who have it sent wrong bytes" }
        return event
    }
}
