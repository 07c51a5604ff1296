import ArgumentParser
import Foundation
import ParlanceWords

/// Where a node keeps its files.
struct Places: ParsableArguments {
    @Option(help: ArgumentHelp("The data folder (default: ~/.local/share/parlance).", valueName: "folder"))
    var dataDir: String?

    @Option(
        help: ArgumentHelp(
            "The control socket (default: chosen, and written where the command looks).",
            valueName: "path"
        )
    )
    var socket: String?

    @Option(help: ArgumentHelp("Keep several nodes of one user apart.", valueName: "name"))
    var profile: String?

    @Option(help: ArgumentHelp("The configuration file (default: ~/.config/parlance/config.yaml).", valueName: "file"))
    var config: String?

    func validate() throws {
        let given = [("--data-dir", dataDir), ("--socket", socket), ("--profile", profile), ("--config", config)]
        for (option, value) in given where value?.isEmpty == true {
            throw ValidationError(say("The value of \(option) is empty."))
        }
    }
}
