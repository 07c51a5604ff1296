import Foundation
import ParlancePictures
import ParlanceRandom
import Testing

/// What pictures tell is removed, and what they show is not.
@Suite struct PictureCleaningTests {
    @Test(arguments: TestPictures.telling) func whatAPictureTellsIsRemoved(_ name: String) throws {
        let bytes = try TestPictures.read(name)
        #expect(TestPictures.contains(bytes, TestPictures.word))
        let cleaning = PictureCleaning(bytes)
        guard case .removed(let type, let pieces) = cleaning else {
            Issue.record("\(cleaning)")
            return
        }
        let clean = cleaning.applied(to: bytes)
        #expect(PictureType(bytes) == type && PictureType(clean) == type)
        for word in [
            "Reykjavik", "xmpmeta", "Photoshop", "MPF\0", "JFXX", "tEXt", "zTXt", "iTXt", "tIME", "prVt", "XMP ",
        ] {
            #expect(!TestPictures.contains(clean, Array(word.utf8)), "\(word)")
        }
        #expect(PictureFacts(clean) == PictureFacts(bytes))
        // Everything but one small block and lengths is the original's.
        let added = pieces.reduce(0) { if case .bytes(let bytes) = $1 { $0 + bytes.count } else { $0 } }
        #expect(added < 64)
        #expect(PictureCleaning(clean) == .clean(type), "clean twice is clean once")
        if let folder = ProcessInfo.processInfo.environment["PARLANCE_CLEANED"] {
            try Data(clean).write(to: URL(fileURLWithPath: folder).appending(path: name))
        }
    }

    @Test(arguments: TestPictures.plain) func aPictureThatTellsNothingStaysAsItIs(_ name: String) throws {
        let bytes = try TestPictures.read(name)
        let cleaning = PictureCleaning(bytes)
        #expect(try cleaning == .clean(#require(PictureType(bytes))) && cleaning.applied(to: bytes) == bytes)
        if let folder = ProcessInfo.processInfo.environment["PARLANCE_CLEANED"] {
            try Data(bytes).write(to: URL(fileURLWithPath: folder).appending(path: name))
        }
    }

    /// Orientation 6 in Exif of its own, and nothing else in it.
    @Test(arguments: [("baseline.jpg", 6), ("restarts.jpg", 3), ("rotated.png", 8), ("lossy.webp", 6)])
    func howThePictureIsTurnedStays(_ name: String, _ orientation: UInt8) throws {
        let bytes = try TestPictures.read(name)
        let clean = PictureCleaning(bytes).applied(to: bytes)
        let block: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0,
        ]
        #expect(TestPictures.contains(clean, block))
    }

    @Test(arguments: ["progressive.jpg", "upright.png", "lossless.webp"])
    func aPictureThatIsNotTurnedHasNoExif(_ name: String) throws {
        let bytes = try TestPictures.read(name)
        let clean = PictureCleaning(bytes).applied(to: bytes)
        for word in ["Exif\0\0", "eXIf", "EXIF"] { #expect(!TestPictures.contains(clean, Array(word.utf8))) }
    }

    /// JFIF can have a preview of what was cut away, and Adobe's segment more than it needs.
    @Test func nothingHidesInWhatDecodersNeed() throws {
        let plain = try TestPictures.read("plain.jpg")
        #expect(Array(plain[2..<6]) == [0xFF, 0xE0, 0, 16] && plain[18] == 0 && plain[19] == 0)
        let preview = Array("Reykjavik...".utf8)
        var telling = Array(plain[..<18]) + [2, 2] + preview
        telling[5] = 16 + 12
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]
        telling += [0xFF, 0xEE, 0, UInt8(2 + 12 + preview.count)] + adobe + preview + plain[20...]
        let clean = PictureCleaning(telling).applied(to: telling)
        let expected = Array(plain[..<20]) + [0xFF, 0xEE, 0, 14] + adobe + plain[20...]
        #expect(clean == expected)
        #expect(PictureCleaning(clean) == .clean(.jpeg))
    }

    @Test func whatCannotBeRemovedIsSaid() throws {
        #expect(try PictureCleaning(TestPictures.read("small.avif")) == .unchanged(.notRemovable(.avif)))
        #expect(try PictureCleaning(TestPictures.read("small.tiff")) == .unchanged(.notRemovable(.tiff)))
        func media(_ brand: String, _ others: String = "") -> [UInt8] {
            let brands = Array((brand + "\0\0\0\0" + others).utf8)
            return [0, 0, 0, UInt8(8 + brands.count)] + Array("ftyp".utf8) + brands + [1, 2, 3]
        }
        #expect(PictureCleaning(media("heic", "mif1heic")) == .unchanged(.notRemovable(.heic)))
        #expect(PictureCleaning(media("mif1", "mif1avif")) == .unchanged(.notRemovable(.avif)))
        #expect(PictureCleaning(media("mif1")) == .unchanged(.notRemovable(.heic)))
        #expect(PictureCleaning(media("isom", "isommp42")) == .unchanged(.notRemovable(.video)))
        #expect(PictureCleaning([0xFF, 0x0A, 1]) == .unchanged(.notRemovable(.jpegXL)))
        for bytes in [[], [0xFF], Array("GIF88a".utf8), Array("lunch?".utf8)] as [[UInt8]] {
            #expect(
                PictureCleaning(bytes) == .unchanged(.noPicture) && PictureCleaning(bytes).applied(to: bytes) == bytes
            )
        }
    }

    /// A picture that is cut anywhere is damaged, not clean: nobody is told that it tells nothing.
    @Test(arguments: TestPictures.telling + TestPictures.plain) func aPictureThatIsCutIsDamaged(_ name: String) throws {
        let bytes = try TestPictures.read(name)
        let type = try #require(PictureType(bytes))
        let clean = PictureCleaning(bytes).applied(to: bytes)
        for end in 12..<clean.count {
            #expect(PictureCleaning(Array(clean[..<end])) == .unchanged(.damaged(type)), "\(end) of \(clean.count)")
        }
    }

    @Test func aLargePictureIsNotLookedThrough() throws {
        var bytes = try TestPictures.read("plain.png")
        bytes += [UInt8](repeating: 0, count: PictureCleaning.mostBytes - bytes.count)
        guard case .removed(.png, let pieces) = PictureCleaning(bytes) else {
            Issue.record("the largest picture is not cleaned")
            return
        }
        #expect(try pieces == [.copy(TestPictures.read("plain.png").indices)])
        #expect(PictureCleaning(bytes + [0]) == .unchanged(.tooLarge(.png)))
    }

    /// Any change of a picture gives a picture of the same type that is clean, or none; no word of what was told stays
    /// unless the change hid it.
    @Test func changedPicturesAreCleanedOrLeft() throws {
        var random = SplitMix.printingSeed()
        let pictures = try (TestPictures.telling + TestPictures.plain).map(TestPictures.read)
        for _ in 0..<4_000 {
            var bytes = try #require(pictures.randomElement(using: &random))
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes[index] ^= 1 << UInt8.random(in: 0...7, using: &random)
                case 2: bytes.removeSubrange(index..<min(bytes.count, index + Int.random(in: 1...40, using: &random)))
                default: bytes.insert(contentsOf: random.bytes(upTo: 9), at: index)
                }
                if bytes.isEmpty { bytes = [0] }
            }
            let cleaning = PictureCleaning(bytes)
            let clean = cleaning.applied(to: bytes)
            if case .removed(let type, _) = cleaning { #expect(PictureCleaning(clean) == .clean(type)) }
            if case .clean = cleaning { #expect(clean == bytes) }
            if let facts = PictureFacts(bytes) { #expect(facts.width > 0 && facts.height > 0) }
        }
    }
}
