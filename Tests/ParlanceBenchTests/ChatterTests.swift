import Testing

@testable import parlance_bench

@Suite struct ChatterTests {
    /// All blanks of the sentences are filled, and another run writes the same.
    @Test func itWritesTheSameSentencesEachTime() {
        var (first, second) = (Chatter(), Chatter())
        let sentences = (0..<500).map { _ in first.next() }
        #expect(sentences == (0..<500).map { _ in second.next() })
        #expect(sentences.allSatisfy { !$0.contains("{") && !$0.contains("}") && $0.count > 10 })
        #expect(Set(sentences).count > 250, "\(Set(sentences).count)")
    }
}
