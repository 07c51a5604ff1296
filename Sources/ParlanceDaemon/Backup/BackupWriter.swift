package import ParlanceSodium

/// Writes the parts of a backup as chunks, each protected against changes, and if there is a passphrase, encrypted.
package struct BackupWriter<Failure: Error> {
    private enum Protection {
        case open(hash: [UInt8])
        case sealed(SecretStream, ad: [UInt8])
    }

    private var protection: Protection
    private var chunk: [UInt8] = []
    private let sink: ([UInt8]) throws(Failure) -> Void

    /// Writes the header.
    ///
    /// - Parameters:
    ///   - key: the key and how it was made of the passphrase; nil leaves the file unencrypted.
    ///   - sink: takes the bytes of the file in order.
    package init(_ key: BackupKey?, sink: @escaping ([UInt8]) throws(Failure) -> Void) throws(Failure) {
        self.sink = sink
        chunk.reserveCapacity(BackupFormat.chunkBytes)
        if let key {
            var stream: [UInt8] = []
            let writer = SecretStream(writingWith: key.key, header: &stream)
            let header = BackupHeader(sealing: .init(cost: key.cost, salt: key.salt, stream: stream)).bytes
            protection = .sealed(writer, ad: header)
            try sink(header)
        } else {
            let header = BackupHeader(sealing: nil).bytes
            protection = .open(hash: Blake2b.hash(BackupFormat.domain, header))
            try sink(header)
        }
    }

    /// Begins a part, of which exactly `length` bytes follow.
    package mutating func begin(part: UInt8, length: UInt64) throws(Failure) {
        try append([part] + BackupFormat.bytes(length))
    }

    /// Writes bytes of the present part.
    package mutating func append(_ bytes: [UInt8]) throws(Failure) {
        var rest = bytes[...]
        while !rest.isEmpty {
            // The last chunk is written by `finish`, so a full one waits until more comes.
            if chunk.count == BackupFormat.chunkBytes { try writeChunk(isLast: false) }
            let piece = rest.prefix(BackupFormat.chunkBytes - chunk.count)
            chunk += piece
            rest = rest.dropFirst(piece.count)
        }
    }

    /// Writes the rest, and the end without which nobody accepts the file.
    package mutating func finish() throws(Failure) {
        try writeChunk(isLast: true)
    }

    private mutating func writeChunk(isLast: Bool) throws(Failure) {
        let bytes: [UInt8]
        switch protection {
        case .open(let previous):
            let flag: [UInt8] = [isLast ? 1 : 0]
            let hash = Blake2b.hash(BackupFormat.domain, previous, flag, chunk)
            bytes = flag + chunk + hash
            protection = .open(hash: hash)
        case .sealed(let stream, let ad):
            bytes = stream.seal(chunk, ad: ad, isLast: isLast)
            protection = .sealed(stream, ad: [])
        }
        chunk.removeAll(keepingCapacity: true)
        try sink(BackupFormat.bytes(UInt64(bytes.count), count: 4) + bytes)
    }
}

/// The key of an encrypted backup, and how it follows from the passphrase.
package struct BackupKey: Sendable {
    let key: SecretBytes
    let cost: PasswordHash.Cost
    let salt: [UInt8]

    /// Makes the key of a new file.
    package init(_ passphrase: SecretBytes, cost: PasswordHash.Cost) throws(SodiumError) {
        salt = RandomBytes.bytes(PasswordHash.saltByteCount)
        self.cost = cost
        key = try PasswordHash.key(from: passphrase, salt: salt, cost: cost, byteCount: SecretStream.keyByteCount)
    }
}
