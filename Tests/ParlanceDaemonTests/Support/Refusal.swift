import ParlanceControl
import Testing

/// The form of a refusal: its exit code, what went wrong, what to do, and no internals of the program.
struct Refusal {
    var code: Int32
    /// Texts that the error output must contain.
    var says: [String]

    /// Bad input of a command: exit code 65 (protocol/control.md).
    static func given(_ says: String...) -> Refusal { Refusal(code: 65, says: says) }

    /// Wrong usage: exit code 64.
    static func usage(_ says: String...) -> Refusal { Refusal(code: 64, says: says) }

    /// A daemon that does not start: exit code 1.
    static func start(_ says: String...) -> Refusal { Refusal(code: 1, says: says) }

    func check(_ outcome: Lab.Outcome, of what: String, at location: SourceLocation = #_sourceLocation) {
        let told = outcome.errors.split(separator: "\n").filter { !Self.isLogged($0) }.joined(separator: "\n")
        #expect(outcome.code == code, "\(what): \(told)", sourceLocation: location)
        #expect(outcome.output.isEmpty, "\(what) printed: \(outcome.output)", sourceLocation: location)
        for words in says { #expect(told.contains(words), "\(what)", sourceLocation: location) }
        // The first line says what went wrong, the next what to do.
        #expect(told.split(separator: "\n").count >= 2, "\(what) says only: \(told)", sourceLocation: location)
        #expect(!told.split(separator: "\n").contains { $0.hasSuffix(": ") }, "\(told)", sourceLocation: location)
        Self.checkWords(outcome.errors, of: what, at: location)
    }

    /// No Swift type, stack trace or address: nothing that only a developer can read.
    static func checkWords(_ text: String, of what: String, at location: SourceLocation = #_sourceLocation) {
        let told = text.split(separator: "\n").filter { !isLogged($0) }.joined(separator: "\n")
        let inside =
            /\w+Error\(|\w+Error\.|Swift\.|Parlance[A-Z]\w+|[Ff]atal|Optional\(|0x[0-9a-f]{6,}|Thread \d|\bnil\b/
        if let match = told.firstMatch(of: inside) {
            Issue.record("\(what) shows \"\(match.output)\": \(told)", sourceLocation: location)
        }
    }

    /// A line of the daemon's log; it begins with a date.
    private static func isLogged(_ line: Substring) -> Bool {
        line.prefixMatch(of: /\d{4}-\d\d-\d\dT/) != nil
    }
}
