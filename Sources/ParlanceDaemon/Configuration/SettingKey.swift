/// The settings there are, by their keys in the configuration file.
enum SettingKey: String, CaseIterable {
    case name, port, listen, peers, mdns
    case mdnsInterfaces = "mdns-interfaces"
    case hidden
    case autoAccept = "auto-accept"
    case logLevel = "log-level"

    /// The flag of `parlanced` that gives it.
    var flag: String {
        switch self {
        case .peers: "--peer"
        case .mdnsInterfaces: "--mdns-interface"
        default: "--\(rawValue)"
        }
    }

    /// The environment variable that gives it.
    var variable: String { SettingOrigins.prefix + variableWithoutPrefix }

    /// The variable as the reader of the configuration looks for it.
    var variableWithoutPrefix: String { rawValue.uppercased().replacing("-", with: "_") }
}
