/// The settings, by their keys in the configuration file.
enum SettingKey: String, CaseIterable {
    case name, port, listen, peers, mdns
    case mdnsInterfaces = "mdns-interfaces"
    case hidden
    case autoAccept = "auto-accept"
    case logLevel = "log-level"

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
}
