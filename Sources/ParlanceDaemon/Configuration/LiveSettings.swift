import CParlanceSystem
import Logging
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceNetwork
import ParlanceNode
import ParlanceProfile
import ParlanceWords
import Synchronization

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What tells that a file was changed.
private struct FileStamp: Equatable {
    private var numbers: [Int] = []

    init(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return }
        #if canImport(Glibc)
        numbers = [
            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, Int(status.st_size), Int(truncatingIfNeeded: status.st_ino),
        ]
        numbers += [Int(status.st_mode), status.st_ctim.tv_sec, status.st_ctim.tv_nsec]
        #else
        numbers = [Int(status.st_size), status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec]
        #endif
    }
}

/// The settings of a running node: it reads them again on SIGHUP and by command, and takes over what can change.
///
/// A wrong file changes nothing: the node keeps the settings that it has. `ReloadService` calls `reload`, one at a time.
final class LiveSettings: Sendable {
    private struct State {
        /// The settings that the node has taken over.
        var present: Settings
        /// The settings that the next start would find, if the file stays as it was read.
        var next: Settings
        /// The last look at the file: how it was then, and what was found.
        var look: (stamp: FileStamp, result: Result<Settings, DaemonError>)?
    }

    private let source: SettingsSource
    private let threshold: DaemonLog.Threshold
    private let inbox: Inbox
    private let logger: Logger
    /// The name that the node has now: `parlance name` changes it too.
    private let ownName: @Sendable () -> String
    /// The ports that the node did not get.
    private let missedPorts: @Sendable () -> [MissedPort]
    /// Takes what can change over, beside the node.
    private let changed: @Sendable (Settings) -> Void
    /// Written by `reload`, read on any thread.
    private let state: Mutex<State>

    init(
        _ daemon: Daemon,
        inbox: Inbox,
        ownName: @escaping @Sendable () -> String,
        missedPorts: @escaping @Sendable () -> [MissedPort],
        changed: @escaping @Sendable (Settings) -> Void
    ) {
        source = daemon.source
        threshold = daemon.threshold
        logger = daemon.logger
        self.inbox = inbox
        self.ownName = ownName
        self.missedPorts = missedPorts
        self.changed = changed
        state = Mutex(State(present: daemon.settings, next: daemon.settings))
    }

    /// The settings in force, and where they come from.
    var info: ConfigInfo {
        let found = onDisk
        let state = state.withLock { $0 }
        let name = ownName()
        var info = ConfigInfo(
            file: source.file,
            running: true,
            settings: state.present.inForce(name: name).infos(next: state.next.inForce(name: state.next.name ?? name))
        )
        switch found {
        case .failure(let error):
            (info.state, info.fault) = (.broken, Phrase.joined([error.message, error.advice], by: " "))
        case .success(let found):
            let unread = unread(found)
            info.state = unread.isEmpty ? .read : .changed
            for index in info.settings.indices {
                guard let key = unread.first(where: { $0.rawValue == info.settings[index].key }) else { continue }
                info.settings[index].unread = found.texts(of: key)
            }
        }
        return info
    }

    /// What is wrong with the file, or new in it, before a start or a reload finds it.
    var problems: [NodeStatus.Problem] {
        let faults = state.withLock { $0.present }.faults
        return fileProblems
            + faults.map { NodeStatus.Problem(code: "configuration", message: $0.message, advice: $0.advice) }
            + machineProblems
    }

    /// What is set, now or for the next start, and this computer does not have or does not give.
    private var machineProblems: [NodeStatus.Problem] {
        let present = state.withLock { $0.present }
        let next = (try? onDisk.get()) ?? present
        return Settings.absences([present, next]) + missedPorts().compactMap { present.problem(of: $0) }
    }

    private var fileProblems: [NodeStatus.Problem] {
        switch onDisk {
        case .failure(let error):
            return [
                NodeStatus.Problem(
                    code: "configuration",
                    message: "parlanced would not start again with its settings: \(error.message)",
                    advice: error.advice
                )
            ]
        case .success(let found):
            let unread = unread(found).map(\.rawValue)
            guard !unread.isEmpty else { return [] }
            return [
                NodeStatus.Problem(
                    code: "configuration",
                    message: "The settings in \(source.file) were changed and not read: \(PeopleText.list(unread)).",
                    advice: "To take them over: parlance config reload",
                    severity: .note
                )
            ]
        }
    }

    /// The settings as a start would find them now. The file is read only if it was changed since the last look.
    private var onDisk: Result<Settings, DaemonError> {
        let stamp = FileStamp(source.file)
        if let look = state.withLock({ $0.look }), look.stamp == stamp { return look.result }
        let result: Result<Settings, DaemonError>
        do throws(DaemonError) {
            result = .success(try source.load())
        } catch { result = .failure(error) }
        state.withLock { $0.look = (stamp, result) }
        return result
    }

    /// The settings of the file of which the node does not know.
    private func unread(_ found: Settings) -> [SettingKey] {
        let next = state.withLock { $0.next }
        return SettingKey.allCases.filter { found.texts(of: $0) != next.texts(of: $0) }
    }

    /// The name that the next start or reload takes from the configuration; `nil` if the node then keeps its name.
    var configuredName: ConfiguredName? {
        let next = state.withLock { $0.next }
        guard let name = next.name, let place = next.places[.name] else { return nil }
        return ConfiguredName(name: name, place: place.text(for: .name))
    }

    /// Reads the settings again, takes over those that can change, and logs which did and which need a restart.
    func reload() async throws(DaemonError) -> ConfigReloadReply {
        do throws(DaemonError) {
            let reply = try await takeOver(try source.load())
            note(reply)
            return reply
        } catch {
            logger.error(
                "The configuration was not read again, so the settings stay as they are",
                metadata: ["reason": "\(error.message)", "advice": "\(error.advice)"]
            )
            throw error
        }
    }

    private func takeOver(_ found: Settings) async throws(DaemonError) -> ConfigReloadReply {
        var present = state.withLock { $0.present }
        let name = ownName()
        let before = present.inForce(name: name)
        // Without a name in the configuration the node keeps the one that it has.
        let wanted = found.inForce(name: found.name ?? name)
        let changed = SettingKey.allCases.filter { wanted.texts(of: $0) != before.texts(of: $0) }
        // The name comes first, because only this can fail. A name that is not configured any more is stored.
        if changed.contains(.name) || found.name == nil && present.name != nil {
            try await setName(found.name ?? name)
        }
        threshold.value = found.logLevel
        await take(
            .settingsChanged(
                fixed: found.peers,
                acceptsMembers: found.autoAccept == .workspace,
                autoFetchBytes: found.autoFetchBytes
            )
        )
        for key in SettingKey.allCases where key.descriptor.effect == .reload { present.take(key, from: found) }
        state.withLock { [present] in ($0.present, $0.next) = (present, found) }
        self.changed(present)
        return ConfigReloadReply(
            file: source.file,
            applied: changed.filter { $0.descriptor.effect == .reload }.map(\.rawValue),
            restart: changed.filter { $0.descriptor.effect == .restart }.map(\.rawValue)
        )
    }

    /// Gives the node a name, and waits until it is stored.
    private func setName(_ name: String) async throws(DaemonError) {
        let result = await withCheckedContinuation {
            (continuation: CheckedContinuation<Result<Answer, Refusal>, Never>) in
            inbox.offer(.setName(name)) { continuation.resume(returning: $0) }
        }
        if case .failure(let refusal) = result {
            throw DaemonError(.storeFailed, refusal.inEnglish.message, advice: refusal.inEnglish.advice)
        }
    }

    /// Tells the node a fact, and waits until it has been handled.
    private func take(_ input: Input) async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            inbox.offer(input)
            inbox.run { continuation.resume() }
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
