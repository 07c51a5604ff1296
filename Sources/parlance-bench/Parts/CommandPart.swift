/// Commands as processes of their own, as people and scripts start them.
enum CommandPart: Part {
    static let name = "commands"
    static let about = "whole commands, from the start of the process to its end"

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        Progress.note("Starting each command \(bench.amounts.commands) times")
        for number in 1...bench.amounts.commands {
            bench.results.add("version_command_ms", try bench.command(["--version"], of: nodes.ada))
            bench.results.add("status_command_ms", try bench.command(["status"], of: nodes.ada))
            let send = ["send", nodes.bob.name, "number \(number)"]
            bench.results.add("send_command_ms", try bench.command(send, of: nodes.ada))
        }
        bench.wrote(bench.amounts.commands)
    }
}
