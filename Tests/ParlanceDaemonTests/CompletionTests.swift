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
                let name = "Dan O'Neill (Öz)"
                #expect(try await pair.ada.parlance("alias", "Bob", name).code == 0)
                #expect(try await offered(["send", ""], to: pair.ada, in: lab) == [name])
                #expect(try await offered(["history", "Da"], to: pair.ada, in: lab) == [name])
                #expect(try await offered(["config", "set", "log-l"], to: pair.ada, in: lab) == ["log-level"])
                #expect(try await offered(["workspace", "policy", ""], to: pair.ada, in: lab).contains("retention"))
                #expect(
                    try await offered(["workspace", "policy", "admission", "a"], to: pair.ada, in: lab) == ["approve"]
                )
                #expect(try await offered(["wait", "Da"], to: pair.ada, in: lab) == [name])
                try await pair.ada.kill()
                #expect(try await offered(["send", ""], to: pair.ada, in: lab) == [])
            }
        }

        /// Begins a shell in which Tab completes `parlance`, as the manual says.
        private static let shell = #"""
            exec 2>&1; shell=$1; export PARLANCE_SOCKET=$2 HOME=$3 PATH="$3/bin:$PATH"
            mkdir -p "$HOME/bin"; ln -s "$4" "$HOME/bin/parlance"; cd "$HOME" || exit
            case $shell in
            bash)
                parlance --generate-completion-script bash >parlance.bash
                printf '%s\n' "PS1='ready> '" "bind 'set bell-style none'" '. ./parlance.bash' >rc
                exec bash --noprofile --rcfile rc -i ;;
            esac
            """#

        /// Tab in shells on a terminal. A name is one word then, whatever it is made of, and no command.
        @Test(arguments: ["bash"]) func tabCompletesOnATerminal(_ shell: String) async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let home = lab.folder.appendingPathComponent("home").path
                #expect(try await pair.ada.parlance("alias", "Bob", "Zoe Rye").code == 0)
                _ = try Programs.system(shell)
                let runner = ["sh", "-c", Self.shell, "sh", shell, pair.ada.socketPath, home]
                let terminal = try ChatTerminal(pair.ada, command: [], runner: runner, width: 120)
                try await terminal.shows("ready>", within: .seconds(60))
                terminal.type("parlance seen Z\t")
                try await terminal.shows("parlance seen Zoe\\ Rye", within: .seconds(60))
                terminal.type("\u{15}parlance workspace policy adm\t")
                try await terminal.shows("parlance workspace policy admission", within: .seconds(60))
                // Somebody calls themselves so that a shell could run it.
                #expect(try await pair.ada.parlance("alias", "Bob", "Q${x[a[$(touch $HOME/bad)]]}").code == 0)
                terminal.type("\u{15}parlance seen Q\t")
                try await terminal.shows("parlance seen Q", within: .seconds(60))
                terminal.type("\u{15}parlance config set log-l\t")
                try await terminal.shows("parlance config set log-level", within: .seconds(60))
                #expect(!FileManager.default.fileExists(atPath: home + "/bad"))
                terminal.hangUp()
            }
        }
    }
}
