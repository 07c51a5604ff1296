import Foundation
import ParlanceControl
import ParlanceWaiting
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
                // The newest first: one of Ada's own to edit, any of the conversation to answer.
                try await pair.bob.send("from Bob", to: "Ada")
                try await eventually("Ada has it") { try await pair.ada.texts(with: name).last == "from Bob" }
                let messages = try await pair.ada.history(with: name, page: 9).reversed()
                let ids = messages.filter { $0.note == nil }.map { String($0.id.prefix(12)) }
                let own = messages.filter { $0.note == nil && $0.mine }.map { String($0.id.prefix(12)) }
                #expect(own.count < ids.count && !own.isEmpty)
                #expect(try await offered(["reply", ""], to: pair.ada, in: lab) == ["last"] + ids)
                #expect(try await offered(["edit", ""], to: pair.ada, in: lab) == ["last"] + own)
                // What the default command of a group takes.
                #expect(try await offered(["talk", ""], to: pair.ada, in: lab).contains(name))
                #expect(try await offered(["talk", "Da"], to: pair.ada, in: lab) == [name])
                #expect(try await offered(["talk", "cl"], to: pair.ada, in: lab) == ["clear"])
                #expect(try await offered(["talk", "clear", "Da"], to: pair.ada, in: lab) == [name])
                #expect(try await offered(["talk", "--js"], to: pair.ada, in: lab) == ["--json"])
                // Of the conversation that the command names, though another is newer.
                #expect(try await pair.ada.parlance("group", "create", "Crow", name).code == 0)
                #expect(try await pair.ada.parlance("send", "Crow", "newer").code == 0)
                let crow = try await pair.ada.history(with: "Crow").last { $0.note == nil }
                for words in [
                    ["Dan\\ O\\'Neill\\ \\(Öz\\)", "--around"], ["--limit", "9", "\"\(name)\"", "--before"],
                ] {
                    #expect(try await offered(["history"] + words + [""], to: pair.ada, in: lab) == ids)
                }
                #expect(
                    try await offered(["history", "Crow", "--around", "=", ""], to: pair.ada, in: lab)
                        == [crow].compactMap { $0.map { String($0.id.prefix(12)) } }
                )
                try await pair.ada.kill()
                #expect(try await offered(["send", ""], to: pair.ada, in: lab) == [])
            }
        }

        /// Begins a shell in which Tab completes `parlance`, as the manual says.
        private static let shell = #"""
            exec 2>&1; shell=$1; export PARLANCE_SOCKET=$2 HOME=$3 PATH="$3/bin:$PATH" LANG=C.UTF-8
            mkdir -p "$HOME/bin" "$HOME/.config/fish"; ln -s "$4" "$HOME/bin/parlance"; cd "$HOME" || exit
            : >report.pdf
            case $shell in
            bash)
                parlance --generate-completion-script bash >parlance.bash
                printf '%s\n' "PS1='ready> '" "bind 'set bell-style none'" '. ./parlance.bash' >rc
                exec bash --noprofile --rcfile rc -i ;;
            zsh)
                parlance --generate-completion-script zsh >bin/_parlance
                printf '%s\n' "PS1='ready> '" 'fpath=("$HOME/bin" $fpath)' 'autoload -U compinit; compinit -u -D' >.zshrc
                ZDOTDIR=$HOME exec zsh -i ;;
            fish)
                parlance --generate-completion-script fish >parlance.fish
                printf '%s\n' 'function fish_prompt; printf "ready> "; end' 'set -g fish_autosuggestion_enabled 0' \
                    'source ~/parlance.fish' >.config/fish/config.fish
                exec fish -i ;;
            esac
            """#

        private static func has(_ shell: String) -> Bool { (try? Programs.system(shell)) != nil }

        @Test func tabCompletesInBash() async throws { try await press("bash") }

        @Test(.enabled(if: has("zsh"), "there is no zsh here"))
        func tabCompletesInZsh() async throws { try await press("zsh") }

        @Test(.enabled(if: has("fish"), "there is no fish here"))
        func tabCompletesInFish() async throws { try await press("fish") }

        /// Presses Tab in a shell on a terminal. A name is one word then, whatever it is made of, and no command.
        private func press(_ shell: String) async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let home = lab.folder.appendingPathComponent("home").path
                #expect(try await pair.ada.parlance("alias", "Bob", "Zoe Rye").code == 0)
                let runner = ["sh", "-c", Self.shell, "sh", shell, pair.ada.socketPath, home]
                let terminal = try ChatTerminal(pair.ada, command: [], runner: runner, width: 120)
                try await terminal.shows("ready>", within: .seconds(60))
                terminal.type("parlance talk Z\t")
                try await terminal.shows("parlance talk Zoe\\ Rye", within: .seconds(60))
                terminal.type("\u{15}parlance seen Z\t")
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
                for words in ["send Zoe --file", "reply last --file", "picture --save", "backup", "status --socket"] {
                    terminal.type("\u{15}parlance \(words) rep\t")
                    try await terminal.shows("parlance \(words) report.pdf", within: .seconds(60))
                }
                for words in ["send Zoe --file", "picture --save", "status --socket"] {
                    terminal.type("\u{15}parlance \(words)=rep\t")
                    try await terminal.shows("parlance \(words)=report.pdf", within: .seconds(60))
                }
                terminal.hangUp()
            }
        }
    }
}
