import Foundation
import Logging
import ParlanceAssistant
import ParlanceControl
import ParlanceNode
import ParlanceWords

// What reads along: hooks, notifications and the assistant.
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

    static func assistant(_ daemon: Daemon) -> Assistant {
        let logger = daemon.logger
        return Assistant(folder: daemon.paths.dataDirectory) { failure, reason in
            switch failure {
            case .file:
                logger.error("The assistant's file could not be read or written", metadata: ["error": "\(reason)"])
            case .conversation:
                logger.error("The assistant could not read all messages", metadata: ["reason": "\(reason)"])
            }
        }
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
