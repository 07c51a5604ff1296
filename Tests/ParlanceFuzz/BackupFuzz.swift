import ParlanceDaemon
import ParlanceSodium

/// Any file as a backup is read to its end, or refused; and no change of an honest one goes unnoticed.
enum BackupFuzz {
    /// Cheap, so that many files can be tried; a file that asks for more is refused.
    private static let cost = PasswordHash.Cost(operations: 1, memoryBytes: 8192)
    private static let passphrase = SecretBytes(copying: Array("correct horse".utf8), placement: .heap)

    private enum Nothing: Error {}

    /// What was read of a file.
    private struct Found: Equatable {
        var parts: [UInt8] = []
        var bytes: [UInt8: UInt64] = [:]
        var lengths: [UInt8: UInt64] = [:]
    }

    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        switch reader.byte() & 3 {
        case 0: check(reader.rest())
        case 1: check(file(reader.rest()))
        case 2:
            // One byte of an honest file is another one.
            var honest = reader.byte() & 1 == 0 ? open : sealed
            let place = Int(reader.short()) % honest.count
            let change = reader.byte()
            honest[place] ^= change
            promise(change == 0 || read(honest) == nil, "a change of byte \(place) goes unnoticed")
        default:
            // It is cut, or something follows.
            let honest = reader.byte() & 1 == 0 ? open : sealed
            let cut = Int(reader.short()) % honest.count
            let rest = reader.rest()
            let changed = Array(honest[..<cut]) + rest
            promise(changed == honest || read(changed) == nil, "a file that is cut at \(cut) is accepted")
            promise(rest.isEmpty || read(honest + rest) == nil, "a file that continues is accepted")
        }
    }

    /// A file that is accepted has its parts in order, each as long as it says.
    private static func check(_ bytes: [UInt8]) {
        guard let found = read(bytes) else { return }
        promise(
            found.parts == found.parts.sorted() && Set(found.parts).count == found.parts.count,
            "parts out of order"
        )
        promise(Set(found.parts).isSuperset(of: [1, 2, 4]), "a part is missing")
        promise(found.bytes == found.lengths, "a part has another length than it says")
    }

    /// The parts of a file; nil if it is refused.
    private static func read(_ bytes: [UInt8]) -> Found? {
        final class Position { var next = 0 }
        let position = Position()
        func source(_ count: Int) throws(BackupFault) -> [UInt8] {
            promise(count <= 70_000, "a file asks for \(count) bytes at once")
            defer { position.next = min(bytes.count, position.next + count) }
            return Array(bytes[position.next..<min(bytes.count, position.next + count)])
        }
        do throws(BackupFault) {
            let header = try BackupHeader(source, most: cost)
            var reader = try BackupReader(header, passphrase: passphrase, source: source)
            var found = Found()
            while let piece = try reader.next() {
                if piece.bytes.isEmpty { found.parts.append(piece.part) }
                found.bytes[piece.part, default: 0] += UInt64(piece.bytes.count)
                found.lengths[piece.part] = piece.length
            }
            promise(position.next == bytes.count, "the end of a file is not read")
            return found
        } catch { return nil }
    }

    /// A file with these contents, whole by its hashes.
    private static func file(_ contents: [UInt8], isSealed: Bool = false) -> [UInt8] {
        final class Sink { var bytes: [UInt8] = [] }
        let sink = Sink()
        do {
            let key = isSealed ? try BackupKey(passphrase, cost: cost) : nil
            var writer = try BackupWriter<Nothing>(key) { sink.bytes += $0 }
            try writer.append(contents)
            try writer.finish()
        } catch { fatalError("\(error)") }
        return sink.bytes
    }

    private static func part(_ kind: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [kind] + [UInt8](repeating: 0, count: 6) + [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)] + bytes
    }

    private static let contents =
        part(1, Array("{}".utf8)) + part(2, Array("identity".utf8)) + part(4, Array("store".utf8))
    private static let open = file(contents)
    private static let sealed = file(contents, isSealed: true)

    static var seeds: [[UInt8]] {
        let long = part(1, []) + part(2, [1]) + part(3, [2]) + part(4, [UInt8](repeating: 3, count: 6000))
        return [
            [0] + open, [0] + sealed, [0] + open.dropLast(), [1] + contents, [1] + long, [1] + contents.dropLast(),
            [1] + contents + [9], [1] + part(2, []) + contents, [1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
            [2, 0, 30, 0, 1], [2, 1, 90, 0, 128], [3, 0, 40, 0, 7], [3, 1, 60, 0],
        ]
    }
}
