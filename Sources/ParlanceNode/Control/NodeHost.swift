package import ParlanceControl
package import ParlanceWords

/// What the daemon around the node offers it: its settings, hooks and notifications.
package protocol NodeHost: Sendable {
    /// The settings, as `config list` shows them.
    var settings: ConfigInfo { get }
    /// The name that the settings give; `nil` if they give none.
    var configuredName: ConfiguredName? { get }
    var report: HostReport { get }

    /// Reads the settings again.
    ///
    /// - Throws: why they stay as they are.
    func reload() async throws(ControlError) -> ConfigReloadReply

    /// A client shows a conversation; `nil`: none any longer.
    func shows(_ conversation: String?, client: UInt64)

    /// The user has read a conversation.
    func read(_ conversation: String)
}

/// What the daemon around the node says of itself, for `doctor` and `status`.
package struct HostReport: Sendable {
    /// The problems of the configuration file.
    package var settings: [NodeStatus.Problem] = []
    /// The problems of hooks.
    package var hooks: [NodeStatus.Problem] = []
    /// What was looked at, a line each.
    package var lines: [Phrase] = []
    package var counts = Counts()

    /// What was counted since the daemon's start.
    package struct Counts: Sendable {
        /// Notifications that the desktop has shown.
        package var notifications = 0
        package var hookRuns = 0
        /// Runs of hooks that failed or took too long.
        package var hookFailures = 0
        /// Events that hooks missed, because there were too many.
        package var hookEventsMissed = 0

        package init() {}
    }

    package init() {}
}
