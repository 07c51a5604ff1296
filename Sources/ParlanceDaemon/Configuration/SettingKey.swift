/// The settings, by their keys in the configuration file.
package enum SettingKey: String, CaseIterable, Sendable {
    case name, port, listen
    case pagePort = "page-port"
    case modelPort = "model-port"
    case peers, mdns
    case mdnsInterfaces = "mdns-interfaces"
    case hidden
    case autoAccept = "auto-accept"
    case notify
    case quietHours = "quiet-hours"
    case autoFetch = "auto-fetch"
    case fileLimit = "file-limit"
    case fileQuota = "file-quota"
    case fileRate = "file-rate"
    case messageQuota = "message-quota"
    case logLevel = "log-level"

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
    var variable: String { SettingsSource.prefix + rawValue.uppercased().replacing("-", with: "_") }
}
