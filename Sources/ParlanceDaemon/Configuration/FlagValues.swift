package import Configuration

/// The values given on the command line, by their keys in the configuration.
package struct FlagValues: Sendable {
    package private(set) var values: [String: ConfigValue] = [:]

    package init() {}

    package mutating func set(_ key: String, _ value: String?) {
        if let value { values[key] = ConfigValue(.string(value), isSecret: false) }
    }

    package mutating func set(_ key: String, _ value: Int?) {
        if let value { values[key] = ConfigValue(.int(value), isSecret: false) }
    }

    package mutating func set(_ key: String, _ value: [String]) {
        if !value.isEmpty { values[key] = ConfigValue(.stringArray(value), isSecret: false) }
    }

    package mutating func set(_ key: String, _ value: Bool) {
        if value { values[key] = ConfigValue(.bool(true), isSecret: false) }
    }
}
