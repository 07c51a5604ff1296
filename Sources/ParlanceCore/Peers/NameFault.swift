/// Why a text cannot be a name.
package enum NameFault: Equatable, Sendable {
    case controlCharacters
    /// It has nothing to read, or more bytes than `Limits.nameBytes`.
    case length
}
