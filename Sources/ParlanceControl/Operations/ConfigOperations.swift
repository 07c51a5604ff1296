package import ParlanceWords

/// `config.list`: the settings of the running node.
package struct ConfigListOperation: BareOperation {
    package typealias Reply = ConfigInfo
    package static let method = "config.list"

    package init() {}
}

/// The settings of a node.
package struct ConfigInfo: Codable, Equatable, Sendable {
    /// The path of the configuration file; it may not exist.
    package var file: String
    /// Whether a running node reported them.
    package var running: Bool
    /// What became of the file since the running node has read it; absent if no node runs.
    package var state: FileState?
    /// Why the file cannot be read, and what to do; absent if it can.
    package var fault: Phrase?
    package var settings: [SettingInfo]

    package enum FileState: String, Codable, JSONWord, Sendable {
        /// The node has read the file as it is.
        case read
        /// The file has other values now, and the node keeps those that it has.
        case changed
        /// The file is wrong now: the node keeps the settings that it has, and would not start with it.
        case broken
    }

    package init(file: String, running: Bool, settings: [SettingInfo]) {
        self.file = file
        self.running = running
        self.settings = settings
    }
}

/// `config.reload`: reads the configuration file again, as SIGHUP does.
package struct ConfigReloadOperation: BareOperation {
    package typealias Reply = ConfigReloadReply
    package static let method = "config.reload"

    package init() {}
}

/// What became of the settings that differ from those before.
package struct ConfigReloadReply: Codable, Equatable, Sendable {
    /// The path of the configuration file.
    package var file: String
    /// The keys whose new values took effect.
    package var applied: [String]
    /// The keys whose new values need a restart.
    package var restart: [String]

    package init(file: String, applied: [String] = [], restart: [String] = []) {
        self.file = file
        self.applied = applied
        self.restart = restart
    }
}
