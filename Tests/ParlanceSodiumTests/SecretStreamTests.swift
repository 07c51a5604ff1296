import ParlanceSodium
import Testing

@Suite("Secret streams")
struct SecretStreamTests {
    static let key = SecretBytes(copying: Array(0x20...0x3f))
    static let messages: [[UInt8]] = [[], [1], Array("two".utf8), [UInt8](repeating: 7, count: 70_000), [9]]

    private func sealed() -> (header: [UInt8], pieces: [[UInt8]]) {
        var header: [UInt8] = []
        let stream = SecretStream(writingWith: Self.key, header: &header)
        let last = Self.messages.count - 1
        let pieces = Self.messages.enumerated().map { stream.seal($1, ad: $0 == 0 ? [5] : [], isLast: $0 == last) }
        return (header, pieces)
    }

    @Test("What was sealed opens in its order, and its end is known")
    func roundTrip() throws {
        let (header, pieces) = sealed()
        #expect(header.count == SecretStream.headerByteCount)
        let stream = try #require(SecretStream(readingWith: Self.key, header: header))
        for (number, piece) in pieces.enumerated() {
            #expect(piece.count == Self.messages[number].count + SecretStream.overhead)
            let opened = try #require(stream.open(piece, ad: number == 0 ? [5] : []))
            #expect(opened.message == Self.messages[number] && opened.isLast == (number == pieces.count - 1))
        }
    }

    @Test("A changed, missing, repeated or moved piece, another key, header or associated data is refused")
    func tampering() throws {
        let (header, pieces) = sealed()
        func first(_ piece: [UInt8], _ header: [UInt8], ad: [UInt8] = [5], _ key: SecretBytes = Self.key) throws
            -> Bool
        {
            try #require(SecretStream(readingWith: key, header: header)).open(piece, ad: ad) != nil
        }
        #expect(try first(pieces[0], header))
        #expect(try !first(pieces[0], header, ad: [6]))
        #expect(try !first(pieces[1], header, ad: []))
        #expect(try !first(pieces[0], header.map { $0 ^ 1 }))
        #expect(try !first(pieces[0], header, SecretBytes(copying: [UInt8](repeating: 1, count: 32))))
        for index in pieces[0].indices {
            var changed = pieces[0]
            changed[index] ^= 0x40
            #expect(try !first(changed, header))
        }
        #expect(try !first([], header))
        let stream = try #require(SecretStream(readingWith: Self.key, header: header))
        #expect(stream.open(pieces[0], ad: [5]) != nil)
        #expect(stream.open(pieces[0], ad: [5]) == nil && stream.open(pieces[2]) == nil)
        #expect(SecretStream(readingWith: Self.key, header: Array(header.dropLast())) == nil)
    }
}
