import Logging
import ParlanceControl
import ParlanceCore
import Synchronization

/// The settings of a running node: it reads them again on SIGHUP and by command, and takes over what can change.
///
/// A wrong file changes nothing: the node keeps the settings that it has.
final class LiveSettings: Sendable {
    private struct State {
        /// The settings in force.
        var present: Settings
        /// The settings that the next start would find.
        var next: Settings
    }

    private let source: SettingsSource
    private let threshold: DaemonLog.Threshold
    private let inbox: Inbox
    private let logger: Logger
    private let state: Mutex<State>

    init(_ daemon: Daemon, inbox: Inbox) {
        source = daemon.source
        threshold = daemon.threshold
        logger = daemon.logger
        self.inbox = inbox
        state = Mutex(State(present: daemon.settings, next: daemon.settings))
    }

    /// The settings in force, and where they come from.
    var info: ConfigInfo {
        let state = state.withLock { $0 }
        return ConfigInfo(file: source.file, running: true, settings: state.present.infos(next: state.next))
    }

    /// Reads the settings again, takes over those that can change, and logs which did and which need a restart.
    func reload() async throws(DaemonError) -> ConfigReloadReply {
        do {
            let found = try await source.load()
            let peers = try found.fixedEndpoints()
            let acceptsMembers = try found.acceptsMembers()
            let level = try found.level()
            let reply = state.withLock { state in
                let changed = SettingKey.allCases.filter { found.values(of: $0) != state.present.values(of: $0) }
                // Under the lock, so that two reloads hand over their settings in the order of their reports.
                threshold.value = level
                inbox.offer(.settingsChanged(fixed: peers, acceptsMembers: acceptsMembers))
                if changed.contains(.name), let name = found.name { inbox.offer(.setName(name)) { _ in } }
                state.present.takeOver(found)
                state.next = found
                return ConfigReloadReply(
                    file: source.file,
                    applied: changed.filter(\.takesEffectAtOnce).map(\.rawValue),
                    restart: changed.filter { !$0.takesEffectAtOnce }.map(\.rawValue)
                )
            }
            note(reply)
            return reply
        } catch {
            logger.error(
                "The configuration is wrong, so the settings stay as they are",
                metadata: ["reason": "\(error.message)", "advice": "\(error.advice)"]
            )
            throw error
        }
    }

    private func note(_ reply: ConfigReloadReply) {
        logger.notice(
            "The configuration was read again",
            metadata: ["changed": "\(reply.applied.joined(separator: ", "))"]
        )
        for key in reply.restart {
            logger.warning("A changed setting needs a restart of the daemon", metadata: ["setting": "\(key)"])
        }
    }
}

extension Settings {
    /// Takes over the values of the settings that can change while the node runs.
    fileprivate mutating func takeOver(_ new: Settings) {
        name = new.name
        peers = new.peers
        autoAccept = new.autoAccept
        logLevel = new.logLevel
        origins = new.origins
    }
}
