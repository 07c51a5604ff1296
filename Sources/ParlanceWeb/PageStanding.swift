/// Whether the page is served on the port that was set.
package enum PageStanding: Equatable, Sendable {
    /// It is, or is about to be.
    case asWanted
    /// It is served on another port. `fault` is the errno(3) with which the one that was set could not be used.
    case elsewhere(wanted: UInt16, port: UInt16, fault: Int32)
    /// No port can be used.
    case nowhere
}
