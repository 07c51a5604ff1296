import ParlancePictures
import Testing

/// The type and the size of pictures.
@Suite struct PictureFactsTests {
    @Test(arguments: [
        ("plain.jpg", PictureType.jpeg, 24, 16), ("progressive.jpg", .jpeg, 24, 16), ("restarts.jpg", .jpeg, 24, 16),
        ("baseline.jpg", .jpeg, 16, 24),  // held upright
        ("plain.png", .png, 24, 16), ("animated.gif", .gif, 24, 16), ("plain.webp", .webp, 24, 16),
        ("plain-lossless.webp", .webp, 24, 16), ("animated.webp", .webp, 24, 16),
    ])
    func theHeaderSaysTheSize(_ name: String, _ type: PictureType, _ width: Int, _ height: Int) throws {
        let facts = try #require(try PictureFacts(TestPictures.read(name)))
        #expect((facts.type, facts.width, facts.height) == (type, width, height))
    }

    @Test(arguments: TestPictures.telling + TestPictures.plain + ["small.avif", "small.tiff"])
    func aBeginningSaysTheSameOrNothing(_ name: String) throws {
        let bytes = try TestPictures.read(name)
        let whole = PictureFacts(bytes)
        #expect((whole == nil) == name.hasPrefix("small"))
        for end in 0..<bytes.count {
            if let facts = PictureFacts(Array(bytes[..<end])) { #expect(facts.type == whole?.type) }
        }
    }

    /// A size of nothing, or beyond what the type allows, is none.
    @Test func falseSizesAreNone() throws {
        var png = try TestPictures.read("plain.png")
        png[16] = 0x80
        #expect(PictureFacts(png) == nil)
        png.replaceSubrange(16..<20, with: [0, 0, 0, 0])
        #expect(PictureFacts(png) == nil)
        var gif = try TestPictures.read("plain.gif")
        gif.replaceSubrange(8..<10, with: [0, 0])
        #expect(PictureFacts(gif) == nil)
    }

    @Test func onlyTheBeginningIsRead() throws {
        let jpeg = try TestPictures.read("plain.jpg")
        let comment: [UInt8] = [0xFF, 0xFE, 0xFF, 0xFF] + [UInt8](repeating: 0x20, count: 65_533)
        func behind(_ count: Int) -> [UInt8] {
            Array(jpeg[..<2]) + Array(repeatElement(comment, count: count).joined()) + Array(jpeg[2...])
        }
        #expect(comment.count * 4 < PictureFacts.prefixBytes + 65_536 && PictureFacts(behind(3))?.width == 24)
        #expect(PictureFacts(behind(5)) == nil, "the size is behind the beginning")
        #expect(PictureCleaning(behind(5)).applied(to: behind(5)) == jpeg)
    }
}
