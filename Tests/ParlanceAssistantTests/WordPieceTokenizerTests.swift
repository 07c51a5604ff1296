import Foundation
import ParlanceRandom
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

@Suite struct WordPieceTokenizerTests {
    @Test func itAgreesWithTheReference() throws {
        let tokenizer = try WordPieceTokenizer(vocabulary: ModelData.vocabulary())
        let lines = try ModelData.tokens()
        #expect(lines.count == 1000)
        for line in lines { #expect(tokenizer.tokens(of: line.text) == line.ids, "\(line.text.debugDescription)") }
    }

    @Test func itTakesTheLongestPieces() throws {
        let tokenizer = try WordPieceTokenizer(vocabulary: Self.words("[UNK] [CLS] [SEP] un ##aff ##able ##a able !"))
        #expect(tokenizer.tokens(of: "Unaffable, ABLE!") == [1, 3, 4, 5, 0, 7, 8, 2])
        #expect(tokenizer.tokens(of: "unaffx") == [1, 0, 2])
        #expect(tokenizer.tokens(of: "") == [1, 2])
    }

    @Test func itStopsAtTheLimit() throws {
        let tokenizer = try WordPieceTokenizer(vocabulary: Self.words("[UNK] [CLS] [SEP] a ##b"))
        #expect(tokenizer.tokens(of: "abbbbb a", limit: 4) == [1, 3, 4, 2])
        #expect(tokenizer.tokens(of: "a a", limit: 4) == [1, 3, 3, 2])
        #expect(tokenizer.tokens(of: String(repeating: "a ", count: 999)).count == 256)
    }

    @Test func itReadsLinesOfWindows() throws {
        let bytes = Array("[UNK]\r\n[CLS]\r\n[SEP]\r\nword\r\n".utf8)
        #expect(try WordPieceTokenizer(vocabulary: bytes).tokens(of: "word") == [1, 3, 2])
    }

    @Test(arguments: [
        ("", "0 words"),
        ("[UNK]\n[CLS]\n", "[SEP] is missing"),
        ("[UNK]\n[CLS]\n[SEP]\na\na\n", "line 5 repeats line 4"),
        ("[UNK]\n\n[SEP]\n", "line 2 is empty"),
    ])
    func itRefusesABrokenVocabulary(text: String, reason: String) {
        #expect(throws: ModelError.malformedVocabulary(reason: reason)) {
            try WordPieceTokenizer(vocabulary: Array(text.utf8))
        }
    }

    @Test func itRefusesAnEnormousVocabulary() {
        #expect(throws: ModelError.malformedVocabulary(reason: "larger than 4 MiB")) {
            try WordPieceTokenizer(vocabulary: [UInt8](repeating: 0x61, count: (4 << 20) + 1))
        }
        #expect(throws: ModelError.malformedVocabulary(reason: "200000 words")) {
            try WordPieceTokenizer(vocabulary: [UInt8](repeating: 0x0A, count: 200_000))
        }
    }

    @Test func randomBytesDoNoHarm() {
        var random = SplitMix.printingSeed()
        for _ in 0..<200 {
            var bytes = Array("[UNK]\n[CLS]\n[SEP]\n".utf8)
            bytes += (0..<Int.random(in: 0...60, using: &random)).map { _ in
                [0x0A, 0x23, 0x61, 0x80, 0xC3, 0xFF, 0x00][Int.random(in: 0..<7, using: &random)]
            }
            let text = String(decoding: random.bytes(upTo: 60), as: UTF8.self)
            do throws(ModelError) {
                let tokens = try WordPieceTokenizer(vocabulary: bytes).tokens(of: text)
                #expect(tokens.first == 1 && tokens.last == 2)
            } catch {
                guard case .malformedVocabulary = error else {
                    Issue.record("\(error)")
                    continue
                }
            }
        }
    }

    private static func words(_ text: String) -> [UInt8] {
        text.split(separator: " ").flatMap { Array($0.utf8) + [0x0A] }
    }
}
