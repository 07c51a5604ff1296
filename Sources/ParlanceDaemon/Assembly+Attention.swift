import Foundation
import ParlanceControl
import ParlanceWords

// What draws attention to an event: hooks and notifications.
extension Assembly {
    /// The daemon's program; the command is beside it.
    private static var program: String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    }

    /// The folder of hooks is beside the configuration file.
    static func hooks(_ daemon: Daemon, _ hub: EventHub) -> HookService {
        let configuration = URL(fileURLWithPath: daemon.source.file).deletingLastPathComponent()
        return HookService(
            folder: configuration.appendingPathComponent("hooks").path,
            environment: HookEnvironment(
                EnvironmentVariable.value,
                socket: daemon.paths.socketToServe,
                profile: daemon.profileName,
                program: program
            ),
            hub: hub,
            logger: daemon.logger
        )
    }

    static func notifications(_ daemon: Daemon, _ hub: EventHub) -> NotificationService {
        let environment = ProcessInfo.processInfo.environment
        return NotificationService(
            daemon.settings.notificationRules,
            hub: hub,
            opener: TerminalOpener(
                environment: environment,
                dataDirectory: daemon.paths.dataDirectory,
                program: program,
                logger: daemon.logger
            ),
            // The user's own language, also where the journal is in English.
            language: Language { environment[$0] }
        )
    }
}
