import ArgumentParser

/// The script with which a shell completes the command, as the library for arguments writes it, with what it lacks:
/// - behind the name of a group of commands, what its default command takes: `parlance talk Cr<Tab>`;
/// - in bash and zsh, the value of an option behind an equals sign: `--file=rep<Tab>`.
enum CompletionScript {
    static func mended(_ script: String, of tool: any ParsableCommand.Type = ParlanceCommand.self) -> String {
        var script = script
        let name = tool.configuration.commandName ?? ""
        let groups = groups(in: tool, path: [name])
        if script.hasPrefix("#!/bin/bash") {
            for group in groups { group.mendBash(&script) }
            return script.replacing(readsWords, with: joinsOptions)
        }
        if script.hasPrefix("#compdef") {
            for group in groups { group.mendZsh(&script) }
            // The mark by which zsh's _arguments takes the value behind an equals sign too.
            return script.replacing(/(?m)^(\s+'\*?--[a-z-]+)\[(?=.*\]:)/) { "\($0.output.1)=[" }
        }
        return script.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            [line] + groups.compactMap { $0.fishLine(for: line) }
        }.joined(separator: "\n")
    }

    /// How the script for bash begins.
    private static let readsWords = """
            local -r cur="${2}"
            local -r prev="${3}"

            local -i positional_number
            local -a unparsed_words=("${COMP_WORDS[@]:1:${COMP_CWORD}}")

        """

    private static let joinsOptions = """
            local cur="${2}"
            local prev="${3}"

            # bash takes the equals sign of --option=value for a word.
            local -a unparsed_words=()
            local -i place
            for ((place = 1; place <= COMP_CWORD; place++)); do
                if [[ "${COMP_WORDS[place]}" = '=' && "${COMP_WORDS[place - 1]}" = --* ]]; then
                    if ((place == COMP_CWORD)); then
                        cur=''
                        prev="${COMP_WORDS[place - 1]}"
                        unparsed_words+=('')
                    elif ((place == COMP_CWORD - 1)); then
                        prev="${COMP_WORDS[place - 1]}"
                    fi
                else
                    unparsed_words+=("${COMP_WORDS[place]}")
                fi
            done

            local -i positional_number

        """

    /// A group of commands, and the one that is meant where none is named.
    private struct Group {
        let path: [String]
        let usual: String

        private var function: String { "_" + path.joined(separator: "_") }

        /// Adds lines to the group's function, behind the first line there that begins so.
        private func add(_ lines: String, behind start: String, to script: inout String) {
            guard let head = script.firstRange(of: "\n\(function)() {\n"),
                let end = script[head.upperBound...].firstRange(of: "\n}\n"),
                let place = script[head.upperBound..<end.lowerBound].firstRange(of: start),
                let rest = script[place.upperBound..<end.upperBound].firstIndex(of: "\n")
            else { return }
            script.insert(contentsOf: "\n" + lines, at: rest)
        }

        func mendBash(_ script: inout String) {
            let lines = """
                        # Offer what the default subcommand takes
                        unparsed_words=("${subcommand}" "${unparsed_words[@]}")
                        "\(function)_\(usual)"
                """
            add(lines, behind: "        # Offer subcommand completions\n        COMPREPLY+=", to: &script)
        }

        func mendZsh(_ script: inout String) {
            add("        \"\(function)_\(usual)\" && ret=0", behind: "        _describe -V subcommand", to: &script)
        }

        /// The line for the arguments of the default command, for the group too.
        func fishLine(for line: Substring) -> Substring? {
            let group = path.joined(separator: " ")
            let start = "_should_offer_completions_for_positional \""
            guard line.contains("\(start)\(group) \(usual)\"") else { return nil }
            return line.replacing("\(start)\(group) \(usual)\"", with: "\(start)\(group)\"")
        }
    }

    private static func groups(in command: any ParsableCommand.Type, path: [String]) -> [Group] {
        let usual = command.configuration.defaultSubcommand?.configuration.commandName
        let own = usual.map { Group(path: path, usual: $0) }
        let inner = command.configuration.subcommands.flatMap { next in
            next.configuration.commandName.map { groups(in: next, path: path + [$0]) } ?? []
        }
        return (path.count > 1 ? [own].compactMap { $0 } : []) + inner
    }
}
