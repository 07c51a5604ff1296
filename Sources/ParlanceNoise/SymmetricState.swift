import ParlanceSodium

/// What both sides of a handshake have agreed on so far (section 5.2).
struct SymmetricState: ~Copyable {
    /// `h`: the hash of everything sent so far, which binds each message to those before it.
    private(set) var handshakeHash: [UInt8]

    /// `ck`: the key from which all others are derived.
    private var chainingKey: SecretBytes

    /// The present key; nil before the first exchange, when messages are only hashed.
    private var cipher: CipherState?

    /// Starts with the protocol's name: the name itself, padded with zeros, if it fits into a hash, otherwise its hash.
    init(protocolName: String) {
        let name = Array(protocolName.utf8)
        let room = SHA256.byteCount - name.count
        handshakeHash = room >= 0 ? name + [UInt8](repeating: 0, count: room) : SHA256.hash(name)
        chainingKey = SecretBytes(copying: handshakeHash)
        cipher = nil
    }

    /// How many bytes longer than its content a part is if it is sent now.
    var overhead: Int {
        switch cipher {
        case .some: NoiseLimits.tagByteCount
        case .none: 0
        }
    }

    /// Mixes bytes that both sides know into the hash.
    mutating func mixHash(_ data: [UInt8]) {
        handshakeHash = SHA256.hash(handshakeHash, data)
    }

    /// Mixes key material, and derives a new key for what follows.
    mutating func mixKey(_ input: SecretBytes) throws(NoiseError) {
        let (next, key) = input.withBytes { HKDF.two(chainingKey: chainingKey, input: $0) }
        chainingKey = next
        cipher = try CipherState(key: key)
    }

    /// Mixes a public key as if it were key material, as pre-shared key handshakes do (section 9.2).
    mutating func mixKey(public input: [UInt8]) throws(NoiseError) {
        let (next, key) = input.withUnsafeBytes { HKDF.two(chainingKey: chainingKey, input: $0) }
        chainingKey = next
        cipher = try CipherState(key: key)
    }

    /// Mixes a pre-shared key into the hash and the keys.
    mutating func mixKeyAndHash(_ input: SecretBytes) throws(NoiseError) {
        let (next, hashed, key) = input.withBytes { HKDF.three(chainingKey: chainingKey, input: $0) }
        chainingKey = next
        mixHash(hashed.withBytes { Array($0) })
        cipher = try CipherState(key: key)
    }

    /// Prepares a part for sending: seals it if there is a key, and hashes it.
    mutating func encryptAndHash(_ plaintext: [UInt8]) throws(NoiseError) -> [UInt8] {
        let sealed = try cipher?.encrypt(plaintext, ad: handshakeHash) ?? plaintext
        mixHash(sealed)
        return sealed
    }

    /// Opens a part that was received, and hashes it as it arrived.
    mutating func decryptAndHash(_ sealed: [UInt8]) throws(NoiseError) -> [UInt8] {
        let plaintext = try cipher?.decrypt(sealed, ad: handshakeHash) ?? sealed
        mixHash(sealed)
        return plaintext
    }

    /// The two keys of the link: the initiator's for sending, then the responder's. They are guarded because they live
    /// long.
    consuming func split() -> (SecretBytes, SecretBytes) {
        HKDF.two(chainingKey: chainingKey, input: .empty, placement: .guarded)
    }
}
