import ParlanceRandom
import Testing

@testable import ParlanceAssistant

@Suite struct EventStreamParserTests {
    private static func events(of text: String) throws -> [EventStreamParser.Event] {
        var parser = EventStreamParser()
        return try parser.append(text.utf8) + parser.finish()
    }

    /// The same lines, each with a line feed at its end.
    private static func withLineFeeds(_ text: String) -> String {
        var scalars = String.UnicodeScalarView()
        var previous: Unicode.Scalar?
        for scalar in text.unicodeScalars {
            if scalar == "\r" {
                scalars.append("\n")
            } else if scalar != "\n" || previous != "\r" {
                scalars.append(scalar)
            }
            previous = scalar
        }
        return String(scalars)
    }

    private static func data(_ text: String) -> EventStreamParser.Event { .data(Array(text.utf8)) }

    @Test(arguments: [
        ("data: a\n\ndata: b\n\n", ["a", "b"]),
        ("data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]),
        ("data: a\r\rdata: b\r\r", ["a", "b"]),
        ("data:a\n\ndata:  b\n\n", ["a", " b"]),
        ("data: a\ndata: b\n\n", ["a\nb"]),
        ("data: a\r\ndata: b\r\n\r\n", ["a\nb"]),
        ("data: a\rdata: b\n\r\n", ["a\nb"]),
        (": comment\n\n:\n\nevent: x\nid: 1\nretry: 9\ndata: a\n\n", ["a"]),
        ("\n\n\ndata\n\ndata:\n\ndata: a\n\n", ["a"]),
        ("\u{feff}data: a\n\n", ["a"]),
        ("datax: a\n\n data: b\n\nData: c\n\n", []),
        ("data: a\n", ["a"]),
        ("data: a\n\ndata: b", ["a"]),
    ])
    func itFindsTheData(text: String, expected: [String]) throws {
        #expect(try Self.events(of: text) == expected.map(Self.data))
    }

    @Test func itTellsErrorsApart() throws {
        #expect(try Self.events(of: "error: {}\n\n") == [.error(Array("{}".utf8))])
    }

    @Test func aLineHasALimit() throws {
        var parser = EventStreamParser(lineLimit: 10)
        #expect(try parser.append("data: 1234\n\n".utf8) == [Self.data("1234")])
        #expect(throws: ModelServerError.tooLarge(.line)) { try parser.append("data: 12345".utf8) }
        var other = EventStreamParser(lineLimit: 10)
        #expect(throws: ModelServerError.tooLarge(.line)) {
            for _ in 0..<4 { _ = try other.append("data: 123\n".utf8) }
        }
    }

    @Test func whereTheBytesAreCutDoesNotMatter() throws {
        var random = SplitMix.printingSeed()
        let pieces = [
            "data: ", "data:", "data", "error: x", ":", ": c", "\n", "\r\n", "\r", "\n\n", "\r\n\r\n", "é",
            "漢", "👩‍👩‍👧", "{}",
            "[DONE]", "\u{feff}", " ",
        ]
        for _ in 0..<300 {
            let text = (0..<Int.random(in: 1...40, using: &random))
                .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let bytes = Array(text.utf8)
            let expected = try Self.events(of: text)
            #expect(try Self.events(of: Self.withLineFeeds(text)) == expected, "\(text.debugDescription)")
            var parser = EventStreamParser()
            var found: [EventStreamParser.Event] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 0...5, using: &random)
                found += try parser.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            found += parser.finish()
            #expect(found == expected, "\(text.debugDescription)")
        }
    }

    @Test func anyBytesAreRead() throws {
        var random = SplitMix.printingSeed()
        for _ in 0..<300 {
            var parser = EventStreamParser()
            _ = try parser.append(random.bytes(upTo: 400))
            _ = parser.finish()
        }
    }
}
