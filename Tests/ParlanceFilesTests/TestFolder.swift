import Foundation
import Testing

/// A folder that is removed with this object.
final class TestFolder {
    let path = NSTemporaryDirectory() + "/parlance-files-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Creates a file, and the folders on the way.
    func put(_ bytes: [UInt8], _ name: String) throws {
        let url = URL(fileURLWithPath: path + "/" + name)
        try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        // Foundation would sync each file, and some tests have thousands.
        let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        defer { close(file) }
        #expect(file >= 0 && write(file, bytes, bytes.count) == bytes.count)
    }

    func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path + "/" + name)))
    }

    /// Every file, hidden ones too, without the folders.
    func files(in name: String = "") -> [String] {
        let root = path + "/" + name
        return (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).filter {
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: root + "/" + $0, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// What is in it, without what is in the folders in it.
    var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

    func mode(_ name: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: path + "/" + name)
        return attributes[.posixPermissions] as? Int ?? -1
    }
}
