package import Logging
package import ParlanceControl
import ServiceLifecycle

/// One node: its identity, its store, its links, its discovery and its control socket, put together and kept running.
package struct Daemon: Sendable {
    /// The version that the programs and the control protocol tell.
    package static var version: String { ParlanceVersion.text }

    package var settings: Settings
    package var paths: ControlPaths
    package var profileName: String?
    package var logger: Logger
    /// Where the passphrase of the identity comes from, if it is under one.
    package var passphrase = PassphraseSource.terminal

    package init(settings: Settings, paths: ControlPaths, profileName: String?, logger: Logger) {
        self.settings = settings
        self.paths = paths
        self.profileName = profileName
        self.logger = logger
    }

    /// Starts the node and runs it until SIGTERM, SIGINT or a store that broke.
    ///
    /// - Parameter ready: told once, when everything works, with a line for people.
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
