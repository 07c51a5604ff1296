package import ParlanceSodium

/// Reads a backup piece by piece. The file may be anything: what is wrong ends in a `BackupFault`, and memory holds one
/// chunk.
///
/// What was read counts only once `next` has returned nil: then the whole file is as it was written.
package struct BackupReader {
    /// Returns as many of the next bytes of the file as there are, at most `count`.
    package typealias Source = (_ count: Int) throws(BackupFault) -> [UInt8]

    /// A piece of a part. Each part begins with an empty piece.
    package struct Piece: Equatable {
        package var part: UInt8
        /// The length of the whole part.
        package var length: UInt64
        package var bytes: [UInt8]
    }

    private enum Protection {
        case open(hash: [UInt8])
        case sealed(SecretStream, ad: [UInt8])
    }

    private let source: Source
    private var protection: Protection
    /// Contents that were opened and not returned yet.
    private var contents: ArraySlice<UInt8> = []
    private var isFirst = true
    private var isLast = false
    private var part: BackupFormat.Part?
    private var length: UInt64 = 0
    private var left: UInt64 = 0

    /// - Parameters:
    ///   - header: as `BackupHeader` read it from `source`, which continues behind it.
    ///   - passphrase: if the file is encrypted.
    package init(_ header: BackupHeader, passphrase: SecretBytes?, source: @escaping Source) throws(BackupFault) {
        self.source = source
        guard let sealing = header.sealing else {
            protection = .open(hash: Blake2b.hash(BackupFormat.domain, header.bytes))
            return
        }
        guard let passphrase else { throw .wrongPassphrase }
        let key: SecretBytes
        do throws(SodiumError) {
            key = try PasswordHash.key(
                from: passphrase,
                salt: sealing.salt,
                cost: sealing.cost,
                byteCount: SecretStream.keyByteCount
            )
        } catch { throw .noMemory(bytes: sealing.cost.memoryBytes) }
        guard let stream = SecretStream(readingWith: key, header: sealing.stream) else { throw .damaged }
        protection = .sealed(stream, ad: header.bytes)
    }

    /// The next piece; nil at the end of a file of which nothing is missing and nothing was changed.
    package mutating func next() throws(BackupFault) -> Piece? {
        if left > 0 {
            if contents.isEmpty { try readChunk() }
            let count = Int(min(left, UInt64(contents.count)))
            // A part that the chunks before the end do not fill is too long.
            guard count > 0 else { throw .parts }
            let bytes = Array(contents.prefix(count))
            contents = contents.dropFirst(count)
            left -= UInt64(count)
            return piece(bytes)
        }
        if contents.isEmpty, !isLast { try readChunk() }
        if contents.isEmpty { return try end() }
        try beginPart()
        return piece([])
    }

    private func piece(_ bytes: [UInt8]) -> Piece? {
        part.map { Piece(part: $0.rawValue, length: length, bytes: bytes) }
    }

    private mutating func beginPart() throws(BackupFault) {
        var header: [UInt8] = []
        while header.count < BackupFormat.partHeaderBytes {
            if contents.isEmpty { try readChunk() }
            let bytes = contents.prefix(BackupFormat.partHeaderBytes - header.count)
            guard !bytes.isEmpty else { throw .parts }
            header += bytes
            contents = contents.dropFirst(bytes.count)
        }
        length = BackupFormat.number(header[1...])
        guard let next = BackupFormat.Part(rawValue: header[0]), follows(next), length <= next.mostBytes else {
            throw .parts
        }
        part = next
        left = length
    }

    /// Whether a part may come here: all in their order, and only the settings may be missing.
    private func follows(_ next: BackupFormat.Part) -> Bool {
        switch next {
        case .manifest: part == nil
        case .identity: part == .manifest
        case .settings: part == .identity
        case .store: part == .identity || part == .settings
        }
    }

    private func end() throws(BackupFault) -> Piece? {
        guard part == .store else { throw .parts }
        guard try source(1).isEmpty else { throw .continued }
        return nil
    }

    private mutating func readChunk() throws(BackupFault) {
        guard !isLast else { throw .parts }
        let overhead: Int
        switch protection {
        case .open: overhead = BackupFormat.openOverhead
        case .sealed: overhead = SecretStream.overhead
        }
        let head = try source(4)
        guard head.count == 4 else { throw .truncated }
        let count = Int(BackupFormat.number(head))
        guard (overhead...(BackupFormat.chunkBytes + overhead)).contains(count) else { throw .damaged }
        let bytes = try source(count)
        guard bytes.count == count else { throw .truncated }
        let opened = try open(bytes)
        isFirst = false
        isLast = opened.isLast
        // Only the last chunk may be short, so that a file has one form.
        guard isLast || opened.contents.count == BackupFormat.chunkBytes else { throw .damaged }
        contents = opened.contents[...]
    }

    private mutating func open(_ bytes: [UInt8]) throws(BackupFault) -> (contents: [UInt8], isLast: Bool) {
        switch protection {
        case .open(let previous):
            let (flag, contents) = (Array(bytes.prefix(1)), Array(bytes[1..<(bytes.count - Blake2b.byteCount)]))
            let hash = Blake2b.hash(BackupFormat.domain, previous, flag, contents)
            guard hash.elementsEqual(bytes.suffix(Blake2b.byteCount)), flag[0] < 2 else { throw .damaged }
            protection = .open(hash: hash)
            return (contents, flag[0] == 1)
        case .sealed(let stream, let ad):
            // With another passphrase already the first chunk does not open.
            guard let opened = stream.open(bytes, ad: ad) else { throw isFirst ? .wrongPassphrase : .damaged }
            protection = .sealed(stream, ad: [])
            return (opened.message, opened.isLast)
        }
    }
}
