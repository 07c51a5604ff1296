import Foundation
import Testing

@testable import ParlanceWeb

/// Sessions that an expectation can change.
private final class Held {
    private var value = PageSessions([])
    var sessions: [PageSessions.Session] { value.sessions }

    func add(launch key: String, at now: Int64) { value.add(launch: key, at: now) }
    func launch(_ key: String, value: String, at now: Int64) -> Bool { self.value.launch(key, value: value, at: now) }
    func use(_ value: String, at now: Int64) -> Bool? { self.value.use(value, at: now) }
}

@Suite struct PageSessionsTests {
    private func launched(_ value: String, at now: Int64, in sessions: Held) -> Bool {
        sessions.add(launch: "key", at: now)
        return sessions.launch("key", value: value, at: now)
    }

    @Test func aLinkWorksOnce() {
        let sessions = Held()
        sessions.add(launch: "key", at: 100)
        #expect(!sessions.launch("other", value: "v", at: 101))
        #expect(sessions.launch("key", value: "v", at: 101))
        #expect(!sessions.launch("key", value: "w", at: 101))
        #expect(sessions.use("v", at: 102) == false)
        #expect(sessions.use("w", at: 102) == nil && sessions.use("", at: 102) == nil)
    }

    /// A clock that was set back makes no link work longer.
    @Test(arguments: [100 + PageLimits.launchSeconds, 99])
    func aLinkDoesNotWorkAtAnotherTime(_ now: Int64) {
        let sessions = Held()
        sessions.add(launch: "key", at: 100)
        #expect(!sessions.launch("key", value: "v", at: now))
    }

    @Test func onlySoManyLinksWait() {
        let sessions = Held()
        for number in 0...PageLimits.launches { sessions.add(launch: "\(number)", at: 100) }
        #expect(!sessions.launch("0", value: "v", at: 100))
        #expect(sessions.launch("1", value: "v", at: 100))
    }

    @Test func whoWasAwayLongestGoes() {
        let sessions = Held()
        for number in 0..<PageLimits.sessions { #expect(launched("\(number)", at: 0, in: sessions)) }
        #expect(sessions.use("0", at: PageLimits.sessionNoteSeconds) == true)
        #expect(launched("new", at: 0, in: sessions))
        #expect(sessions.sessions.count == PageLimits.sessions)
        #expect(sessions.use("1", at: 1) == nil && sessions.use("0", at: PageLimits.sessionNoteSeconds) == false)
    }

    @Test func aBrowserIsForgottenAfterAMonth() {
        let sessions = Held()
        #expect(launched("v", at: 0, in: sessions))
        let almost = PageLimits.sessionSeconds - 1
        #expect(sessions.use("v", at: almost) == true)
        #expect(sessions.use("v", at: almost + PageLimits.sessionSeconds) == nil)
        #expect(sessions.sessions.isEmpty)
    }

    @Test func noSecretIsKept() {
        let sessions = Held()
        #expect(launched("value", at: 0, in: sessions))
        #expect(sessions.sessions.allSatisfy { $0.hash.count == 64 && !$0.hash.contains("value") })
    }
}

@Suite struct PageKeysTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "page-\(UUID().uuidString)")

    private func keys() throws -> PageKeys {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return PageKeys(in: folder.path)
    }

    private func value(_ keys: PageKeys) throws -> String {
        let link = try #require(keys.makeLink())
        return try #require(keys.launch(String(link.drop { $0 != "=" }.dropFirst())))
    }

    @Test func aBrowserStaysLetInWhenTheDaemonStartsAgain() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try keys()
        #expect(first.makeLink() == nil)
        first.use(port: 7673)
        let value = try value(first)
        #expect(first.isKnown(value) && !first.isKnown(value + "0"))
        let later = try keys()
        later.use(port: 7673)
        #expect(later.isKnown(value))
        let file = folder.appending(path: "page.json")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains(value))
    }

    /// Somebody else may have had the port, and its cookies, meanwhile.
    @Test func anotherPortForgetsAll() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try keys()
        first.use(port: 7673)
        let value = try value(first)
        for port in [7674, 7673] as [UInt16] {
            let later = try keys()
            later.use(port: port)
            #expect(!later.isKnown(value), "\(port)")
        }
    }

    @Test(arguments: ["", "{", "[]", "{\"port\":7673}", "{\"port\":7673,\"sessions\":[{}]}", "null"])
    func aDamagedFileLetsNobodyIn(_ text: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = try keys()
        try text.write(to: folder.appending(path: "page.json"), atomically: true, encoding: .utf8)
        keys.use(port: 7673)
        #expect(!keys.isKnown("") && keys.makeLink() != nil)
    }
}
