import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Testing

/// Files that lie sealed on a stick (carry.md, "Sealed files").
@Suite struct SealedFileTests {
    static let header = [UInt8](repeating: 9, count: SecretStream.headerByteCount)

    static func content(_ pattern: [UInt8], _ size: Int) -> [UInt8] {
        Array(repeatElement(pattern, count: size / pattern.count + 1).joined().prefix(size))
    }

    static func carried(_ content: [UInt8], key: UInt8 = 1, slot: Int = 0) throws -> CarriedFile {
        var hasher = FileHasher(try FileShape(size: UInt64(content.count)))
        try hasher.update(content)
        let key = try #require(SealedFileKey([UInt8](repeating: key, count: 32)))
        return CarriedFile(file: try hasher.finish().id, size: UInt64(content.count), key: key, slot: slot)
    }

    static func seal(_ content: [UInt8], _ carried: CarriedFile, header: [UInt8] = header) throws -> [UInt8] {
        // A stream begins alike for reading and writing, so this one has the header of the caller.
        let stream = try #require(SecretStream(readingWith: carried.key.secret, header: header))
        var making = try SealedFileMaking(carried, stream, header: header)
        var (file, rest) = (making.head, content[...])
        while let count = making.wanted {
            file += try making.seal(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return file
    }

    static func open(_ file: [UInt8], _ carried: CarriedFile) throws(SealedFileOpening.Fault) -> [UInt8] {
        let head = Array(file.prefix(SealedFileShape.headBytes))
        var opening = try SealedFileOpening(carried, head: head, byteCount: UInt64(file.count))
        var (found, rest): ([UInt8], ArraySlice<UInt8>) = ([], file.dropFirst(head.count))
        while let count = opening.wanted {
            found += try opening.open(Array(rest.prefix(count)))
            rest = rest.dropFirst(count)
        }
        return found
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 200_000, 1_000_000])
    func aFileSurvivesAndShowsNothingOfItself(_ size: Int) throws {
        let content = Self.content(Array("the pump is dry".utf8), size)
        let carried = try Self.carried(content)
        let file = try Self.seal(content, carried)
        #expect(try Self.open(file, carried) == content)
        for secret in [Array("the pump".utf8), carried.file.bytes, carried.key.bytes] {
            #expect(file.firstRange(of: secret) == nil)
        }
        let shape = try SealedFileShape(size: carried.size)
        #expect(UInt64(file.count) == shape.byteCount && shape.count == (Int(shape.padded) + 65_535) / 65_536)
        #expect((0..<shape.count).reduce(0) { $0 + shape.content(of: $1) } == size)
        #expect(shape.length(of: shape.count) == 0 && shape.length(of: -1) == 0 && shape.content(of: .max) == 0)
    }

    /// A few sizes have each length, and none makes a file much longer.
    @Test func theLengthTellsLittleOfTheSize() throws {
        let step = UInt64(Limits.sealedPieceBytes)
        #expect(try SealedFileShape(size: 0).byteCount == SealedFileShape(size: step).byteCount)
        let sizes: [UInt64] = [step, 3 * step + 1, 1 << 22, (1 << 30) + 1, Limits.fileBytes]
        for size in sizes {
            let shape = try SealedFileShape(size: size)
            #expect(shape.padded >= size && shape.padded - size <= size / 8)
        }
        let lengths = Set(try (0..<4_096).map { try SealedFileShape(size: 1 << 20 | UInt64($0)).byteCount })
        #expect(lengths.count == 2)
        #expect(throws: FileFault.tooLarge) { try SealedFileShape(size: Limits.fileBytes + 1) }
    }

    @Test func noChangeGoesUnnoticed() throws {
        let content = Self.content([1, 2, 3, 4, 5], 150_000)
        let carried = try Self.carried(content)
        let file = try Self.seal(content, carried)
        for place in Array(0..<72) + stride(from: 72, to: file.count, by: 4_999) + [file.count - 1] {
            var changed = file
            changed[place] ^= 1 << UInt8(place % 8)
            let fault: SealedFileOpening.Fault = place < 32 ? .foreign : .damaged
            #expect(throws: fault, "byte \(place)") { try Self.open(changed, carried) }
        }
        for count in [0, 10, 55] {
            #expect(throws: SealedFileOpening.Fault.foreign, "\(count) bytes") {
                try Self.open(Array(file.prefix(count)), carried)
            }
        }
        for count in [56, 57, 65_609, file.count - 1] {
            #expect(throws: SealedFileOpening.Fault.damaged, "\(count) bytes") {
                try Self.open(Array(file.prefix(count)), carried)
            }
        }
        #expect(throws: SealedFileOpening.Fault.damaged) { try Self.open(file + [0], carried) }
        // Two pieces change places.
        let piece = Limits.sealedPieceBytes + SecretStream.overhead
        let moved =
            file[..<56] + file[(56 + piece)..<(56 + 2 * piece)] + file[56..<(56 + piece)] + file[(56 + 2 * piece)...]
        #expect(throws: SealedFileOpening.Fault.damaged) { try Self.open(Array(moved), carried) }
    }

    @Test func theAuthorCannotPassAnotherFileOff() throws {
        let (content, other) = (Self.content([1], 100_000), Self.content([2], 100_000))
        var carried = try Self.carried(content)
        let file = try Self.seal(content, carried)
        carried.file = try Self.carried(other).file
        #expect(throws: SealedFileOpening.Fault.damaged) { try Self.open(file, carried) }
        // Nor does a shelf whose disk has changed the file put it on the stick.
        #expect(throws: FileFault.wrongHash) { try Self.seal(content, carried) }
        carried.size -= 1
        #expect(throws: FileFault.wrongHash) { try Self.seal(content, carried) }
        let stream = try #require(SecretStream(readingWith: carried.key.secret, header: Self.header))
        var making = try SealedFileMaking(carried, stream, header: Self.header)
        #expect(throws: FileFault.wrongLength) { _ = try making.seal([1]) }
        let foreign = try Self.carried(content, key: 2)
        #expect(throws: SealedFileOpening.Fault.foreign) { try Self.open(file, foreign) }
    }

    @Test func whatAParcelTellsKeepsToTheLimits() throws {
        let carried = try Self.carried([1, 2, 3], slot: Limits.sealedFileSlots - 1)
        #expect(CarriedFile(carried.wire) == carried)
        for change: (inout WireCarriedFile) -> Void in [
            { $0.slot += 1 }, { $0.slot = .max }, { $0.size = Limits.fileBytes + 1 }, { $0.key.removeLast() },
            { $0.key.append(0) }, { $0.file.removeFirst() }, { $0.file.append(0) },
        ] {
            var wire = carried.wire
            change(&wire)
            #expect(CarriedFile(wire) == nil)
        }
        // A whole list of them fits a parcel with room to spare.
        let most = CarriedFile(file: carried.file, size: Limits.fileBytes, key: carried.key, slot: carried.slot)
        #expect(Limits.sealedFileSlots * (most.wire.encodedBytes().count + 8) < Limits.envelopeBytes / 8)
    }

    @Test func keysFollowFromTheDayAndTheFile() throws {
        let (ada, bob) = (try peer(String(repeating: "aa", count: 32)), try peer(String(repeating: "bb", count: 32)))
        func pair(_ byte: UInt8) throws -> X25519KeyPair {
            try X25519KeyPair(secret: SecretBytes(copying: [UInt8](repeating: byte, count: 32)))
        }
        let (own, theirs) = (try pair(1), try pair(2).publicKey)
        func key(_ own: X25519KeyPair, _ theirs: [UInt8], _ to: PeerID, _ file: CarriedFile) throws -> SealedFileKey? {
            try #require(SealedFileSecret(own, theirs, from: ada, to: to)).key(of: file.file, size: file.size)
        }
        let (one, other) = (try Self.carried([1]), try Self.carried([2]))
        let first = try key(own, theirs, bob, one)
        #expect(try first == key(own, theirs, bob, one))
        for another in [
            try key(own, theirs, bob, other), try key(own, theirs, ada, one), try key(try pair(3), theirs, bob, one),
            try key(own, try pair(3).publicKey, bob, one),
        ] {
            #expect(another != first)
        }
        #expect(SealedFileSecret(own, [UInt8](repeating: 0, count: 32), from: ada, to: bob) == nil)
        #expect("\(one.key) \(one)".contains("[1, 1") == false, "no log shows a key")
    }
}
