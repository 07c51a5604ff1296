/// Why a text is not a valid name.
package enum NameFault: Equatable, Sendable {
    case controlCharacters
    /// It holds a check mark, which says of a name that it is verified.
    case checkMark
    /// It is blank, or has more bytes than `Limits.nameBytes`.
    case length
}
