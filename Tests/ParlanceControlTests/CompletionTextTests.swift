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

    /// bash runs what stands in some candidates before anybody has seen them.
    @Test(arguments: [
        "${x[a[$(touch x)]]}", "`touch x`", "~bob", "a\\b", "a/b", "a*", "[a]", "a;b", "\"a\"", "!a", "$HOME",
    ])
    func whatBashWouldExpandIsOfferedByItsID(_ name: String) {
        let all = [(name, "bobbobbobbobbob"), ("Zo\u{EB} O'Neill (night)", "zoezoezoezoezoe")]
        #expect(Completions.names(of: all, for: "bash") == ["bobbobbobbob", "Zo\u{EB} O'Neill (night)"])
        #expect(Completions.names(of: all, for: "fish") == [name, "Zo\u{EB} O'Neill (night)"])
    }

    @Test func aPolicyIsOfferedWithItsValues() {
        #expect(Completions.policyValues(["parlance", "workspace", "policy", "admission", ""]) == ["open", "approve"])
        #expect(Completions.policyValues(["parlance", "workspace", "policy", "--custom", "retention", ""]) == ["off"])
        #expect(Completions.policyValues(["parlance", "workspace", "policy", ""]) == [])
    }
}
