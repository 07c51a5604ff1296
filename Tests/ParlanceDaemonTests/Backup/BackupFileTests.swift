import Foundation
import ParlanceControl
import ParlanceSodium
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The format of backup files: what was written comes back, and anything else is refused.
@Suite struct BackupFileTests {
    private static let cheap = PasswordHash.Cost(operations: 1, memoryBytes: 8192)
    private static let words = SecretBytes(copying: Array("correct horse".utf8))

    private struct Part: Equatable {
        var kind: UInt8
        var bytes: [UInt8]
    }

    private enum Never: Error {}

    private static func file(_ parts: [Part], isSealed: Bool = false) throws -> [UInt8] {
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        let key = isSealed ? try BackupKey(words, cost: cheap) : nil
        var writer = try BackupWriter<Never>(key) { sink.bytes += $0 }
        for part in parts {
            try writer.begin(part: part.kind, length: UInt64(part.bytes.count))
            for start in stride(from: 0, to: part.bytes.count, by: 10_007) {
                try writer.append(Array(part.bytes[start..<min(start + 10_007, part.bytes.count)]))
            }
        }
        try writer.finish()
        return sink.bytes
    }

    /// Everything in a file, or why it is refused.
    private static func read(
        _ bytes: [UInt8],
        _ passphrase: SecretBytes? = nil,
        most: PasswordHash.Cost = cheap
    ) -> Result<[Part], BackupFault> {
        final class Position { var next = 0 }
        let position = Position()
        func source(_ count: Int) throws(BackupFault) -> [UInt8] {
            defer { position.next = min(bytes.count, position.next + count) }
            return Array(bytes[position.next..<min(bytes.count, position.next + count)])
        }
        do throws(BackupFault) {
            let header = try BackupHeader(source, most: most)
            var reader = try BackupReader(header, passphrase: passphrase, source: source)
            var parts: [Part] = []
            while let piece = try reader.next() {
                if piece.bytes.isEmpty {
                    parts.append(Part(kind: piece.part, bytes: []))
                } else {
                    parts[parts.count - 1].bytes += piece.bytes
                }
            }
            return .success(parts)
        } catch { return .failure(error) }
    }

    private static func parts(store: Int = 10, withSettings: Bool = true) -> [Part] {
        [Part(kind: 1, bytes: Array("{}".utf8)), Part(kind: 2, bytes: Array("identity\n".utf8))]
            + (withSettings ? [Part(kind: 3, bytes: Array("name: Ada\n".utf8))] : [])
            + [Part(kind: 4, bytes: (0..<store).map { UInt8(truncatingIfNeeded: $0 * 7) })]
    }

    @Test(arguments: [0, 1, 65_465, 65_536, 131_072, 200_000], [false, true])
    func whatWasWrittenComesBack(_ size: Int, _ isSealed: Bool) throws {
        for withSettings in [false, true] {
            let parts = Self.parts(store: size, withSettings: withSettings)
            let file = try Self.file(parts, isSealed: isSealed)
            #expect(Self.read(file, isSealed ? Self.words : nil) == .success(parts))
        }
    }

    @Test(arguments: [false, true]) func everyChangeIsNoticed(_ isSealed: Bool) throws {
        let passphrase = isSealed ? Self.words : nil
        let file = try Self.file(Self.parts(), isSealed: isSealed)
        for index in file.indices {
            var changed = file
            changed[index] ^= 0x04
            #expect((try? Self.read(changed, passphrase).get()) == nil, "byte \(index)")
        }
        for count in file.indices {
            #expect((try? Self.read(Array(file[..<count]), passphrase).get()) == nil, "\(count) bytes")
        }
        #expect(Self.read(file + [0], passphrase) == .failure(.continued))
        #expect(Self.read(Array(file.dropLast()), passphrase) == .failure(.truncated))
    }

    @Test func chunksHaveTheirPlaces() throws {
        for isSealed in [false, true] {
            let file = try Self.file(Self.parts(store: 200_000), isSealed: isSealed)
            let start = isSealed ? 19 + 16 + 16 + 24 : 19
            let size = 4 + 65_536 + (isSealed ? 17 : 33)
            let (head, one) = (file[..<start], file[start..<(start + size)])
            let (two, rest) = (file[(start + size)..<(start + 2 * size)], file[(start + 2 * size)...])
            let passphrase = isSealed ? Self.words : nil
            #expect((try? Self.read(Array(head + one + two + rest), passphrase).get()) != nil)
            for wrong in [head + two + one + rest, head + one + rest, head + one + one + two + rest, head + one + two] {
                #expect((try? Self.read(Array(wrong), passphrase).get()) == nil)
            }
        }
    }

    @Test func anotherPassphraseOpensNothing() throws {
        let file = try Self.file(Self.parts(), isSealed: true)
        #expect(Self.read(file, SecretBytes(copying: Array("wrong".utf8))) == .failure(.wrongPassphrase))
        #expect(Self.read(file, nil) == .failure(.wrongPassphrase))
        let text = Array("identity".utf8)
        #expect(!file.indices.contains { file[$0...].starts(with: text) })
    }

    /// A file that asks for 4 TiB of memory, or a million passes, is refused before anything is computed.
    @Test func aCostlyPassphraseIsRefused() throws {
        let file = try Self.file(Self.parts(), isSealed: true)
        for (offset, value) in [(19 + 2, UInt8(0x10)), (19 + 8 + 2, 0x04), (19, 0x80), (19 + 8, 0x80)] {
            var changed = file
            changed[offset] = value
            #expect(Self.read(changed, Self.words) == .failure(.costly))
        }
        #expect(Self.read(file, Self.words, most: .init(operations: 0, memoryBytes: 8192)) == .failure(.costly))
    }

    @Test func otherFilesAreNotBackups() throws {
        #expect(Self.read([]) == .failure(.notABackup))
        #expect(Self.read(Array("SQLite format 3\0 and more of it".utf8)) == .failure(.notABackup))
        #expect(Self.read(Array("parlance-backup-2\n".utf8) + [0]) == .failure(.newer))
        #expect(Self.read(Array("parlance-backup-1\n".utf8) + [7]) == .failure(.newer))
        #expect(Self.read(Array("parlance-backup-1\n".utf8)) == .failure(.truncated))
    }

    @Test func partsComeInTheirOrderAndSize() throws {
        let all = Self.parts()
        for wrong in [
            [], [all[0]], Array(all[..<3]), [all[1], all[0], all[3]], [all[0], all[1], all[3], all[3]],
            [all[0], all[0], all[1], all[3]], all + [Part(kind: 5, bytes: [])], [Part(kind: 0, bytes: [])] + all,
            [all[0], Part(kind: 2, bytes: [UInt8](repeating: 1, count: 4097)), all[3]],
        ] {
            #expect(Self.read(try Self.file(wrong)) == .failure(.parts), "\(wrong.map(\.kind))")
        }
        // A part that claims to be longer than what follows, and one that is longer than any disk.
        for length in [UInt64(12), 1 << 40, .max] {
            final class Sink { var bytes: [UInt8] = [] }
            let sink = Sink()
            var writer = try BackupWriter<Never>(nil) { sink.bytes += $0 }
            for part in all[..<3] {
                try writer.begin(part: part.kind, length: UInt64(part.bytes.count))
                try writer.append(part.bytes)
            }
            try writer.begin(part: 4, length: length)
            try writer.append([1, 2, 3])
            try writer.finish()
            #expect(Self.read(sink.bytes) == .failure(.parts))
        }
    }

    @Test func everyFaultSaysWhatToDo() {
        let faults: [BackupFault] = [
            .notABackup, .newer, .truncated, .damaged, .wrongPassphrase, .costly, .parts, .continued,
            .noMemory(bytes: 1 << 30), .unreadable(reason: EIO),
        ]
        for fault in faults {
            let failure = fault.failure("/x")
            #expect(!failure.message.isEmpty && !failure.advice.isEmpty)
        }
        #expect(
            BackupFault.damaged.failure("/x").exitCode == 65
                && BackupFault.unreadable(reason: EIO).failure("/x").exitCode == 1
        )
    }
}
