import Foundation
import ParlanceSodium

/// The identity's secret on disk: one line of 64 hexadecimal digits in a file that only its owner reads (0600).
enum IdentityFile {
    static let name = "identity"
    private static let mark = "parlance-identity-1 "

    /// Reads the identity, or makes one at the first start.
    ///
    /// - Returns: the key, and whether it was made just now.
    static func open(in folder: String) throws(DaemonError) -> (key: SigningKey, isNew: Bool) {
        let path = folder + "/" + name
        if FileManager.default.fileExists(atPath: path) { return (try read(path), false) }
        guard !FileManager.default.fileExists(atPath: folder + "/store.sqlite") else {
            throw DaemonError(
                "The identity file \(path) is missing, and the message store beside it belongs to it.",
                advice: "Put the identity file back, or choose another data folder."
            )
        }
        let key = SigningKey.generate()
        return try write(key, to: path) ? (key, true) : (try read(path), false)
    }

    private static func read(_ path: String) throws(DaemonError) -> SigningKey {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw DaemonError(
                "The identity file \(path) can be read by others (mode \(String(mode, radix: 8))).",
                advice: "If nobody has copied it: chmod 600 \(path)"
            )
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.hasPrefix(mark),
            let seed = bytes(fromHex: text.dropFirst(mark.count).trimmingCharacters(in: .whitespacesAndNewlines)),
            let key = try? SigningKey(seed: SecretBytes(copying: seed))
        else {
            throw DaemonError(
                "The identity file \(path) is damaged.",
                advice:
                    "Put a copy of it back. Without one, move it away: a new identity is made, which others do not know."
            )
        }
        return key
    }

    /// Writes beside the place and links into it, so that a crash leaves a whole file or none.
    ///
    /// - Returns: `false` if another daemon that starts at this moment was first.
    private static func write(_ key: SigningKey, to path: String) throws(DaemonError) -> Bool {
        let text =
            mark + key.seed.withBytes { $0.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) } }.joined()
            + "\n"
        let draft = path + ".\(getpid()).new"
        unlink(draft)
        defer { unlink(draft) }
        let file = Foundation.open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        let bytes = Array(text.utf8)
        guard file >= 0, Foundation.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0, close(file) == 0
        else { throw cannotWrite(path) }
        guard link(draft, path) == 0 else {
            if errno == EEXIST { return false }
            throw cannotWrite(path)
        }
        return true
    }

    private static func cannotWrite(_ path: String) -> DaemonError {
        DaemonError(
            "The identity cannot be written to \(path): \(String(cString: strerror(errno))).",
            advice: "Check that the folder is yours and that the disk is not full."
        )
    }

    private static func bytes(fromHex text: String) -> [UInt8]? {
        guard text.utf8.count == 64 else { return nil }
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
