/// What is wrong with a service instance that should be announced. The blast radius is the announcement.
package enum DiscoveryError: Error, Hashable, CustomStringConvertible {
    case badInstanceName(String)
    case badPort
    case badPeerIDPrefix(String)
    case tooManyTags(Int)

    package var description: String {
        switch self {
        case .badInstanceName(let name):
            "The mDNS instance name \"\(name)\" cannot be announced: it must be 1 to "
                + "\(ServiceInstance.maximumNameLength) of a-z, 0-9 and '-', and not begin with '-'. Use a random name."
        case .badPort:
            "Port 0 cannot be announced by mDNS: peers could not connect. Announce the port that is listened on."
        case .badPeerIDPrefix(let prefix):
            "\"\(prefix)\" cannot be announced as a peer ID: it must be its first \(ServiceText.peerIDPrefixLength) "
                + "characters (a-z, 2-7)."
        case .tooManyTags(let count):
            "\(count) workspaces cannot be announced by mDNS: at most \(ServiceText.maximumTags) fit. "
                + "Leave a workspace."
        }
    }
}
