/// Why a file, or what somebody says about one, is refused (files.md).
package enum FileFault: Error, Equatable, Sendable {
    /// The file is larger than `Limits.fileBytes`.
    case tooLarge
    /// There are fewer or more bytes than the size says, or a list of leaves of another length.
    case wrongLength
    /// The bytes are not those of which this is the hash.
    case wrongHash
    /// A set of chunks or a folder listing breaks a rule of its form.
    case malformed
    /// A folder has too many entries, too long a path, too many folders within each other, or too many bytes.
    case beyondLimit
}
