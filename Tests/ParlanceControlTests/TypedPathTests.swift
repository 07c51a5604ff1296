import Foundation
import Testing

@testable import parlance

/// What Tab offers for a path that is typed in the chat.
@Suite struct TypedPathTests {
    @Test func foldersAndFilesAreOffered() throws {
        let folder = try ServerFixture.temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let files = FileManager.default
        try files.createDirectory(atPath: folder + "/Plans 2", withIntermediateDirectories: false)
        for name in ["Plan.pdf", ".hidden", "bad\nname", "Plans 2/x"] {
            #expect(files.createFile(atPath: folder + "/" + name, contents: nil))
        }
        #expect(TypedPaths.paths(from: folder + "/Pl") == [folder + "/Plan.pdf", folder + "/Plans 2/"])
        #expect(TypedPaths.paths(from: folder + "/") == [folder + "/Plan.pdf", folder + "/Plans 2/"])
        #expect(TypedPaths.paths(from: folder + "/.h") == [folder + "/.hidden"])
        #expect(TypedPaths.paths(from: folder + "/Plans 2/") == [folder + "/Plans 2/x"])
        #expect(TypedPaths.paths(from: folder + "/none/x") == [])
    }
}
