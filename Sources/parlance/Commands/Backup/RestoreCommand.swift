import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance restore FILE`
struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into a profile that is empty.",
        discussion: """
            The daemon must not run. The whole file is checked first: if anything of it is wrong, nothing is changed. A \
            restore never replaces an identity, messages or settings that are there.

            Then start parlanced. It notices that it is a copy, goes on as a new one, and gets from others what you had \
            written since the backup. Never run the old copy again.

            With --data-dir and without --config the settings of the backup are left out: a trial leaves nothing elsewhere.

            Examples: parlance restore /mnt/stick/ada.backup
                      parlance restore ada.backup --profile old
            """
    )

    @Argument(help: "The backup.")
    var file: UserPath

    @Flag(help: ArgumentHelp("Refused: a restore replaces nothing.", visibility: .hidden))
    var force = false

    @Option(
        help: ArgumentHelp("Read its passphrase from this open file descriptor.", valueName: "number"),
        transform: InheritedDescriptor.parse
    )
    var passphraseFd: Int32?

    @Option(
        help: ArgumentHelp("The configuration file to restore to (default: that of the profile).", valueName: "file"),
        completion: .file()
    )
    var config: String?

    @OptionGroup var options: Options

    func validate() throws {
        guard !force else {
            throw ValidationError(
                say("A restore never replaces anything. Restore into another profile, or move the data folder away.")
            )
        }
    }

    func run() async throws {
        try await ErrorOutput.reporting(json: options.json) {
            try InstalledPrograms.becomeDaemon(
                ["restore"] + options.words + (passphraseFd.map { ["--secret-fd", "\($0)"] } ?? [])
                    + (config.map { ["--config", $0] } ?? []) + ["--", file.argument]
            )
        }
    }
}
