import Foundation
package import ParlanceControl
import ParlanceCore
import ParlanceNode
import ParlanceProfile
import ParlanceWords

/// What `parlance config` does. It works whether or not a node runs: a running one is asked for its settings, and told to
/// read them again after a change.
///
/// The program of the daemon performs it, not the running daemon: a node that runs as a service cannot write
/// configuration files, and people configure a node before its first start.
package struct SettingsCommand: Sendable {
    private let source: SettingsSource
    private let paths: ControlPaths
    /// Whether root wants the node of another user.
    private let ofAnyUser: Bool
    private let isFileNamed: Bool

    /// The node to ask.
    private enum Node {
        /// None runs.
        case none
        /// It is of an older version, which cannot be asked for its settings.
        case outdated
        case running(ControlClient, ConfigInfo)
    }

    /// - Parameter configuration: the file that the user named; nil takes that of the running node, else of the profile.
    package init(
        configuration: String?,
        profile: String?,
        dataDirectory: String?,
        socket: String?,
        ofAnyUser: Bool,
        environment: [String: String]
    ) throws(ControlFailure) {
        do throws(ControlError) {
            paths = try ControlPaths(
                profile: profile,
                dataDirectory: dataDirectory,
                socket: socket,
                environment: environment
            )
        } catch { throw ControlFailure(error) }
        self.ofAnyUser = ofAnyUser
        isFileNamed = configuration != nil
        source = SettingsSource(file: configuration, profile: profile, environment: environment)
    }

    /// The settings of the running node, or those with which a node would start.
    package func list(json: Bool) async throws(ControlFailure) -> [String] {
        let info = try await info()
        guard !json else { return try Self.json(info) }
        let pending = info.settings.filter { $0.pending != nil }.map(\.key).joined(separator: ", ")
        let state =
            switch info.state {
            case .read where !pending.isEmpty:
                [say("in force in the running daemon, except these, which need a restart: \(pending)")]
            case .read: [say("in force in the running daemon")]
            case .changed:
                [
                    say("changed since the running daemon has read it"),
                    say("These are the settings in force. To take over those of the file: parlance config reload"),
                ]
            case .broken:
                [
                    say("wrong, so parlanced would not start with it"),
                    info.fault.map { say($0) } ?? "", say("These are the settings in force in the running daemon."),
                ]
            // A daemon of the version before looks at no file.
            case nil:
                [info.running ? say("in force in the running daemon") : say("as parlanced would start with this file")]
            }
        let head = ["# \(info.file): \(state[0])"] + state.dropFirst().map { "# \($0)" }
        return head.map(VisibleText.line) + info.settings.flatMap { [""] + $0.lines }
    }

    /// The present value of one setting, for scripts: a line for each text.
    package func get(_ typed: String, json: Bool) async throws(ControlFailure) -> [String] {
        let key = try Self.local { () throws(DaemonError) in try SettingsEditor.key(typed) }
        guard let found = try await info().settings.first(where: { $0.key == key.rawValue }) else { return [] }
        return json ? try Self.json(found) : found.value.map(VisibleText.line)
    }

    /// Changes the file, and lets a running node read it.
    ///
    /// - Parameter values: nil removes the setting, so that its default holds.
    package func set(_ typed: String, to values: [String]?) async throws(ControlFailure) -> SettingChange {
        let key = try Self.local { () throws(DaemonError) in try SettingsEditor.key(typed) }
        let node = try await node()
        var file = source.file
        if !isFileNamed, case .running(_, let info) = node { file = info.file }
        let groupLoss = try Self.local { () throws(DaemonError) in try SettingsEditor(file: file).set(key, to: values) }
        let outcome: SettingChange.Outcome
        switch node {
        case .none: outcome = source.isInEnvironment(key) ? .nextStart(unless: key.variable) : .nextStart(unless: nil)
        case .outdated: outcome = .outdated
        case .running(_, let info) where Self.realPath(info.file) != Self.realPath(file):
            outcome = .otherFile(info.file)
        case .running(let client, _):
            do throws(ControlFailure) {
                outcome = try await reload(client, key)
            } catch { outcome = .notTold(error) }
        }
        if case .running(let client, _) = node { await client.close() }
        return SettingChange(
            file: file,
            key: key.rawValue,
            outcome: outcome,
            isSet: values?.isEmpty == false,
            groupLoss: groupLoss
        )
    }

    /// Lets the node read its file.
    private func reload(
        _ client: ControlClient,
        _ key: SettingKey
    ) async throws(ControlFailure) -> SettingChange.Outcome {
        let reply = try await Self.ask(client, ConfigReloadOperation())
        let now = try await Self.ask(client, ConfigListOperation()).settings.first { $0.key == key.rawValue }
        if let now, let place = now.place, now.origin == .flag || now.origin == .environment {
            return .overridden(by: place)
        }
        if reply.applied.contains(key.rawValue) { return .applied }
        return reply.restart.contains(key.rawValue) ? .restart : .unchanged
    }

    private func info() async throws(ControlFailure) -> ConfigInfo {
        if !isFileNamed, case .running(let client, let info) = try await node() {
            await client.close()
            return info
        }
        let settings = try Self.local { () throws(DaemonError) in try source.load() }
        return ConfigInfo(file: source.file, running: false, settings: settings.infos())
    }

    /// Asks the running node for its settings.
    private func node() async throws(ControlFailure) -> Node {
        do throws(ControlFailure) {
            let client = try await Self.calling {
                try await ControlClient.connect(to: paths.socketToUse(), ofAnyUser: ofAnyUser)
            }
            client.speak(.current)
            do throws(ControlFailure) {
                return .running(client, try await Self.ask(client, ConfigListOperation()))
            } catch {
                await client.close()
                throw error
            }
        } catch {
            switch error.code {
            case "noDaemon": return .none
            case "methodNotFound": return .outdated
            default: throw error
            }
        }
    }

    private static func realPath(_ path: String) -> String {
        URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    }

    private static func ask<Operation: ControlOperation>(
        _ client: ControlClient,
        _ operation: Operation
    ) async throws(ControlFailure) -> Operation.Reply {
        try await calling { try await client.call(operation) }
    }

    private static func calling<Value>(_ call: () async throws -> Value) async throws(ControlFailure) -> Value {
        do {
            return try await call()
        } catch let failure as ControlFailure {
            throw failure
        } catch {
            throw .badReply("\(error)")
        }
    }

    private static func local<Value>(_ work: () throws(DaemonError) -> Value) throws(ControlFailure) -> Value {
        do throws(DaemonError) {
            return try work()
        } catch {
            throw ControlFailure(ControlError(error))
        }
    }

    private static func json(_ value: some Encodable) throws(ControlFailure) -> [String] {
        do {
            return [JSONWriter.text(try JSONValueEncoder.encode(value))]
        } catch { throw .badReply(Phrase("it cannot be written as JSON")) }
    }
}

extension SettingInfo {
    /// The setting as a part of a configuration file, with what there is to know in comments.
    fileprivate var lines: [String] {
        guard let known = SettingKey(rawValue: key) else { return [] }
        func text(_ value: [String]) -> String { value.isEmpty ? say("none", hint: "a value") : known.yaml(value) }
        let allowed = allowed.map { " " + say("One of \($0.joined(separator: ", ")).") } ?? ""
        let standard = `default` == value ? "" : " " + say("Default: \(text(`default`)).")
        let from = " " + (place.map { say("From \($0).") } ?? say("This is the default."))
        let waits = pending.map { " " + say("After a restart: \(text($0)).") } ?? ""
        let unread = unread.map { " " + say("In the file, and not read yet: \(text($0)).") } ?? ""
        let when = " " + (effect == .reload ? say("A change takes effect at once.") : say("A change needs a restart."))
        let shown = value.isEmpty && !list ? "# \(key):" : "\(origin == .store ? "# " : "")\(key): \(known.yaml(value))"
        return ["# \(say(known.descriptor.meaning))\(allowed)", "#\(from)\(standard)\(waits)\(unread)\(when)", shown]
            .map(
                VisibleText.line
            )
    }
}
