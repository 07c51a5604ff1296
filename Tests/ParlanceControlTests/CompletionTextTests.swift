import Testing

@testable import parlance

/// What Tab offers in a shell, as text.
@Suite struct CompletionTextTests {
    /// What others call themselves must be a word in each shell, and nothing else.
    @Test func candidatesAreQuotedForEachShell() {
        let name = "Dan $(touch x)'s \\ : M"
        #expect(Completions.quoted(name, for: "bash") == "'Dan $(touch x)'\\''s \\ : M'")
        #expect(Completions.quoted(name, for: "zsh") == "Dan $(touch x)'s \\\\ \\: M")
        #expect(Completions.quoted(name, for: "fish") == name)
        let names = Completions.names(of: [("Bob", "bobbobbobbobbob"), ("bob", "eveeveeveeveeve"), ("Cleo", "cleo")])
        #expect(names == ["bobbobbobbob", "eveeveeveeve", "Cleo"])
    }
}
