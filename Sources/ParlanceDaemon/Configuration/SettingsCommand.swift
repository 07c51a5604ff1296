import ParlanceControl
import ParlanceCore

/// What `parlanced config` does. It works whether or not a node runs: a running one is asked for its settings, and told to
/// read them again after a change.
///
/// The program of the daemon performs it, not the running daemon: a node that runs as a service cannot write
/// configuration files, and people configure a node before its first start.
package struct SettingsCommand: Sendable {
    private let source: SettingsSource
    private let paths: ControlPaths
    private let isFileNamed: Bool

    /// - Parameter configuration: the file that the user named; nil takes that of the running node, else of the profile.
    package init(
        _ flags: FlagValues,
        configuration: String?,
        profile: String?,
        dataDirectory: String?,
        socket: String?,
        environment: [String: String]
    ) throws(DaemonError) {
        do {
            paths = try ControlPaths(
                profile: profile,
                dataDirectory: dataDirectory,
                socket: socket,
                environment: environment
            )
        } catch { throw DaemonError(error.message, advice: error.advice) }
        isFileNamed = configuration != nil
        source = SettingsSource(
            file: configuration,
            profile: profile,
            environment: environment,
            flags: flags.values
        )
    }

    /// The settings of the running node, or those with which a node would start.
    package func list(json: Bool) async throws(DaemonError) -> [String] {
        let info = try await info()
        guard !json else { return try Self.json(info) }
        let state = info.running ? "in force in the running daemon" : "as parlanced would start; none runs"
        return ["# \(info.file): \(state)"] + info.settings.flatMap { [""] + $0.lines }
    }

    /// The present value of one setting, for scripts: a line for each text.
    package func get(_ typed: String, json: Bool) async throws(DaemonError) -> [String] {
        let key = try SettingsEditor.key(typed)
        guard let found = try await info().settings.first(where: { $0.key == key.rawValue }) else { return [] }
        return json ? try Self.json(found) : found.value.map(VisibleText.line)
    }

    /// Changes the file, and lets a running node read it.
    ///
    /// - Parameter values: nil removes the setting, so that its default holds.
    package func set(_ typed: String, to values: [String]?, json: Bool) async throws(DaemonError) -> [String] {
        let key = try SettingsEditor.key(typed)
        let client = try await client()
        let running = try await ask(client, ConfigListOperation())
        let file = isFileNamed ? source.file : running?.file ?? source.file
        try await SettingsEditor(file: file).set(key, to: values)
        var report = Report(file: file, key: key.rawValue, running: false)
        if let running, running.file == file, let reply = try await ask(client, ConfigReloadOperation()) {
            report.running = true
            report.applied = reply.applied.contains(key.rawValue)
            report.restart = reply.restart.contains(key.rawValue)
            let now = try await ask(client, ConfigListOperation())?.settings.first { $0.key == key.rawValue }
            if let now, now.origin == .flag || now.origin == .environment { report.overriddenBy = now.place }
        }
        await client?.close()
        return json ? try Self.json(report) : report.lines
    }

    /// What became of a change.
    struct Report: Codable, Equatable {
        var file: String
        var key: String
        /// Whether a running node has read the file.
        var running: Bool
        /// Whether the new value took effect.
        var applied = false
        /// Whether it takes effect at the next start.
        var restart = false
        /// The flag or the variable whose value holds instead.
        var overriddenBy: String?

        var lines: [String] {
            let result =
                if let overriddenBy {
                    "Not in force: the daemon was started with \(overriddenBy), which wins."
                } else if applied {
                    "In force now."
                } else if restart {
                    "\(key) needs a restart of the daemon: stop parlanced and start it again."
                } else if running {
                    "The daemon had this value already."
                } else {
                    "It holds from the next start of parlanced."
                }
            return ["Written to \(VisibleText.line(file)).", result]
        }
    }

    private func info() async throws(DaemonError) -> ConfigInfo {
        if !isFileNamed, let running = try await ask(try await client(), ConfigListOperation()) { return running }
        let settings = try await source.load()
        return ConfigInfo(file: source.file, running: false, settings: settings.infos())
    }

    /// A connection to the running node; nil if none runs.
    private func client() async throws(DaemonError) -> ControlClient? {
        do {
            return try await ControlClient.connect(to: paths.socketToUse())
        } catch let failure as ControlFailure {
            if failure.code == "noDaemon" { return nil }
            throw DaemonError(failure.message, advice: failure.advice)
        } catch {
            throw DaemonError("The daemon cannot be asked: \(error)", advice: "Try again.")
        }
    }

    private func ask<Operation: ControlOperation>(
        _ client: ControlClient?,
        _ operation: Operation
    ) async throws(DaemonError) -> Operation.Reply? {
        guard let client else { return nil }
        do {
            return try await client.call(operation)
        } catch let failure as ControlFailure {
            throw DaemonError(failure.message, advice: failure.advice)
        } catch {
            throw DaemonError("The daemon cannot be asked: \(error)", advice: "Try again.")
        }
    }

    private static func json(_ value: some Encodable) throws(DaemonError) -> [String] {
        do {
            return [JSONWriter.text(try JSONValueEncoder.encode(value))]
        } catch {
            throw DaemonError("The answer cannot be written as JSON.", advice: "This is a defect: please report it.")
        }
    }
}

extension SettingInfo {
    /// The setting as a part of a configuration file, with what there is to know in comments.
    fileprivate var lines: [String] {
        guard let known = SettingKey(rawValue: key) else { return [] }
        let allowed = allowed.map { " One of \($0.joined(separator: ", "))." } ?? ""
        let standard = `default` == value ? "" : " Default: \(`default`.isEmpty ? "none" : known.yaml(`default`))."
        let from = place.map { " From \($0)." } ?? " This is the default."
        let waits = pending.map { " After a restart: \($0.isEmpty ? "none" : known.yaml($0))." } ?? ""
        let when = effect == .reload ? " A change takes effect at once." : " A change needs a restart."
        let shown = value.isEmpty && !list ? "# \(key):" : "\(key): \(known.yaml(value))"
        return ["# \(meaning)\(allowed)", "#\(from)\(standard)\(waits)\(when)", shown].map(VisibleText.line)
    }
}
