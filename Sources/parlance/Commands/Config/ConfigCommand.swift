import ArgumentParser

/// `parlance config ...`
struct ConfigCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Show and change the settings of your node.",
        discussion: """
            The settings are in a configuration file, usually ~/.config/parlance/config.yaml. They work whether or not your \
            node runs; a running node takes a change over at once where it can, otherwise at its next start.

            The daemon's environment (PARLANCE_*) wins over the file, and its flags win over both.

            Examples: parlance config list
                      parlance config get log-level
                      parlance config set peers ship.lan:4747 192.0.2.7:4747
            """,
        subcommands: [
            ConfigListCommand.self, ConfigGetCommand.self, ConfigSetCommand.self, ConfigReloadCommand.self,
        ]
    )
}
