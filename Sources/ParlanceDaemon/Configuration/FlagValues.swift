/// The values given on the command line of `parlanced`, as texts.
package struct FlagValues: Sendable {
    private(set) var values: [SettingKey: [String]] = [:]

    package init() {}

    package mutating func set(_ key: SettingKey, _ value: String?) {
        if let value { values[key] = [value] }
    }

    package mutating func set(_ key: SettingKey, _ value: Int?) {
        set(key, value.map { "\($0)" })
    }

    package mutating func set(_ key: SettingKey, _ value: [String]) {
        if !value.isEmpty { values[key] = value }
    }

    package mutating func set(_ key: SettingKey, _ value: Bool) {
        if value { values[key] = ["true"] }
    }
}
