import CParlanceSystem

/// Says whose process is at the other end of a connection within this machine. The kernel is asked for that one socket, so
/// the answer takes as long with many connections as with one.
enum ConnectionOwner {
    /// - Returns: the user who has the client's end, at `clientPort`, of a connection to `serverPort` of 127.0.0.1; `nil` if
    ///   the kernel does not tell, or if that end is closed: the kernel shows such a one as root's.
    static func user(from clientPort: UInt16, to serverPort: UInt16) -> UInt32? {
        find(clientPort, serverPort, in: .established)
    }

    /// Whether the kernel tells such things at all, which shows with our own socket, which listens.
    static func isTold(listeningAt port: UInt16) -> Bool { find(port, 0, in: .listens) != nil }

    /// As in the answer of sock_diag(7).
    private enum State: Int32 {
        case established = 1
        case listens = 10
    }

    private static func find(_ port: UInt16, _ other: UInt16, in wanted: State) -> UInt32? {
        var state: Int32 = 0
        let user = parlance_tcp_owner(port, other, &state)
        return state == wanted.rawValue ? UInt32(exactly: user) : nil
    }
}
