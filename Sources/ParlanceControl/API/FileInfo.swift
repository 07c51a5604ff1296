package import ParlanceWords

/// A file of a message, as people see it.
package struct FileInfo: Codable, Equatable, Sendable {
    /// The ID of the file, 52 characters.
    package var file: String
    /// What commands take to mean the file under this name: the ID of the message that names it, with `/2` behind it for the
    /// second of several files. Files of the same content have one ID, whatever their names. Older daemons do not tell it.
    package var reference: String?
    /// The name that its sender gave it, made safe: it can be shown and written.
    package var name: String
    /// The name that its sender gave it, if it had to be made safe; absent if not.
    package var sentName: String?
    /// Bytes; of a folder, of the one file as which it travels.
    package var size: UInt64
    /// Whether it is a folder; absent if not.
    package var folder: Bool?
    /// Of a picture, in pixels, as its sender says.
    package var width: Int?
    package var height: Int?
    package var state: FileState
    /// Bytes that are here and verified; absent unless part of it is here.
    package var bytes: UInt64?
    /// Why it could not be fetched; absent unless that failed.
    package var why: Phrase?

    package init(file: String, name: String, size: UInt64, state: FileState) {
        (self.file, self.name, self.size, self.state) = (file, name, size, state)
    }

    /// The shortest text that means the file in a command: `3f2a91c0`, `3f2a91c0/2`.
    package var shortReference: String {
        let parts = (reference ?? file).split(separator: "/", maxSplits: 1)
        return parts.enumerated().map { $0 == 0 ? String($1.prefix(FileText.idCharacters)) : String($1) }
            .joined(separator: "/")
    }
}

/// How far a file of a message has come on this computer.
package enum FileState: String, Codable, JSONWord, Sendable {
    /// Somebody sent it, and nobody here has asked for it.
    case offered
    /// It is being fetched, or waits for somebody who has it.
    case fetching
    case paused
    /// It is here as a whole.
    case here
    /// The user does not want it.
    case cancelled
    /// It is fetched again only if the user asks for it.
    case failed
}

/// A file with where it comes from and how it is fetched.
package struct FileEntry: Codable, Equatable, Sendable {
    package var file: FileInfo
    /// The message that names it.
    package var message: String
    package var conversation: String
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    package var sender: Person
    /// When the message was written.
    package var time: ControlTime
    /// Bytes a second over the last few seconds; absent unless something comes.
    package var rate: UInt64?
    /// From whom it comes at present.
    package var sources: [Person]?

    package init(
        file: FileInfo,
        message: String,
        conversation: String,
        title: String,
        sender: Person,
        time: ControlTime
    ) {
        (self.file, self.message, self.conversation) = (file, message, conversation)
        (self.title, self.sender, self.time) = (title, sender, time)
    }
}

/// What somebody has of a file that the user has sent, as it was last told.
package struct FileHolder: Codable, Equatable, Sendable {
    /// The ID of the file.
    package var file: String
    package var person: Person
    package var bytes: UInt64
    /// Why the person fetches no more; absent while they do, and once they have the file.
    package var why: Phrase?

    package init(file: String, person: Person, bytes: UInt64, why: Phrase? = nil) {
        (self.file, self.person, self.bytes, self.why) = (file, person, bytes, why)
    }
}

/// A file that a message is to name: `send` and `reply` take them.
package struct FileToSend: Codable, Equatable, Sendable {
    /// The ID of the file, which is on the shelf (`file.add`).
    package var file: String
    /// How it is called, at most 1,024 bytes.
    package var name: String
    /// Whether it is a folder; absent means no.
    package var folder: Bool?
    /// Of a picture, in pixels.
    package var width: Int?
    package var height: Int?

    package init(file: String, name: String, folder: Bool? = nil, width: Int? = nil, height: Int? = nil) {
        (self.file, self.name, self.folder) = (file, name, folder)
        (self.width, self.height) = (width, height)
    }
}
