/// Why a text is no address of a model server.
package enum ModelAddressError: Error, Equatable, Sendable {
    /// There is no `://`.
    case missingScheme
    /// The scheme is neither `http` nor `https`.
    case unknownScheme
    /// The scheme is `https`, which this client does not speak.
    case encryptionNotSupported
    /// There is a name or a password before an `@`.
    case hasUserInfo
    /// There is a `?` or a `#`.
    case hasQuery
    /// The path is neither empty nor `/v1`.
    case unknownPath
    /// The host is empty, has other signs than names have, or is no IPv6 address though it stands in brackets.
    case invalidHost
    case missingPort
    /// The port is no number from 1 to 65535.
    case invalidPort
}
