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
        let settings = try await Settings.load(
            file: configuration ?? defaultConfiguration(profile, environment),
            isFileNamed: configuration != nil,
            environment: environment,
            flags: flags.values
        )
        let threshold = DaemonLog.Threshold(try settings.level())
        let logger = Logger(label: "parlanced") { DaemonLog(label: $0, threshold: threshold) }
        var daemon = Daemon(settings: settings, paths: paths, profileName: profile, logger: logger)
        daemon.passphrase = PassphraseSource(descriptor: passphraseDescriptor, environment: environment)
        return daemon
    }

    /// `$XDG_CONFIG_HOME/parlance[/profiles/NAME]/config.yaml`
    private static func defaultConfiguration(_ profile: String?, _ environment: [String: String]) -> String {
        let given = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let base = given ?? (environment["HOME"] ?? "") + "/.config"
        return base + "/parlance" + (profile.map { "/profiles/\($0)" } ?? "") + "/config.yaml"
    }
}
