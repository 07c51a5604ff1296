import Logging
import ParlanceControl

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
    ) async throws(DaemonError) -> Daemon {
        let paths: ControlPaths
        do {
            paths = try ControlPaths(
                profile: profile,
                dataDirectory: dataDirectory,
                socket: socket,
                environment: environment
            )
        } catch { throw DaemonError(error.message, advice: error.advice) }
        let source = SettingsSource(
            file: configuration,
            profile: profile,
            environment: environment,
            flags: flags.values
        )
        let settings = try await source.load()
        var daemon = Daemon(
            settings: settings,
            source: source,
            paths: paths,
            profileName: profile,
            threshold: DaemonLog.Threshold(try settings.level())
        )
        daemon.passphrase = PassphraseSource(descriptor: passphraseDescriptor, environment: environment)
        return daemon
    }
}
