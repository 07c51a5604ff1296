import Logging
import ParlanceNetwork

/// The settings, by their keys in the configuration file.
enum SettingKey: String, CaseIterable {
    case name, port, listen, peers, mdns
    case mdnsInterfaces = "mdns-interfaces"
    case hidden
    case autoAccept = "auto-accept"
    case logLevel = "log-level"

    /// The form of a value.
    enum Form: Equatable {
        case text, number, flag, list
        case word([String])
    }

    /// Finds the setting; the words of a key may be joined by underscores as well as by hyphens.
    init?(spelled text: String) {
        self.init(rawValue: text.replacing("_", with: "-"))
    }

    /// The flag of `parlanced` that sets it.
    var flag: String {
        switch self {
        case .peers: "--peer"
        case .mdnsInterfaces: "--mdns-interface"
        default: "--\(rawValue)"
        }
    }

    /// The environment variable that sets it.
    var variable: String { SettingOrigins.prefix + variableWithoutPrefix }

    /// The variable as the reader of the configuration looks it up.
    var variableWithoutPrefix: String { rawValue.uppercased().replacing("-", with: "_") }

    var form: Form {
        switch self {
        case .name: .text
        case .port: .number
        case .hidden: .flag
        case .listen, .peers, .mdnsInterfaces: .list
        case .mdns: .word(DiscoveryMode.allCases.map(\.rawValue))
        case .autoAccept: .word(AutoAccept.allCases.map(\.rawValue))
        case .logLevel: .word(Logger.Level.allCases.map(\.rawValue))
        }
    }

    /// Whether a running node can take a new value over; otherwise the value takes effect at the next start.
    var takesEffectAtOnce: Bool {
        switch self {
        case .name, .peers, .autoAccept, .logLevel: true
        case .port, .listen, .mdns, .mdnsInterfaces, .hidden: false
        }
    }

    /// One sentence for people.
    var meaning: String {
        switch self {
        case .name:
            "The name that others see. Without it, the node keeps its stored name, which is at first your login name."
        case .port: "The port for links from peers, 0 (any) to 65535. If it is not free, the node takes another one."
        case .listen: "The addresses of this machine at which the node takes links. An empty list means all."
        case .peers: "Addresses of peers that mDNS does not reach, such as 192.0.2.7:4747."
        case .mdns: "Who speaks mDNS: the system's service, the responder inside the daemon, either one, or nobody."
        case .mdnsInterfaces: "The only network interfaces for mDNS. An empty list means all."
        case .hidden: "Whether the node announces nothing of its peer ID and dials only addresses that it knows."
        case .autoAccept: "Who is accepted without asking you: members of your workspace, or nobody."
        case .logLevel: "How much the daemon logs."
        }
    }
}
