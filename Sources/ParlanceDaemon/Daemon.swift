package import Logging
package import ParlanceControl
package import ParlanceProfile
import ParlanceWords
import ServiceLifecycle

/// One node: identity, store, links, discovery and control socket, assembled and kept running.
package struct Daemon: Sendable {
    /// The version that the programs and the control protocol report.
    package static var version: String { ParlanceVersion.text }

    package var settings: Settings
    package var paths: ControlPaths
    package var profileName: String?
    package var logger: Logger
    /// The source of the identity's passphrase, if the identity is protected by one.
    package var passphrase = PassphraseSource.terminal
    /// Where the settings come from.
    package var source: SettingsSource
    /// How much is logged.
    let threshold: DaemonLog.Threshold

    init(
        settings: Settings,
        source: SettingsSource,
        paths: ControlPaths,
        profileName: String?,
        threshold: DaemonLog.Threshold
    ) {
        self.settings = settings
        self.source = source
        self.paths = paths
        self.profileName = profileName
        self.threshold = threshold
        logger = Logger(label: "parlanced") { DaemonLog(label: $0, threshold: threshold) }
    }

    /// Starts the node and runs it until SIGTERM, SIGINT or a failure of the store.
    ///
    /// - Parameter ready: called once, when everything works, with a line for people.
    package func run(ready: @escaping @Sendable (String) -> Void) async throws(DaemonError) {
        let assembly = try await Assembly(self)
        do {
            try await assembly.services(ready).run()
        } catch let error as DaemonError {
            throw error
        } catch {
            throw DaemonError("The daemon stopped: \(error)", advice: "See the log above.")
        }
    }
}
