import Foundation
import ParlanceSodium

/// A seed on disk, encrypted under a passphrase (identity.md, "The identity file").
package struct WrappedIdentity: Equatable {
    static let mark = "parlance-identity-2 "

    var cost: PasswordHash.Cost
    var salt: [UInt8]
    var nonce: [UInt8]
    /// The encrypted seed and its tag.
    var sealed: [UInt8]

    /// Encrypts a seed under a passphrase.
    init(_ seed: SecretBytes, under passphrase: SecretBytes, cost: PasswordHash.Cost) throws(SodiumError) {
        self.cost = cost
        salt = RandomBytes.bytes(PasswordHash.saltByteCount)
        nonce = RandomBytes.bytes(XChaCha20Poly1305.nonceByteCount)
        let key = try PasswordHash.key(from: passphrase, salt: salt, cost: cost)
        sealed = []
        sealed = XChaCha20Poly1305.encrypt(seed, ad: ad, nonce: nonce, key: key)
    }

    /// Parses the line; `nil` if it is malformed.
    init?(_ text: String) {
        let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard text.hasPrefix(Self.mark), words.count == 7, words[1] == "argon2id", let operations = UInt64(words[2]),
            let memory = Int(words[3]), let salt = [UInt8](hex: words[4]), let nonce = [UInt8](hex: words[5]),
            let sealed = [UInt8](hex: words[6]), salt.count == PasswordHash.saltByteCount,
            nonce.count == XChaCha20Poly1305.nonceByteCount,
            sealed.count == SigningKey.seedByteCount + XChaCha20Poly1305.tagByteCount
        else { return nil }
        cost = PasswordHash.Cost(operations: operations, memoryBytes: memory)
        guard cost.isPossible else { return nil }
        (self.salt, self.nonce, self.sealed) = (salt, nonce, sealed)
    }

    var text: String { "\(label) \(nonce.hex) \(sealed.hex)\n" }

    /// The seed, or `nil` if the passphrase is wrong or the line was altered.
    func open(with passphrase: SecretBytes) throws(SodiumError) -> SecretBytes? {
        let key = try PasswordHash.key(from: passphrase, salt: salt, cost: cost)
        return XChaCha20Poly1305.decryptSecret(sealed, ad: ad, nonce: nonce, key: key)
    }

    /// The fields before the nonce: version, algorithm, cost and salt. They are authenticated, so nobody can lower the
    /// cost.
    private var label: String { "\(Self.mark)argon2id \(cost.operations) \(cost.memoryBytes) \(salt.hex)" }

    private var ad: [UInt8] { Array(label.utf8) }
}

extension [UInt8] {
    /// Lowercase hexadecimal digits, two for each byte.
    var hex: String { map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }

    init?(hex text: String) {
        guard text.utf8.count.isMultiple(of: 2), text.utf8.allSatisfy({ $0 != 0x2B && $0 != 0x2D }) else { return nil }
        self = []
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let byte = UInt8(rest.prefix(2), radix: 16) else { return nil }
            append(byte)
            rest = rest.dropFirst(2)
        }
    }
}
