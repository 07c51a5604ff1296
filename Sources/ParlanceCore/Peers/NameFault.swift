/// Why a text is not a valid name.
package enum NameFault: Equatable, Sendable {
    case controlCharacters
    /// It is blank, or has more bytes than `Limits.nameBytes`.
    case length
}
