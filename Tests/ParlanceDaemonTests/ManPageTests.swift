import Foundation
import Testing

extension ProgramTests {
    /// The pages that the package installs, made from what the programs say of themselves.
    @Suite struct ManPageTests {
        private static let script = repository.appendingPathComponent("contrib/manpages.py")

        /// The exit code of the script, with what it complained about.
        private static func run(_ arguments: [String], in lab: Lab) async throws -> (code: Int32, errors: String) {
            let environment = Programs.environment(home: lab.folder.path)
            let child = try Child(script, arguments, environment: environment, base: lab.nextBase("manpages"))
            return (try await child.ended(within: .seconds(120)), child.complained)
        }

        @Test func eachCommandHasAPageThatManFinds() async throws {
            try await Lab.run(limit: .seconds(240)) { lab in
                let folder = lab.folder.appendingPathComponent("man")
                let programs = [try Programs.own("parlance").path, try Programs.own("parlanced").path]
                // The script checks what it wrote, with groff and with the parser of mandb.
                let written = try await Self.run(
                    ["--version", "1.2.3", "--date", "2026-01-02", folder.path] + programs,
                    in: lab
                )
                #expect(written.code == 0, "\(written.errors)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.count > 100)
                #expect(Set(["parlance.1", "parlanced.1", "parlance-workspace-policy.1"]).isSubset(of: names))

                let send = folder.appendingPathComponent("parlance-send.1")
                let page = try String(contentsOf: send, encoding: .utf8)
                for code in [0, 1, 2, 64, 65, 77] { #expect(page.contains("\n\\fB\(code)\\fR\n"), "\(code)") }
                // What was wrong once: quotation marks around the name, and an empty line that groff warns of.
                let mistakes = [
                    ("parlance-send \\- write", "\"parlance send\" \\- write"),
                    (".SH DESCRIPTION\n", ".SH DESCRIPTION\n.Nope\n"),
                ]
                for (right, wrong) in mistakes {
                    #expect(page.contains(right))
                    try page.replacing(right, with: wrong).write(to: send, atomically: true, encoding: .utf8)
                    let checked = try await Self.run(["--check", folder.path], in: lab)
                    #expect(checked.code == 1)
                    #expect(checked.errors.contains("parlance-send"), "\(checked.errors)")
                }
            }
        }
    }
}
