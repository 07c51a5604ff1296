import ParlanceWire
import Testing

/// Identifiers and their text forms.
@Suite struct GoldenIdentityTests {
    struct Peer: Decodable, Sendable, CustomTestStringConvertible {
        var name, key, text, check, grouped, prefix: String
        var taken, refused: [String]
        var testDescription: String { name }
    }

    @Test(arguments: try GoldenFiles.vectors("peer-id", as: Peer.self)) func textForm(_ vector: Peer) throws {
        let key = try hex(vector.key)
        let id = try #require(PeerID(key))
        #expect(id.text == vector.text)
        #expect(id.grouped == vector.grouped)
        #expect(id.grouped.filter { $0 != " " } == vector.text + vector.check)
        #expect(id.prefix == vector.prefix)
        #expect(id.bytes == key)
        for spelling in vector.taken { #expect(PeerID(text: spelling) == id, "\(spelling)") }
        for spelling in vector.refused { #expect(PeerID(text: spelling) != id, "\(spelling)") }
    }

    /// A typing mistake in any single place is detected.
    @Test(arguments: try GoldenFiles.vectors("peer-id", as: Peer.self)) func oneWrongCharacter(_ vector: Peer) throws {
        let whole = Array(vector.text + vector.check)
        for index in whole.indices {
            for other in "abcdefghijklmnopqrstuvwxyz234567" where other != whole[index] {
                var typed = whole
                typed[index] = other
                #expect(PeerID(text: String(typed)) == nil, "\(other) at \(index)")
            }
        }
    }

    @Test(arguments: try GoldenFiles.vectors("peer-id", as: Peer.self)) func beginnings(_ vector: Peer) throws {
        let id = try #require(PeerID(try hex(vector.key)))
        let whole = vector.text + vector.check
        for count in 0...whole.count {
            let typed = String(whole.prefix(count))
            #expect(id.matches(prefix: typed) == (count >= 8), "\(count) characters")
            #expect(id.matches(prefix: typed.uppercased()) == (count >= 8))
            #expect(!id.matches(prefix: typed + "0"))
        }
    }

    @Test func identifiersHaveOneLength() {
        for count in 0...64 {
            let bytes = [UInt8](repeating: 7, count: count)
            #expect((PeerID(bytes) != nil) == (count == 32))
            #expect((EventID(bytes) != nil) == (count == 32))
            #expect((ReplicaID(bytes) != nil) == (count == 16))
        }
    }

    @Test func textsThatNoBytesHaveAreRefused() {
        for text in ["a", "abc", "abcdef", "ab", "a1aaaaaa", "aaaa aaaa", "aaaaaaa=", "é2345672"] {
            #expect(Base32.decode(text) == nil, "\(text)")
        }
        for text in ["", "aa", "aaaa", "aaaaa", "aaaaaaa", "77777777", "mzxw6ytboi"] {
            #expect(Base32.decode(text).map { Base32.encode($0) } == text, "\(text)")
        }
        #expect(Base32.decode("MZXW6YTBOI") == Array("foobar".utf8), "RFC 4648, section 10")
    }
}
