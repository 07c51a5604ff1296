import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// What Tab offers in a real shell.
    @Suite struct CompletionTests {
        /// Completes the last of some words in bash, and returns what is offered.
        private func offered(_ words: [String], to node: LabNode, in lab: Lab) async throws -> [String] {
            let program = try Programs.own("parlance").path
            let script = """
                source <("$1" --generate-completion-script bash)
                program=$1; shift
                export PARLANCE_SOCKET=$1; shift
                COMP_WORDS=("$program" "$@"); COMP_CWORD=$#
                COMP_LINE="parlance $*"; COMP_POINT=${#COMP_LINE}
                _parlance parlance "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
                printf '%s\\n' "${COMPREPLY[@]}"
                """
            let arguments = ["-c", script, "bash", program, node.socketPath] + words
            let outcome = try await lab.run(Programs.system("bash"), arguments)
            #expect(outcome.errors.isEmpty, "\(outcome.errors)")
            return outcome.output.split(separator: "\n").map(String.init)
        }

        @Test func namesComeFromTheDaemonAndAreWords() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let name = "Dan $(echo bad)'s Öz"
                #expect(try await pair.ada.parlance("alias", "Bob", name).code == 0)
                #expect(try await offered(["send", ""], to: pair.ada, in: lab) == [name])
                #expect(try await offered(["history", "Da"], to: pair.ada, in: lab) == [name])
                #expect(try await offered(["config", "set", "log-l"], to: pair.ada, in: lab) == ["log-level"])
                #expect(try await offered(["workspace", "policy", ""], to: pair.ada, in: lab).contains("admission"))
                try await pair.ada.kill()
                #expect(try await offered(["send", ""], to: pair.ada, in: lab) == [])
            }
        }
    }
}
