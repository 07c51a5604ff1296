import Foundation
import ParlanceControl
import ParlanceCore
import Synchronization
import Testing

@testable import ParlanceDaemon

/// A reload reports what the node has done, in the order in which it was asked.
@Suite struct ReloadTests {
    /// The inbox of a node, emptied by hand.
    private final class Taken: Sendable {
        let inbox = Inbox()
        let items = Mutex<[String]>([])

        /// - Parameter refusal: the answer to a new name.
        init(refusing refusal: ParlanceCore.Refusal?) {
            inbox.onWake { [inbox, weak self] in
                for item in inbox.takeAll() {
                    switch item {
                    case .command(.setName(let name), let reply):
                        self?.items.withLock { $0.append("name \(name)") }
                        reply(refusal.map { .failure($0) } ?? .success(.done))
                    case .input(.settingsChanged(let fixed, let acceptsMembers, _)):
                        self?.items.withLock { $0.append("peers \(fixed) \(acceptsMembers)") }
                    case .work(let work): work()
                    default: Issue.record("a reload gives nothing else")
                    }
                }
            }
        }

        func settings(_ file: URL) throws -> LiveSettings {
            let daemon = try Daemon.prepare(
                FlagValues(),
                configuration: file.path,
                profile: nil,
                dataDirectory: file.deletingLastPathComponent().path,
                socket: nil,
                environment: [:]
            )
            return LiveSettings(daemon, inbox: inbox, ownName: { "Ada" }, changed: { _ in })
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
            #expect(taken.items.withLock { $0 } == ["name Eve", "peers [b:1] false"])
            #expect(value(.peers, settings) == ["b:1"] && value(.port, settings) == ["4747"])
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
            let codes = Mutex<[ControlError.Code]>([])
            for _ in 0...ControlLimits.waitingReloads {
                service.ask { result in
                    if case .failure(let error) = result { codes.withLock { $0.append(error.code) } }
                }
            }
            #expect(codes.withLock { $0 } == [.busy])
        }
    }
}
