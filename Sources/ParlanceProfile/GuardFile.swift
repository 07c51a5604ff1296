import Foundation
import ParlanceControl
import ParlanceSodium
import ParlanceStore
import ParlanceWire
import ParlanceWords
import SystemPackage

/// The replica guard on disk: one for each data folder, in the user's state folder.
struct GuardFile: Sendable {
    /// Larger than any guard; it bounds the memory that a wrong file can take.
    private static let byteLimit = 4096

    let folder: String
    let path: String

    /// - Parameters:
    /// - folder: the folder of all guards; the first `write` creates it.
    /// - dataFolder: the folder that the guard belongs to; it must exist, since the guard is named by its real path.
    init(in folder: String, of dataFolder: String) {
        self.folder = folder
        var real = dataFolder
        if let resolved = realpath(dataFolder, nil) {
            real = String(cString: resolved)
            free(resolved)
        }
        path = folder + "/guard-" + Base32.encode(Array(SHA256.hash(Array(real.utf8)).prefix(16)))
    }

    func read() -> ReplicaGuard.Found {
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return errno == ENOENT || errno == ENOTDIR ? .nothing : .damaged }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.byteLimit)
        let count = Foundation.read(file, &bytes, bytes.count)
        guard count > 0, let text = try? JSONDecoder().decode(Text.self, from: Data(bytes[..<count])),
            let known = text.contents
        else { return .damaged }
        return .whole(known)
    }

    /// Writes the guard atomically and syncs it: after a crash the file holds either the old guard or the new one.
    func write(_ known: ReplicaGuard) throws(DaemonError) {
        try prepareFolder()
        do throws(Errno) {
            let draft = try AtomicFile(path)
            try draft.write(Array(Text(known).bytes))
            try draft.replace()
        } catch { throw cannotWrite(error) }
    }

    private func prepareFolder() throws(DaemonError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch { throw cannotWrite(errno == 0 ? .notDirectory : .current) }
        guard chmod(folder, 0o700) == 0 else { throw cannotWrite(.current) }
    }

    private func cannotWrite(_ reason: Errno) -> DaemonError {
        DaemonError(
            "The guard file \(path) cannot be written: \(reason).",
            advice: """
                Make its folder yours and make room on its disk, or name another with XDG_STATE_HOME. Until then a \
                restored or copied data folder may not be noticed, or may be seen where there is none.
                """
        )
    }

    /// The file's contents: JSON, with identifiers in base32.
    private struct Text: Codable {
        static let version = 1
        var version: Int
        var machine: String?
        var device: UInt64
        var inode: UInt64
        var identity: String
        var replica: String
        var generation: UInt64

        init(_ known: ReplicaGuard) {
            version = Self.version
            machine = known.machine
            device = known.file.device
            inode = known.file.inode
            identity = Base32.encode(known.identity.bytes)
            replica = Base32.encode(known.replica.bytes)
            generation = known.generation
        }

        var bytes: Data {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            // Strings and integers always encode. An empty file would be read as a damaged guard, which is safe.
            return (try? encoder.encode(self)) ?? Data()
        }

        var contents: ReplicaGuard? {
            guard version == Self.version, let identity = Base32.decode(identity).flatMap({ PeerID($0) }),
                let replica = Base32.decode(replica).flatMap({ ReplicaID($0) })
            else { return nil }
            return ReplicaGuard(
                machine: machine,
                file: StoreMarks.File(device: device, inode: inode),
                identity: identity,
                replica: replica,
                generation: generation
            )
        }
    }
}
