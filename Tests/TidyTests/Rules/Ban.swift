/// Something that must not occur in code.
struct Ban {
    /// Its name for people.
    let name: String
    /// Runs of tokens, each of which is banned.
    let runs: [[Token]]
    let reason: String
    /// A run after one of these is something else, such as a method of that name.
    let notAfter: Set<Substring>

    init(_ name: String, _ runs: [String], _ reason: String, notAfter: Set<Substring> = []) {
        self.name = name
        self.runs = runs.map(Token.tokens)
        self.reason = reason
        self.notAfter = notAfter
    }
}

/// Bans, found by the first token of their runs.
struct BanTable {
    private var runs: [Substring: [(tokens: [Token], ban: Ban)]] = [:]

    init(_ bans: [Ban]) {
        for ban in bans {
            for run in ban.runs { runs[run[0].text, default: []].append((run, ban)) }
        }
    }

    /// The bans that a line breaks.
    func bans(in tokens: [Token]) -> [Ban] {
        tokens.indices.flatMap { index -> [Ban] in
            guard let candidates = runs[tokens[index].text] else { return [] }
            return candidates.filter { run, ban in
                if index > 0, ban.notAfter.contains(tokens[index - 1].text) { return false }
                return index + run.count <= tokens.count && zip(tokens[index...], run).allSatisfy { $0.text == $1.text }
            }.map(\.ban)
        }
    }
}
