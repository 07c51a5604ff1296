/// Why a text is not a valid title or topic.
package enum TitleFault: Equatable, Sendable {
    /// It has control characters, such as those that begin another line.
    case controlCharacters
    /// There is nothing to see in it.
    case empty
    /// It has more bytes than `Limits.titleBytes`.
    case long(bytes: Int)
}
