// Files on the node's shelf (protocol/files.md). The caller, a program of the same user, writes a file to the shelf and
// copies one from it; the node names it by its content and keeps it.

/// `file.prepare`: a place where the caller writes a file that the node is to take.
package struct FilePrepareOperation: BareOperation {
    package typealias Reply = FilePrepareReply
    package static let method = "file.prepare"

    package init() {}
}

package struct FilePrepareReply: Codable, Equatable, Sendable {
    /// The name for `file.add`.
    package var name: String
    /// The path to write to. No file is there yet.
    package var path: String
    /// The most bytes that the node takes.
    package var limit: UInt64

    package init(name: String, path: String, limit: UInt64) {
        self.name = name
        self.path = path
        self.limit = limit
    }
}

/// `file.add`: takes a file that the caller has written to the place of `file.prepare`.
package struct FileAddOperation: ControlOperation {
    package typealias Reply = FileAddReply
    package static let method = "file.add"

    /// `name` of the reply to `file.prepare`.
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

package struct FileAddReply: Codable, Equatable, Sendable {
    /// The ID of the file.
    package var file: String
    /// Bytes.
    package var size: UInt64

    package init(file: String, size: UInt64) {
        self.file = file
        self.size = size
    }
}

/// `file.path`: where a file is that is here as a whole.
package struct FilePathOperation: ControlOperation {
    package typealias Reply = FilePathReply
    package static let method = "file.path"

    /// The ID of the file.
    package var file: String
    /// Whether the node reads all of it first, and removes it if its bytes have changed; absent means no.
    package var verify: Bool?

    package init(file: String, verify: Bool? = nil) {
        self.file = file
        self.verify = verify
    }
}

package struct FilePathReply: Codable, Equatable, Sendable {
    /// The path of the file. The caller reads it and verifies what it has read; it never writes there.
    package var path: String
    /// Bytes.
    package var size: UInt64

    package init(path: String, size: UInt64) {
        self.path = path
        self.size = size
    }
}
