import Foundation
import Testing

/// The lists of mutations name places in the code, each of which occurs once: a list that fits no more finds no fault.
@Suite struct MutationTests {
    @Test(arguments: ["mutations", "mutations-blind", "mutations-fresh", "mutations-second", "mutations-hostile"])
    func everyPlaceIsThereOnce(list: String) throws {
        let blocks = try SourceTree.text("contrib/\(list).txt").components(separatedBy: "\n=== ").dropFirst()
        #expect(blocks.count > (list == "mutations-hostile" ? 5 : 20))
        for block in blocks {
            for part in block.components(separatedBy: "\n--- ").dropFirst() {
                let halves = part.components(separatedBy: "\n>>>\n")
                let lines = halves[0].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                try #require(lines.count == 2, "\(block)")
                let places = try SourceTree.text(String(lines[0])).components(separatedBy: String(lines[1])).count - 1
                #expect(places == 1, "\(block.prefix { $0 != "\n" }) in \(lines[0])")
            }
        }
    }
}
