import ParlanceControl

extension Settings {
    /// All settings for a client.
    ///
    /// - Parameter next: the settings after the next start, if a node runs with these.
    func infos(next: Settings? = nil) -> [SettingInfo] {
        SettingKey.allCases.map { key in
            let origin = origins.origin(of: key)
            let later = next?.values(of: key)
            return SettingInfo(
                key: key.rawValue,
                value: values(of: key),
                list: key.form == .list,
                pending: later == values(of: key) ? nil : later,
                origin: origin,
                place: origin == .default ? nil : origins.place(of: key),
                default: Settings.standard.values(of: key),
                meaning: key.meaning,
                allowed: key.form.allowed,
                effect: key.takesEffectAtOnce ? .reload : .restart
            )
        }
    }
}

extension SettingKey.Form {
    fileprivate var allowed: [String]? {
        switch self {
        case .word(let known): known
        case .flag: ["true", "false"]
        case .text, .number, .list: nil
        }
    }
}
