import CParlanceSystem
import Foundation
import ParlanceControl
import ParlanceErrorCode
package import ParlanceSodium
package import ParlanceWire
import ParlanceWords
import SystemPackage

/// The identity's secret on disk: one line in a file that only its owner can read (0600), in the clear or encrypted
/// under a passphrase (identity.md, "The identity file").
package struct IdentityFile {
    static let name = "identity"
    private static let mark = "parlance-identity-1 "
    /// Larger than any identity file; it bounds the memory that a wrong file can take.
    private static let byteLimit = 4096

    package let path: String
    private let folder: String
    /// The cost of hashing the passphrase, for files written from now on; tests use a lower one.
    private let cost: PasswordHash.Cost

    package init(in folder: String, cost: PasswordHash.Cost = .moderate) {
        self.folder = folder
        self.cost = cost
        path = folder + "/" + Self.name
    }

    /// What the file holds.
    package enum Content {
        case plain(SigningKey)
        case wrapped(WrappedIdentity)

        /// Whether it is the key of an identity, as far as that can be known without the passphrase.
        package func belongs(to identity: PeerID) -> Bool {
            switch self {
            case .plain(let key): key.publicKey == identity.bytes
            case .wrapped: true
            }
        }
    }

    /// What the bytes of a file say; nil if it is damaged.
    package static func content(of bytes: [UInt8]) -> Content? {
        guard bytes.starts(with: mark.utf8) else {
            return String(validating: bytes, as: UTF8.self).flatMap { WrappedIdentity($0) }.map { .wrapped($0) }
        }
        guard let seed = SecretBytes(hexLine: bytes.dropFirst(mark.utf8.count)),
            let key = try? SigningKey(seed: seed)
        else { return nil }
        return .plain(key)
    }

    /// Writes the text of an identity that comes from a backup, if there is none.
    package func restore(_ text: String) throws(DaemonError) {
        do throws(Errno) {
            let draft = try AtomicFile(path)
            try draft.write(Array(text.utf8))
            guard try draft.make() else { throw .fileExists }
        } catch { throw cannotWrite(error) }
    }

    /// Reads the identity, or creates one at the first start.
    ///
    /// - Parameter passphrase: called if the identity is encrypted. `isAgain` is true after a wrong passphrase; `nil`
    ///   gives up.
    /// - Returns: the key, whether this call created it, and whether the file is encrypted.
    func open(
        _ passphrase: (_ isAgain: Bool) throws(DaemonError) -> SecretBytes?
    ) throws(DaemonError) -> (key: SigningKey, isNew: Bool, isWrapped: Bool) {
        if exists { return try unlock(passphrase) }
        let key = SigningKey.generate()
        return try make(key, under: nil) ? (key, true, false) : try unlock(passphrase)
    }

    /// Creates the first identity; throws if the folder already has a message store.
    ///
    /// - Returns: `false` if an identity exists already, for example because another daemon starts at the same moment.
    package func make(_ key: SigningKey, under passphrase: SecretBytes?) throws(DaemonError) -> Bool {
        guard !FileManager.default.fileExists(atPath: folder + "/store.sqlite") else {
            throw DaemonError(
                "The identity file \(path) is missing, and the message store beside it belongs to it.",
                advice: "Put the identity file back, or choose another data folder."
            )
        }
        var line = try line(of: key, under: passphrase)
        defer { wipe(&line) }
        do throws(Errno) {
            let draft = try AtomicFile(path)
            try draft.write(line)
            return try draft.make()
        } catch { throw cannotWrite(error) }
    }

    /// Encrypts the identity under a passphrase, changes the passphrase, or removes it.
    ///
    /// - Parameters:
    /// - old: the current passphrase; ignored if the identity is not encrypted.
    /// - new: the new passphrase; `nil` stores the identity in the clear.
    package func change(from old: SecretBytes?, to new: SecretBytes?) throws(DaemonError) {
        let key: SigningKey
        switch try read() {
        case .plain(let found): key = found
        case .wrapped(let wrapped):
            guard let old, let found = try open(wrapped, with: old) else { throw Self.wrongPassphrase }
            key = found
        }
        var line = try line(of: key, under: new)
        defer { wipe(&line) }
        let before = Foundation.open(path, O_RDWR | O_CLOEXEC)
        defer { if before >= 0 { close(before) } }
        let draft: AtomicFile
        do throws(Errno) {
            draft = try AtomicFile(path)
        } catch { throw cannotWrite(error) }
        do throws(Errno) {
            try draft.write(line)
            try draft.replace()
        } catch {
            // A crash may bring the old file back, so it must stay whole.
            throw draft.isMoved ? .notSynced(path, error) : cannotWrite(error)
        }
        overwrite(before)
    }

    package var exists: Bool { FileManager.default.fileExists(atPath: path) }

    // Reading.

    private func unlock(
        _ passphrase: (Bool) throws(DaemonError) -> SecretBytes?
    ) throws(DaemonError) -> (SigningKey, Bool, Bool) {
        switch try read() {
        case .plain(let key): return (key, false, false)
        case .wrapped(let wrapped):
            var isAgain = false
            while let typed = try passphrase(isAgain) {
                if let key = try open(wrapped, with: typed) { return (key, false, true) }
                isAgain = true
            }
            throw Self.wrongPassphrase
        }
    }

    private func open(_ wrapped: WrappedIdentity, with passphrase: SecretBytes) throws(DaemonError) -> SigningKey? {
        do throws(SodiumError) {
            return try wrapped.open(with: passphrase).map { seed throws(SodiumError) in try SigningKey(seed: seed) }
        } catch {
            throw DaemonError("The identity cannot be unlocked: \(error.text)", advice: "")
        }
    }

    private func read() throws(DaemonError) -> Content {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue ?? 0
        guard mode & 0o077 == 0 else {
            throw DaemonError(
                "The identity file \(path) can be read by others (mode \(String(mode, radix: 8))).",
                advice: "If nobody has copied it: chmod 600 \(path)"
            )
        }
        if let content = contents() { return content }
        throw DaemonError(
            "The identity file \(path) is damaged.",
            advice:
                "Put a copy of it back. Without one, move it away: a new identity is made, which others do not know."
        )
    }

    /// Leaves no copy of the secret in memory, except where the key keeps it.
    private func contents() -> Content? {
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: Self.byteLimit)
        defer { wipe(&bytes) }
        let count = Foundation.read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        var used = Array(bytes[..<count])
        defer { wipe(&used) }
        return Self.content(of: used)
    }

    // Writing.

    /// The line of the file. Wipe it after use.
    private func line(of key: SigningKey, under passphrase: SecretBytes?) throws(DaemonError) -> [UInt8] {
        guard let passphrase else { return key.seed.hexLine(after: Self.mark) }
        do throws(SodiumError) {
            return Array(try WrappedIdentity(key.seed, under: passphrase, cost: cost).text.utf8)
        } catch {
            throw DaemonError("The identity cannot be put under a passphrase: \(error.text)", advice: "")
        }
    }

    /// Overwrites the replaced file with zeros, unless a hard link to it remains. The disk may still keep a copy.
    private func overwrite(_ file: Int32) {
        var status = stat()
        guard file >= 0, fstat(file, &status) == 0, status.st_nlink == 0 else { return }
        let zeros = [UInt8](repeating: 0, count: Int(status.st_size))
        _ = pwrite(file, zeros, zeros.count, 0)
        fsync(file)
    }

    private func cannotWrite(_ reason: Errno) -> DaemonError {
        DaemonError(
            "The identity cannot be written to \(path): \(reason).",
            advice: "Check that the folder is yours and that the disk is not full."
        )
    }

    static let wrongPassphrase = DaemonError(
        .notAllowed,
        "That is not the passphrase of this identity.",
        advice: "Try again. Without it nobody can open the identity; a copy of the file from before it was set can."
    )
}
