import Foundation
import ParlanceStore
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The guard on disk: private, complete, and named by the folder that it guards.
@Suite struct GuardFileTests {
    private final class Place {
        let path = NSTemporaryDirectory() + "/parlance-guard-\(UUID().uuidString)"

        init() throws {
            try FileManager.default.createDirectory(atPath: path + "/data", withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var state: String { path + "/state/parlance" }
        var file: GuardFile { GuardFile(in: state, of: path + "/data") }
    }

    @Test func whatWasWrittenIsRead() throws {
        let place = try Place()
        #expect(place.file.read() == .nothing)
        var known = GuardSamples.known
        for generation in [1, 2, UInt64.max] {
            known.generation = generation
            known.machine = generation == 2 ? nil : known.machine
            try place.file.write(known)
            #expect(place.file.read() == .whole(known))
        }
        #expect(try permissions(place.file.path) == 0o600)
        #expect(try permissions(place.state) == 0o700)
        // No temporary file stays behind.
        let names = try FileManager.default.contentsOfDirectory(atPath: place.state)
        #expect(names.map { place.state + "/" + $0 } == [place.file.path])
    }

    @Test func twoFoldersHaveTwoGuardsAndOneFolderHasOne() throws {
        let place = try Place()
        for name in ["/other", "/data/inner"] {
            try FileManager.default.createDirectory(atPath: place.path + name, withIntermediateDirectories: false)
        }
        try FileManager.default.createSymbolicLink(atPath: place.path + "/link", withDestinationPath: "data")
        func path(_ name: String) -> String { GuardFile(in: place.state, of: place.path + name).path }
        #expect(Set(["/data", "/other", "/data/inner"].map(path)).count == 3)
        for same in ["/data/", "/link", "/other/../data", "/./data"] { #expect(path(same) == path("/data"), "\(same)") }
    }

    /// A guard from which any part is cut off or in which any part is changed is recognised as damaged, except for the
    /// device.
    @Test func aDamagedFileIsNoGuard() throws {
        let place = try Place()
        try place.file.write(GuardSamples.known)
        let whole = try Data(contentsOf: URL(fileURLWithPath: place.file.path))
        for length in 0..<whole.count {
            try whole.prefix(length).write(to: URL(fileURLWithPath: place.file.path))
            #expect(place.file.read() == .damaged, "\(length) bytes of \(whole.count)")
        }
        let text = String(decoding: whole, as: UTF8.self)
        let bad = [
            text.replacingOccurrences(of: "\"version\" : 1", with: "\"version\" : 2"),
            text.replacingOccurrences(of: "\"inode\" : 11", with: "\"inode\" : -1"),
            text.replacingOccurrences(of: "\"generation\" : 7", with: "\"generation\" : 1e30"),
            text.replacingOccurrences(of: "aaaa", with: "a!aa"), "[]", "{}", "null", "\u{0}",
            String(repeating: " ", count: 100_000),
        ]
        for text in bad {
            try Data(text.utf8).write(to: URL(fileURLWithPath: place.file.path))
            #expect(place.file.read() == .damaged, "\(text.prefix(400))")
        }
    }

    @Test func aFolderInThePlaceOfAFileIsAClearError() throws {
        let place = try Place()
        try FileManager.default.createDirectory(atPath: place.file.path, withIntermediateDirectories: true)
        #expect(place.file.read() == .damaged)
        let error = #expect(throws: DaemonError.self) { try place.file.write(GuardSamples.known) }
        #expect(error?.message.english.contains(place.file.path) == true)
        #expect(error?.advice.english.contains("XDG_STATE_HOME") == true)
        #expect(throws: DaemonError.self) {
            try GuardFile(in: "/dev/null/state", of: place.path).write(GuardSamples.known)
        }
        #expect(GuardFile(in: "/dev/null/state", of: place.path).read() == .nothing)
    }
}
