import Foundation
import ParlanceWords
import Testing

/// Commands that are printed to be pasted.
@Suite struct ShellWordTests {
    @Test(
        arguments: [
            ("Bob", "Bob"), ("Zoë", "Zoë"), ("", "''"), ("a b", "'a b'"), ("O'Neil", "'O'\\''Neil'"),
            ("$(x)", "'$(x)'"),
            ("a\u{1B}", "$'a\\x1b'"), ("a;b", "'a;b'"),
        ]
    )
    func quotesForAShell(_ word: String, _ quoted: String) {
        #expect(ShellWord.quoted(word) == quoted)
    }

    /// Words as people choose them, and as others choose them to do harm.
    private static let words = [
        "Bob", "", " ", "a b", "-x", "--yes", "-", "--", "-a 'b'", "O'Neil", "'", "\"", "\\", "a\\'b", "$(x)", "`x`",
        "${x}", "!x",
        "~bob", "*", "#x", "a;b&c|d", "<a>", "a\nb", "\n", "\r", "a\tb", "\u{1B}[31m", "\u{7F}", "Zoë", "\u{202E}abc",
        "会議", "👨‍👩‍👧", "a=b", "%s", "\u{A0}", "-\n'",
    ]

    /// bash makes of each printed command the words that are meant, and so does what reads a line that is completed.
    @Test func aPrintedCommandIsReadAsItIsMeant() throws {
        let operands = Self.words.flatMap { one in [[one], ["Bob", one], [one, "-y"]] }
        for operands in operands {
            for options in [[], ["--ids", ShellWord.option("--before", "-1")]] {
                let line = ShellWord.command("parlance history", operands, options: options)
                #expect(VisibleText.line(line) == line && !line.contains("\n"), "\(line)")
                let read = try words(of: line)
                let dashes = operands.contains { $0.hasPrefix("-") }
                let given = options.isEmpty ? [] : ["--ids", "--before=-1"]
                let wanted = dashes ? given + ["--"] + operands : operands + given
                #expect(read == ["parlance", "history"] + wanted, "\(line)")
            }
        }
        for word in Self.words where VisibleText.line(word) == word {
            #expect(ShellWord.read(ShellWord.quoted(word)) == word, "\(word)")
        }
        #expect(ShellWord.read("a\\ b\"c \\\"d\"'e f'") == "a bc \"de f")
    }

    /// The words that bash makes of a line, without what it would expand.
    private func words(of line: String) throws -> [String] {
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", "printf '%s\\0' \(line)"]
        process.environment = ["HOME": "/nowhere", "LC_ALL": "C.UTF-8"]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return bytes.split(separator: 0, omittingEmptySubsequences: false).dropLast().map {
            String(decoding: $0, as: UTF8.self)
        }
    }
}
