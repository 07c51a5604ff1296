package import ParlanceCore

/// Why a file or a folder of the user cannot be sent. Nothing of it has changed.
package struct SourceError: Error, Equatable, Sendable {
    /// What it is about, as the user named it, or as it is in the folder that the user named.
    package var path: String
    package var cause: Cause

    package enum Cause: Equatable, Sendable {
        case file(ShelfError)
        /// What the folder has is more than a folder may have.
        case folder(FileFault)
    }

    init(_ path: String, _ error: ShelfError) {
        (self.path, cause) = (path, .file(error))
    }

    init(_ path: String, _ fault: FileFault) {
        (self.path, cause) = (path, .folder(fault))
    }
}
