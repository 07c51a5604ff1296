import ArgumentParser
import ParlanceControl
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

    /// A shell passes the line as it was typed, and bash an equals sign as a word.
    @Test func theConversationIsFoundInTheLine() {
        func who(_ words: String...) -> String? {
            Completions.conversation(in: Completions.plain(["parlance"] + words), of: HistoryCommand.self)
        }
        #expect(who("history", "Zo\u{EB}\\ M", "--around", "") == "Zo\u{EB} M")
        #expect(who("history", "--limit", "5", "--ids", "'O M'", "--before", "") == "O M")
        #expect(who("history", "--limit", "=", "5", "\"O M\"", "--before", "=", "") == "O M")
        #expect(who("--socket", "=", "/s", "history", "--", "-x", "--before", "") == "-x")
        #expect(who("history", "--around", "") == nil)
        #expect(Completions.plain(["parlance", "--socket", "=", "a\\ b", "x"]) == ["parlance", "--socket=a b", "x"])
    }

    /// Whatever a command takes of what the shell or the daemon knows can be completed.
    @Test func everythingThatIsKnownIsOffered() throws {
        let dump = try JSONParser.parse(Array(ParlanceCommand._dumpHelp().utf8))
        var count = 0
        func look(_ command: JSON, _ path: [String]) {
            for argument in command["arguments"]?.list ?? [] where argument["kind"]?.text != "flag" {
                let name = argument["valueName"]?.text ?? ""
                let kind = argument["completionKind"]?.keys ?? []
                let wanted: Set<String>? =
                    switch name {
                    case "who", "group", "id": ["customAsync"]
                    case "path", "file", "dir", "folder", "file-or-who": ["file", "directory"]
                    case "events", "state": ["list"]
                    default: nil
                    }
                guard let wanted else { continue }
                count += 1
                let place = (path + [name]).joined(separator: " ")
                #expect(!wanted.isDisjoint(with: kind), "\(place)")
            }
            for next in command["subcommands"]?.list ?? [] { look(next, path + [next["commandName"]?.text ?? ""]) }
        }
        try look(#require(dump["command"]), [])
        #expect(count > 100)
    }
}

extension JSON {
    fileprivate var list: [JSON]? { if case .array(let list) = self { list } else { nil } }

    fileprivate var keys: [String] { if case .object(let members) = self { members.map(\.key) } else { [] } }
}
