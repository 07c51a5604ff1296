import Foundation

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// A folder of hooks for one test.
struct ScriptFolder {
    let url: URL
    var path: String { url.path }

    init() throws {
        url = URL(fileURLWithPath: "/tmp/phook-\(UInt32.random(in: .min ... .max))", isDirectory: true)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
        try setMode(0o700, of: url)
    }

    init(at url: URL) throws {
        self.url = url
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// Writes a shell script whole, so that nobody runs half of it.
    func write(_ name: String, _ text: String, mode: Int = 0o700) throws {
        let draft = url.appendingPathComponent(".draft")
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: draft)
        try setMode(mode, of: draft)
        let file = url.appendingPathComponent(name)
        if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
        try FileManager.default.moveItem(at: draft, to: file)
    }

    func setMode(_ mode: Int, of file: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// The lines of a file that scripts write.
    func lines(_ name: String) -> [String] {
        let text = (try? String(contentsOf: url.appendingPathComponent(name), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}
