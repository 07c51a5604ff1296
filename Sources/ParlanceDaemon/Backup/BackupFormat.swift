package import ParlanceSodium
import ParlanceWire

/// The numbers of backup files (protocol/store.md, "Backup files").
enum BackupFormat {
    static let mark = Array("parlance-backup-1\n".utf8)
    /// Bytes of contents in each chunk but the last: few to hold in memory, many beside what surrounds them.
    static let chunkBytes = 65_536
    /// The domain of the hashes of a file that is not encrypted.
    static let domain = Domain.backup
    /// Bytes that a chunk without encryption has beside its contents: whether it is the last one, and its hash.
    static let openOverhead = 1 + Blake2b.byteCount

    /// The parts of a backup, in their order.
    enum Part: UInt8, CaseIterable {
        case manifest = 1
        case identity
        case settings
        case store

        /// The most bytes that it may have: a few hundred for people and programs, one line, a file written by hand, and
        /// more than any disk.
        var mostBytes: UInt64 {
            switch self {
            case .manifest: 65_536
            case .identity: 4096
            case .settings: 1 << 20
            case .store: 1 << 46
            }
        }
    }

    /// Bytes before each part: its kind and its length.
    static let partHeaderBytes = 9

    static func bytes(_ number: UInt64, count: Int = 8) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
    }

    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// What a backup file says before its chunks.
package struct BackupHeader: Equatable, Sendable {
    /// How the passphrase becomes the key.
    package struct Sealing: Equatable, Sendable {
        var cost: PasswordHash.Cost
        var salt: [UInt8]
        /// The header of the secretstream.
        var stream: [UInt8]

        /// The cost, both numbers in 8 bytes, the salt and the header.
        static var byteCount: Int { 16 + PasswordHash.saltByteCount + SecretStream.headerByteCount }
    }

    /// Absent if the file is not encrypted.
    package var sealing: Sealing?

    var bytes: [UInt8] {
        guard let sealing else { return BackupFormat.mark + [0] }
        return BackupFormat.mark + [1] + BackupFormat.bytes(sealing.cost.operations)
            + BackupFormat.bytes(UInt64(sealing.cost.memoryBytes)) + sealing.salt + sealing.stream
    }

    /// Reads the header.
    ///
    /// - Parameter most: the greatest cost that is accepted, so that a file cannot ask for all memory and hours of work.
    package init(
        _ source: (_ count: Int) throws(BackupFault) -> [UInt8],
        most: PasswordHash.Cost
    ) throws(BackupFault) {
        let mark = try source(BackupFormat.mark.count)
        guard mark == BackupFormat.mark else {
            let isNewer = mark.starts(with: BackupFormat.mark.dropLast(2))
            throw isNewer ? .newer : .notABackup
        }
        switch try source(1) {
        case [0]: sealing = nil
        case [1]:
            let bytes = try source(Sealing.byteCount)
            guard bytes.count == Sealing.byteCount else { throw .truncated }
            let operations = BackupFormat.number(bytes[..<8])
            let memory = BackupFormat.number(bytes[8..<16])
            guard operations <= most.operations, memory <= UInt64(most.memoryBytes) else { throw .costly }
            let cost = PasswordHash.Cost(operations: operations, memoryBytes: Int(memory))
            guard cost.isPossible else { throw .damaged }
            let salt = bytes[16...].prefix(PasswordHash.saltByteCount)
            sealing = Sealing(cost: cost, salt: Array(salt), stream: Array(bytes[salt.endIndex...]))
        case []: throw .truncated
        default: throw .newer
        }
    }

    init(sealing: Sealing?) {
        self.sealing = sealing
    }
}

/// Why a backup file cannot be used.
package enum BackupFault: Error, Equatable, Sendable {
    /// The file has another beginning.
    case notABackup
    /// A later version of the program made it.
    case newer
    /// It ends too early.
    case truncated
    /// A byte of it was changed; in an encrypted file perhaps also the passphrase is another one.
    case damaged
    /// It cannot be opened with this passphrase.
    case wrongPassphrase
    /// Its passphrase would take more memory or time to check than any backup of ours.
    case costly
    /// A part of it is too long, missing, or not where it should be.
    case parts
    /// There is something behind its end.
    case continued
    /// The passphrase could not be hashed, for want of memory.
    case noMemory(bytes: Int)
    /// The machine could not read it.
    case unreadable(reason: Int32)
}
