// Files that messages name, and how they are fetched (protocol/files.md).

/// `files`: the files of messages, newest first.
package struct FilesOperation: ControlOperation {
    package typealias Reply = FilesReply
    package static let method = "files"

    /// A peer or a group; absent means all conversations.
    package var who: String?
    /// At most so many, 1 to 1,000; absent means 100.
    package var limit: Int?

    package init(who: String? = nil, limit: Int? = nil) {
        (self.who, self.limit) = (who, limit)
    }

    package static let defaultLimit = 100
    package static let maximumLimit = 1_000
}

package struct FilesReply: Codable, Equatable, Sendable {
    package var files: [FileEntry]
    /// The files of a message with which it could not be done; absent if it was done with all.
    package var refused: [RefusedFile]?
    /// How other messages call the file, if it was asked for by its own ID and has several names.
    package var otherNames: [String]?

    package init(files: [FileEntry], refused: [RefusedFile] = []) {
        self.files = files
        self.refused = refused.isEmpty ? nil : refused
    }
}

/// A file with which something could not be done, and why.
package struct RefusedFile: Codable, Equatable, Sendable {
    package var file: FileInfo
    package var error: ControlError

    package init(file: FileInfo, error: ControlError) {
        (self.file, self.error) = (file, error)
    }
}

/// An operation about the files of one message, or about one file. The reply has them as they are afterwards. It fails if it
/// can be done with none of them.
package protocol FileOperation: ControlOperation where Reply == FilesReply {
    /// The ID of a message or a file, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    var id: String { get }

    init(id: String)
}

/// `file.fetch`: fetches files, or goes on where they rest.
package struct FileFetchOperation: FileOperation {
    package typealias Reply = FilesReply
    package static let method = "file.fetch"

    package var id: String
    /// Whether several files are refused, before any of them is fetched.
    package var single: Bool?

    package init(id: String) { self.id = id }
}

/// `file.pause`: fetches no more of them for now.
package struct FilePauseOperation: FileOperation {
    package typealias Reply = FilesReply
    package static let method = "file.pause"

    package var id: String

    package init(id: String) { self.id = id }
}

/// `file.resume`: goes on with files that rest.
package struct FileResumeOperation: FileOperation {
    package typealias Reply = FilesReply
    package static let method = "file.resume"

    package var id: String

    package init(id: String) { self.id = id }
}

/// `file.cancel`: fetches them no more, and removes what is there in part.
package struct FileCancelOperation: FileOperation {
    package typealias Reply = FilesReply
    package static let method = "file.cancel"

    package var id: String

    package init(id: String) { self.id = id }
}

/// `file.retry`: tries again what has failed, now.
package struct FileRetryOperation: FileOperation {
    package typealias Reply = FilesReply
    package static let method = "file.retry"

    package var id: String

    package init(id: String) { self.id = id }
}
