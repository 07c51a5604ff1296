import Logging
import ParlanceControl
package import ParlanceProfile
import ParlanceWords

extension Daemon {
    /// Finds the folders, reads the settings and sets up the log.
    package static func prepare(
        _ flags: FlagValues,
        configuration: String?,
        profile: String?,
        dataDirectory: String?,
        socket: String?,
        passphraseDescriptor: Int32? = nil,
        environment: [String: String]
    ) throws(DaemonError) -> Daemon {
        let paths: ControlPaths
        do {
            paths = try ControlPaths(
                profile: profile,
                dataDirectory: dataDirectory,
                socket: socket,
                environment: environment
            )
            try paths.checkSocketToServe()
        } catch {
            var error = DaemonError(error)
            error.isUsage = true
            throw error
        }
        let source = SettingsSource(
            file: configuration,
            profile: profile,
            environment: environment,
            flags: flags
        )
        let settings = try source.load()
        var daemon = Daemon(
            settings: settings,
            source: source,
            paths: paths,
            profileName: profile,
            threshold: DaemonLog.Threshold(settings.logLevel)
        )
        daemon.passphrase = PassphraseSource(descriptor: passphraseDescriptor, environment: environment)
        return daemon
    }
}
