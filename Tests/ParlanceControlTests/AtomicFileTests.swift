import Foundation
import Testing

@testable import ParlanceControl

/// Small files that are replaced as a whole.
@Suite struct AtomicFileTests {
    private final class Folder {
        let path = NSTemporaryDirectory() + "/parlance-file-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false) }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        var file: String { path + "/file" }
        var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        var text: String? { try? String(contentsOfFile: file, encoding: .utf8) }
    }

    @Test func itHoldsTheNewContentsAndNoDraftStays() throws {
        let folder = try Folder()
        for text in ["first", "2"] {
            let file = try AtomicFile(folder.file)
            try file.write(Array(text.utf8), mode: 0o640)
            try file.replace()
            #expect(folder.text == text && folder.names == ["file"])
        }
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o640)
    }

    /// The draft of a killed process is longer than what is written now.
    @Test func piecesAreOneFile() throws {
        let folder = try Folder()
        try Data(repeating: 0x78, count: 10_000).write(to: URL(fileURLWithPath: folder.file + ".new"))
        do {
            let file = try AtomicFile(folder.file)
            for piece in ["one, ", "", "two"] { try file.append(Array(piece.utf8)) }
            #expect(file.written == 8)
            try file.finish()
            #expect(try file.make())
        }
        #expect(folder.text == "one, two" && folder.names == ["file"])
    }

    @Test func aFileIsMadeOnce() throws {
        let folder = try Folder()
        for (text, isMade) in [("first", true), ("second", false)] {
            let file = try AtomicFile(folder.file)
            try file.write(Array(text.utf8))
            #expect(try file.make() == isMade)
        }
        #expect(folder.text == "first" && folder.names == ["file"])
    }

    @Test func aFailureLeavesNoDraft() throws {
        let folder = try Folder()
        try FileManager.default.createDirectory(atPath: folder.file, withIntermediateDirectories: false)
        #expect(throws: (any Error).self) {
            let file = try AtomicFile(folder.file)
            try file.write([1])
            try file.replace()
        }
        #expect(folder.names == ["file"])
    }

    @Test func theDraftOfAKilledProcessIsUsedAgain() throws {
        let folder = try Folder()
        try Data(repeating: 0x78, count: 10_000).write(to: URL(fileURLWithPath: folder.file + ".new"))
        let file = try AtomicFile(folder.file)
        try file.write(Array("short".utf8))
        try file.replace()
        #expect(folder.text == "short" && folder.names == ["file"])
    }

    /// A draft with a second name: what is written must not reach it.
    @Test func aLinkedDraftIsNotUsed() throws {
        let folder = try Folder()
        let other = folder.path + "/other"
        try Data("mine".utf8).write(to: URL(fileURLWithPath: other))
        try FileManager.default.linkItem(atPath: other, toPath: folder.file + ".new")
        let file = try AtomicFile(folder.file)
        try file.write(Array("secret".utf8))
        try file.replace()
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "mine")
        #expect(folder.text == "secret")
    }

    /// The draft of a killed process that was readable is closed to others before anything is written.
    @Test func aDraftIsClosedToOthersFirst() throws {
        let folder = try Folder()
        let draft = folder.file + ".new"
        _ = FileManager.default.createFile(atPath: draft, contents: nil, attributes: [.posixPermissions: 0o666])
        let file = try AtomicFile(folder.file)
        let mode = try FileManager.default.attributesOfItem(atPath: draft)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
        try file.write([0x41])
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func aDraftOfSomebodyElseIsNotUsed() throws {
        let folder = try Folder()
        let draft = folder.file + ".new"
        _ = FileManager.default.createFile(atPath: draft, contents: nil)
        try #require(chown(draft, 12_345, 12_345) == 0)
        let theirs = try FileHandle(forReadingFrom: URL(fileURLWithPath: draft))
        let file = try AtomicFile(folder.file)
        try file.write(Array("secret".utf8))
        try file.replace()
        #expect(try theirs.readToEnd() == nil)
        #expect(folder.text == "secret" && folder.names == ["file"])
    }

    /// Many change the file at once, each by what it reads; none of the changes is lost.
    @Test func whoeverComesSecondWaits() throws {
        let folder = try Folder()
        let path = folder.file
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 1...20 {
                guard let file = try? AtomicFile(path) else { continue }
                let old = (try? Data(contentsOf: URL(fileURLWithPath: path))) ?? Data()
                try? file.write(Array(old) + [0x2E])
                try? file.replace()
            }
        }
        #expect(folder.text?.count == 160)
        #expect(folder.names == ["file"])
    }

    @Test(arguments: [(0o644, 0o644), (0o640, 0o600), (0o664, 0o644), (0o600, 0o600), (0o2660, 0o600), (0o755, 0o755)])
    func anotherGroupMayDoWhatEverybodyMay(mode: UInt32, kept: UInt32) {
        #expect(AtomicFile.withoutGroup(mode) == kept)
    }

    /// A group that could do no more than everybody loses nothing.
    @Test(
        arguments: [
            (0o644, nil), (0o600, nil), (0o755, nil), (0o2644, nil), (0o640, .reading), (0o660, .reading),
            (0o2660, .reading), (0o664, .writing), (0o620, .writing), (0o666, nil),
        ] as [(UInt32, AtomicFile.GroupLoss?)]
    )
    func whatALostGroupCannotDoIsKnown(mode: UInt32, loss: AtomicFile.GroupLoss?) {
        #expect(AtomicFile.GroupLoss(of: mode) == loss)
    }

    /// A group that is kept loses nothing.
    @Test func aGroupThatIsKeptLosesNothing() throws {
        let folder = try Folder()
        for _ in 1...2 {
            let file = try AtomicFile(folder.file)
            try file.write([0x41], mode: 0o660)
            try file.replace()
            #expect(file.groupLoss == nil)
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func rootLeavesTheFileToItsOwner() throws {
        let folder = try Folder()
        for (name, owner) in [("file", 12_345), ("folder", 12_346)] as [(String, uid_t)] {
            try? FileManager.default.removeItem(atPath: folder.file)
            if name == "file" {
                try Data().write(to: URL(fileURLWithPath: folder.file))
                try #require(chown(folder.file, owner, owner) == 0)
            } else {
                try #require(chown(folder.path, owner, owner) == 0)
            }
            let file = try AtomicFile(folder.file)
            try file.write([0x41])
            try file.replace()
            var status = stat()
            try #require(stat(folder.file, &status) == 0)
            #expect(status.st_uid == owner && status.st_gid == owner, "the owner of the \(name)")
        }
    }
}
