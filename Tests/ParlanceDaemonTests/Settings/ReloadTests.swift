import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceNetwork
import ParlanceWire
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// A reload reports what the node has done, in the order in which it was asked.
@Suite struct ReloadTests {
    /// The inbox of a node, emptied by hand.
    private final class Taken: Sendable {
        let inbox = Inbox()
        let items = Mutex<[String]>([])

        /// - Parameter refusal: the answer to a new name.
        init(refusing refusal: ParlanceCore.Refusal?) {
            inbox.onWake { [inbox, weak self] in
                for item in inbox.take(at: 0) {
                    switch item {
                    case .command(.setName(let name), let reply):
                        self?.items.withLock { $0.append("name \(name)") }
                        reply(refusal.map { .failure($0) } ?? .success(.done))
                    case .input(.settingsChanged(let fixed, let acceptsMembers, let autoFetch)):
                        self?.items.withLock { $0.append("peers \(fixed) \(acceptsMembers) \(autoFetch)") }
                    case .work(let work): work()
                    default: Issue.record("a reload gives nothing else")
                    }
                }
            }
        }

        func settings(_ file: URL, missing ports: [MissedPort] = []) throws -> LiveSettings {
            let daemon = try Daemon.prepare(
                FlagValues(),
                configuration: file.path,
                profile: nil,
                dataDirectory: file.deletingLastPathComponent().path,
                socket: nil,
                environment: [:]
            )
            return LiveSettings(daemon, inbox: inbox, ownName: { "Ada" }, missedPorts: { ports }, changed: { _ in })
        }
    }

    /// Two users of one computer have the usual port in turn, and neither chose it.
    @Test func aPortThatNobodyChoseIsNotMissed() async throws {
        let missed = MissedPort.replaced(4_747, by: 4_748, isReserved: false)
        try await TestConfiguration.with("name: Ada\n") { file in
            let settings = try Taken(refusing: nil).settings(file, missing: [missed])
            #expect(settings.problems.isEmpty)
        }
        try await TestConfiguration.with("port: 4747\n") { file in
            let late = MissedPort.refused(4_747, at: "fe80::1%wlan0", "Address already in use")
            let problems = try Taken(refusing: nil).settings(file, missing: [missed, late]).problems
            #expect(problems.map(\.severity) == [.note, .note])
            #expect(
                problems.last?.message.english
                    == "Port 4747 cannot be taken at fe80::1%wlan0: Address already in use. Nobody can reach this node there."
            )
        }
    }

    private func value(_ key: SettingKey, _ settings: LiveSettings) -> [String]? {
        settings.info.settings.first { $0.key == key.rawValue }?.value
    }

    @Test func theNodeHasTakenWhatIsReported() async throws {
        try await TestConfiguration.with("name: Ada\n") { file in
            let taken = Taken(refusing: nil)
            let settings = try taken.settings(file)
            try Data("name: Eve\npeers: [\"b:1\"]\nport: 1\nauto-accept: nobody\n".utf8).write(to: file)
            let reply = try await settings.reload()
            #expect(reply.applied == ["name", "peers", "auto-accept"] && reply.restart == ["port"])
            #expect(taken.items.withLock { $0 } == ["name Eve", "peers [b:1] false 10485760"])
            #expect(value(.peers, settings) == ["b:1"] && value(.port, settings) == ["4747"])
        }
    }

    /// A file is never fetched by itself that is larger than any file may be.
    @Test func theSizesOfFilesAreTakenOver() async throws {
        try await TestConfiguration.with("") { file in
            let taken = Taken(refusing: nil)
            let settings = try taken.settings(file)
            #expect(Settings().autoFetchBytes == Limits.autoFetchBytes)
            #expect(value(.fileLimit, settings) == ["4 GiB"] && value(.fileQuota, settings) == ["20 GiB"])
            #expect(value(.messageQuota, settings) == ["200 MiB"])
            #expect(Settings().authorDayBytes == Limits.authorDayBytes)
            let steps = [
                ("auto-fetch: 1.5 MiB", "1572864"), ("auto-fetch: off", "0"),
                ("auto-fetch: 2 GiB\nfile-limit: 1 GiB", "1073741824"),
                ("file-quota: off", "10485760"),
            ]
            for (text, bytes) in steps {
                try Data((text + "\n").utf8).write(to: file)
                _ = try await settings.reload()
                #expect(taken.items.withLock { $0.last } == "peers [] true \(bytes)", "\(text)")
            }
            #expect(value(.autoFetch, settings) == ["10 MiB"] && value(.fileQuota, settings) == ["off"])
            for text in [
                "auto-fetch: 10", "auto-fetch: 0 B", "auto-fetch: 2 TiB", "file-limit: off", "file-limit: 10 MB",
                "file-quota: 1 KiB", "file-quota: [1 MiB]",
            ] {
                try Data((text + "\n").utf8).write(to: file)
                let error = await #expect(throws: DaemonError.self, "\(text)") { try await settings.reload() }
                #expect(error?.code == .invalidValue)
            }
        }
    }

    @Test func aNameThatCannotBeStoredChangesNothing() async throws {
        try await TestConfiguration.with("name: Ada\n") { file in
            let taken = Taken(refusing: .notStored("the disk is full"))
            let settings = try taken.settings(file)
            try Data("name: Eve\nlog-level: debug\n".utf8).write(to: file)
            let error = await #expect(throws: DaemonError.self) { try await settings.reload() }
            #expect(error?.code == .storeFailed)
            #expect(taken.items.withLock { $0 } == ["name Eve"])
            #expect(value(.logLevel, settings) == ["info"])
        }
    }

    @Test func moreReloadsThanMayWaitAreRefusedAsBusy() async throws {
        try await TestConfiguration.with("") { file in
            let service = ReloadService(try Taken(refusing: nil).settings(file)) { "" }
            let codes = Mutex<[ErrorCode]>([])
            for _ in 0...ControlLimits.waitingReloads {
                service.ask { result in
                    if case .failure(let error) = result { codes.withLock { $0.append(error.code) } }
                }
            }
            #expect(codes.withLock { $0 } == [.busy])
        }
    }
}
