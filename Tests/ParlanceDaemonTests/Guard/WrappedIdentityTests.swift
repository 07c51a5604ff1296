import Foundation
import ParlanceSodium
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The identity file under a passphrase: what opens it, what does not, and what the folder contains.
@Suite struct WrappedIdentityTests {
    struct File: Decodable { var vectors: [Vector] }
    struct Vector: Decodable {
        var name, passphrase, seed, file: String
    }

    private static let cheap = PasswordHash.Cost(operations: 1, memoryBytes: 8_192)

    private func secret(_ text: String) -> SecretBytes { SecretBytes(copying: Array(text.utf8)) }

    /// Opens an identity with the given passphrases, one after the other.
    private func key(_ file: IdentityFile, _ passphrases: String...) throws -> SigningKey {
        var left = passphrases[...]
        return try file.open { (_: Bool) throws(DaemonError) -> SecretBytes? in left.popFirst().map { secret($0) } }.key
    }

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    @Test func vectorsOpen() throws {
        let data = try Data(contentsOf: repository.appending(path: "protocol/vectors/identity/identity-files.json"))
        let vectors = try JSONDecoder().decode(File.self, from: data).vectors
        #expect(!vectors.isEmpty)
        for vector in vectors {
            let wrapped = try #require(WrappedIdentity(vector.file), "\(vector.name)")
            #expect(wrapped.text == vector.file)
            let seed = try #require(try wrapped.open(with: secret(vector.passphrase)), "\(vector.name)")
            #expect(seed.withBytes { [UInt8]($0).hex } == vector.seed)
            #expect(try wrapped.open(with: secret(vector.passphrase + " ")) == nil)
        }
    }

    @Test func noWordOfItCanBeChanged() throws {
        let key = SigningKey.generate()
        let wrapped = try WrappedIdentity(key.seed, under: secret("correct horse"), cost: Self.cheap)
        #expect(try WrappedIdentity(key.seed, under: secret("correct horse"), cost: Self.cheap).salt != wrapped.salt)
        let words = wrapped.text.split(separator: " ").map(String.init)
        func opens(_ index: Int, _ word: String) throws -> Bool {
            var other = words
            other[index] = word
            guard let read = WrappedIdentity(other.joined(separator: " ")) else { return false }
            return try read.open(with: secret("correct horse")) != nil
        }
        #expect(try opens(2, "1"))
        for (index, word) in [
            (0, "parlance-identity-3"), (1, "argon2i"), (2, "2"), (2, "0"), (2, "-1"), (3, "16384"), (3, "0"),
            (3, "99999999999999999999"), (4, String(words[4].reversed())), (4, "00"),
            (5, String(repeating: "0", count: 48)),
            (6, String(repeating: "0", count: 96)), (6, "+1" + words[6].dropFirst(2)), (6, ""),
        ] where words[index] != word {
            #expect(try !opens(index, word), "\(index): \(word)")
        }
    }

    /// Sets, changes and removes a passphrase; the folder contains the seed only while there is none.
    @Test func setChangedAndRemoved() throws {
        try inFolder { (folder: String) throws in
            let file = IdentityFile(in: folder, cost: Self.cheap)
            let (key, isNew, isWrapped) = try file.open { (_: Bool) throws(DaemonError) -> SecretBytes? in nil }
            #expect(isNew && !isWrapped)
            #expect(try holds(folder, key), "in the clear, or this test finds nothing")
            try file.change(from: nil, to: secret("one two three"))
            #expect(try !holds(folder, key))
            #expect(throws: IdentityFile.wrongPassphrase) { try file.change(from: nil, to: nil) }
            #expect(throws: IdentityFile.wrongPassphrase) { try file.change(from: secret("one two"), to: nil) }
            #expect(try self.key(file, "wrong", "one two three") == key)
            #expect(throws: IdentityFile.wrongPassphrase) { try self.key(file, "wrong") }
            try file.change(from: secret("one two three"), to: secret("four five six"))
            #expect(try self.key(file, "four five six") == key)
            #expect(try !holds(folder, key))
            #expect(try permissions(file.path) == 0o600)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder) == [IdentityFile.name],
                "no draft is left"
            )
            try file.change(from: secret("four five six"), to: nil)
            #expect(try self.key(file) == key)
        }
    }

    /// If another hard link to the file exists, as some backups make, the old contents are not overwritten.
    @Test func whatIsReplacedIsWipedUnlessSomebodyElseHasIt() throws {
        try inFolder { (folder: String) throws in
            let file = IdentityFile(in: folder, cost: Self.cheap)
            let key = try self.key(file)
            let before = try FileHandle(forReadingFrom: URL(fileURLWithPath: file.path))
            try file.change(from: nil, to: secret("one two three"))
            let left = try #require(try before.readToEnd())
            #expect(left.allSatisfy { $0 == 0 }, "the old file's place on the disk")
            try file.change(from: secret("one two three"), to: nil)
            try FileManager.default.linkItem(atPath: file.path, toPath: folder + "/backup")
            try file.change(from: nil, to: secret("one two three"))
            #expect(
                try String(contentsOfFile: folder + "/backup", encoding: .utf8).contains(
                    key.seed.withBytes { [UInt8]($0).hex }
                )
            )
        }
    }

    @Test func onlyAFreshFolderGetsAnIdentity() throws {
        try inFolder { (folder: String) throws in
            let file = IdentityFile(in: folder, cost: Self.cheap)
            let key = SigningKey.generate()
            #expect(try file.make(key, under: secret("one two three")))
            #expect(try !holds(folder, key))
            #expect(try !file.make(SigningKey.generate(), under: nil), "there is one")
            #expect(try self.key(file, "one two three") == key)
        }
    }

    /// Whether any file of a folder contains the seed, as bytes or as digits.
    private func holds(_ folder: String, _ key: SigningKey) throws -> Bool {
        let seed = key.seed.withBytes { Data($0) }
        return try FolderSearch.finds(seed, in: URL(fileURLWithPath: folder))
    }
}

/// Searches every file of a folder for a secret.
enum FolderSearch {
    static func finds(_ secret: Data, in folder: URL) throws -> Bool {
        let digits = Data([UInt8](secret).hex.utf8)
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: [.isRegularFileKey])
        while let file = files?.nextObject() as? URL {
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let data = try Data(contentsOf: file)
            let lowered = Data(data.map { (0x41...0x5A).contains($0) ? $0 + 0x20 : $0 })
            if data.range(of: secret) != nil || lowered.range(of: digits) != nil { return true }
        }
        return false
    }
}
