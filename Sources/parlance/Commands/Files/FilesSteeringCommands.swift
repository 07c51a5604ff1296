import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance files pause ID`
struct FilesPauseCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "pause",
        abstract: "Stop fetching a file for now; what is here stays.",
        discussion: "Example: parlance files pause 3f9a11c2"
    )

    @Argument(
        help: "The ID of a file or a message, its first 8 or more characters, or last.",
        completion: Completions.file
    )
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.steer(FilePauseOperation(id: id)) { name in Phrase("Paused: \(name).") }
    }
}

/// `parlance files resume ID`
struct FilesResumeCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "resume",
        abstract: "Go on with a file that rests.",
        discussion: "Example: parlance files resume 3f9a11c2"
    )

    @Argument(
        help: "The ID of a file or a message, its first 8 or more characters, or last.",
        completion: Completions.file
    )
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.steer(FileResumeOperation(id: id)) { name in Phrase("Going on: \(name).") }
    }
}

/// `parlance files cancel ID`
struct FilesCancelCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel",
        abstract: "Stop fetching a file, and remove its parts.",
        discussion: "Example: parlance files cancel 3f9a11c2"
    )

    @Argument(
        help: "The ID of a file or a message, its first 8 or more characters, or last.",
        completion: Completions.file
    )
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.steer(FileCancelOperation(id: id)) { name in Phrase("Cancelled: \(name).") }
    }
}

/// `parlance files retry ID`
struct FilesRetryCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "retry",
        abstract: "Try a file that has failed again, now.",
        discussion: "Example: parlance files retry 3f9a11c2"
    )

    @Argument(
        help: "The ID of a file or a message, its first 8 or more characters, or last.",
        completion: Completions.file
    )
    var id: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.steer(FileRetryOperation(id: id)) { name in Phrase("Trying again: \(name).") }
    }
}

extension Session {
    /// Performs an operation about files, and says of each what was done.
    fileprivate func steer(_ operation: some FileOperation, _ done: (String) -> Phrase) async throws {
        try await show(operation) { reply in reply.files.map { VisibleText.line(say(done($0.file.name))) } }
    }
}
