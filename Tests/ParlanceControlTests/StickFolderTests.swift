import Foundation
import ParlanceWords
import Testing

@testable import ParlanceControl

/// A folder on a stick that anybody may have filled.
@Suite struct StickFolderTests {
    private func within(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "stick-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func whatIsWrittenIsReadAndReplacedAsAWhole() throws {
        try within { path in
            let folder = try StickFolder(UserPath(path))
            #expect(folder.read("a", limit: 4) == .nothing)
            try folder.replace("a", with: [1, 2, 3, 4])
            #expect(folder.read("a", limit: 4) == .file([1, 2, 3, 4]))
            #expect(folder.read("a", limit: 3) == .tooLong)
            try folder.replace("a", with: [])
            #expect(folder.read("a", limit: 4) == .file([]))
            // Whoever carries it is another user.
            let mode = try FileManager.default.attributesOfItem(atPath: path + "/a")[.posixPermissions] as? Int
            #expect(mode == 0o644)
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["a"])
            try folder.remove("a")
            try folder.remove("a")
            #expect(folder.read("a", limit: 4) == .nothing)
        }
    }

    @Test func aFileIsReadAndWrittenPieceByPiece() throws {
        try within { path in
            let folder = try StickFolder(UserPath(path))
            try folder.replace("a", with: [1])
            let draft = try folder.draft(of: "a")
            try draft.append([2, 3])
            try draft.append([4])
            #expect(folder.read("a", limit: 4) == .file([1]), "a part of a file does not count")
            try draft.finish(mode: StickFolder.mode)
            try draft.replace()
            #expect(folder.read("a", limit: 4) == .file([2, 3, 4]))
            guard case .file(let file) = folder.openFile("a") else { throw CocoaError(.fileNoSuchFile) }
            #expect(file.size == 3 && file.descriptor >= 0)
            // What a killed command has left.
            try Data([9]).write(to: URL(filePath: path + "/b.new"))
            folder.removeDraft(of: "b")
            #expect(try FileManager.default.contentsOfDirectory(atPath: path) == ["a"])
            #expect(folder.free ?? 0 > 0)
        }
    }

    @Test func nothingButOrdinaryFilesIsReadOrReplaced() throws {
        try within { path in
            try Data("secret".utf8).write(to: URL(filePath: path + "/target"))
            try FileManager.default.createSymbolicLink(atPath: path + "/link", withDestinationPath: path + "/target")
            try FileManager.default.createSymbolicLink(atPath: path + "/loop", withDestinationPath: path + "/loop")
            try FileManager.default.createDirectory(atPath: path + "/folder", withIntermediateDirectories: false)
            #expect(mkfifo(path + "/pipe", 0o666) == 0)
            // The draft of a file that a hostile stick has laid out.
            try FileManager.default.createSymbolicLink(atPath: path + "/b.new", withDestinationPath: path + "/target")
            let folder = try StickFolder(UserPath(path))
            for name in ["link", "loop", "folder", "pipe", "../target", "folder/../target"] {
                #expect(folder.read(name, limit: 100) == .notAFile, "\(name)")
            }
            for name in ["link", "loop", "pipe"] {
                try folder.replace(name, with: [7])
                #expect(folder.read(name, limit: 100) == .file([7]), "\(name)")
            }
            #expect(throws: (any Error).self) { try folder.replace("folder", with: [7]) }
            #expect(throws: (any Error).self) { try folder.replace("b", with: [7]) }
            #expect(folder.read("target", limit: 100) == .file(Array("secret".utf8)), "no link was followed")
        }
    }

    @Test func aFolderThatIsNotThereIsAnErrorThatSaysSo() throws {
        try within { path in
            #expect(throws: ControlFailure.self) { try StickFolder(UserPath(path + "/none")) }
            try Data().write(to: URL(filePath: path + "/file"))
            #expect(throws: ControlFailure.self) { try StickFolder(UserPath(path + "/file")) }
        }
    }

    @Test func bytesAreTwoDigitsEach() {
        #expect(Hex.text([0, 0x9A, 0xFF]) == "009aff" && Hex.bytes("009aff") == [0, 0x9A, 0xFF])
        for wrong in ["0", "0g", "0A", "é", " 00"] { #expect(Hex.bytes(wrong) == nil, "\(wrong)") }
        #expect(Hex.bytes("") == [])
    }
}
