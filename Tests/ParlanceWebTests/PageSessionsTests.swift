import Foundation
import ParlanceControl
import ParlanceSodium
import Synchronization
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
        let value = try #require(keys.launch(String(link.drop { $0 != "=" }.dropFirst())))
        keys.save()
        return value
    }

    @Test func aBrowserStaysLetInWhenTheDaemonStartsAgain() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try keys()
        #expect(first.makeLink() == nil)
        first.use(port: 7673)
        let value = try value(first)
        #expect(first.use(value) != nil && first.use(value + "0") == nil)
        let later = try keys()
        later.use(port: 7673)
        #expect(later.use(value) != nil)
        let file = folder.appending(path: "page.json")
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        #expect(try !String(contentsOf: file, encoding: .utf8).contains(value))
    }

    @Test func aFileThatCannotBeReadIsReportedAndWrittenAnew() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("{".utf8).write(to: folder.appending(path: "page.json"))
        let reports = Mutex(0)
        let keys = PageKeys(in: folder.path, notRead: { _ in reports.withLock { $0 += 1 } })
        keys.use(port: 7673)
        keys.use(port: 7673)
        let count = reports.withLock { $0 }
        #expect(count == 1 && keys.notedPort == 7673)
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
            #expect(later.use(value) == nil, "\(port)")
        }
    }

    /// Whatever a damaged file says, no sum of times overflows.
    @Test(arguments: [Int64.min, -1, Int64(UInt32.max) + 1, Int64.max])
    func timesThatNoClockShowsAreForgotten(_ used: Int64) {
        var sessions = PageSessions([PageSessions.Session(hash: Hex.text(SHA256.hash(Array("v".utf8))), used: used)])
        #expect(sessions.sessions.isEmpty && sessions.use("v", at: 100) == nil)
        sessions = PageSessions([PageSessions.Session(hash: Hex.text(SHA256.hash(Array("v".utf8))), used: 50)])
        #expect(sessions.use("v", at: 100) == false)
    }

    /// The use is noted once a day, and the browser's cookie is then renewed.
    @Test func aUseIsNotedOnceADay() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let time = Mutex<Int64>(0)
        let keys = PageKeys(in: folder.path, now: { time.withLock { $0 } })
        keys.use(port: 7673)
        let value = try value(keys)
        #expect(keys.use(value) == false)
        time.withLock { $0 = PageLimits.sessionNoteSeconds }
        #expect(keys.use(value) == true && keys.use(value) == false)
        #expect(keys.notedPort == 7673 && keys.stop() == 7673 && keys.stop() == nil && keys.makeLink() == nil)
        keys.save()
        #expect(keys.notedPort == 7673)
    }

    @Test(arguments: ["", "{", "[]", "{\"port\":7673}", "{\"port\":7673,\"sessions\":[{}]}", "null"])
    func aDamagedFileLetsNobodyIn(_ text: String) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let keys = try keys()
        try text.write(to: folder.appending(path: "page.json"), atomically: true, encoding: .utf8)
        keys.use(port: 7673)
        #expect(keys.use("") == nil && keys.makeLink() != nil)
    }
}
