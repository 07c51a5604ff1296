import Foundation
import Testing

/// The lists of mutations name places in the code, each of which occurs once: a list that fits no more finds no fault.
@Suite struct MutationTests {
    static let lists = ["mutations", "mutations-blind", "mutations-fresh", "mutations-second", "mutations-hostile"]

    /// A place in the code, and what stands there instead in the copy.
    private struct Mutation {
        let name: String
        let file: String
        let old: String
        let new: String
    }

    private func mutations(_ list: String) throws -> [Mutation] {
        let blocks = try SourceTree.text("contrib/\(list).txt").components(separatedBy: "\n=== ").dropFirst()
        #expect(blocks.count > (list == "mutations-hostile" ? 5 : 20))
        return try blocks.flatMap { block in
            try block.components(separatedBy: "\n--- ").dropFirst().map { part in
                let halves = part.components(separatedBy: "\n>>>\n")
                let lines = halves[0].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                try #require(lines.count == 2 && halves.count == 2, "\(block)")
                return Mutation(
                    name: block.prefix { $0 != "\n" }.description,
                    file: String(lines[0]),
                    old: String(lines[1]),
                    new: halves[1]
                )
            }
        }
    }

    @Test(arguments: lists) func everyPlaceIsThereOnce(list: String) throws {
        for mutation in try mutations(list) {
            let places = try SourceTree.text(mutation.file).components(separatedBy: mutation.old).count - 1
            #expect(places == 1, "\(mutation.name) in \(mutation.file)")
        }
    }

    /// A list is built at once, so one replacement that calls what is gone would leave nothing of it.
    @Test(arguments: lists) func whatIsCalledIsThere(list: String) throws {
        let called = /\b([a-z][A-Za-z0-9]+)\(/
        let source = try SourceTree.files(in: "Sources").map { $0.code.joined(separator: "\n") }
        let known = Set(source.flatMap { $0.matches(of: called).map(\.output.1) })
        for mutation in try mutations(list) {
            for name in mutation.new.matches(of: called).map(\.output.1) where name != "mutation" {
                #expect(known.contains(name), "\(mutation.name) calls \(name)")
            }
        }
    }
}
