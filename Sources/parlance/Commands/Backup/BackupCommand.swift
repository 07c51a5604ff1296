import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance backup FILE`
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write a backup of your node to one file while it runs.",
        discussion: """
            The file has your identity, your messages and your settings, as they are at this moment. Only you can read it where files have permissions, \
            it appears when it is complete, and an existing file stays unless you add --force. Keep it off this computer. The \
            files that were sent are not in it.

            Whoever gets a backup that is not encrypted can read your messages and write in your name. With --passphrase it \
            is encrypted; a forgotten passphrase cannot be recovered.

            Texts that are deleted later stay in the backup. To read or print conversations: parlance export

            Examples: parlance backup /mnt/stick/ada.backup --passphrase
                      parlance backup nightly.backup --force --passphrase-fd 3 3< secret.txt
            """
    )

    @Argument(help: "The file to write.")
    var file: UserPath

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Flag(help: "Encrypt the backup; asks for a passphrase on the terminal.")
    var passphrase = false

    @Option(
        help: ArgumentHelp("Encrypt it; read the passphrase from this open file descriptor.", valueName: "number"),
        transform: InheritedDescriptor.parse
    )
    var passphraseFd: Int32?

    @OptionGroup var options: Options

    func run() async throws {
        try await ErrorOutput.reporting(json: options.json) {
            try InstalledPrograms.becomeDaemon(
                ["backup"] + options.words + options.userWords + (force ? ["--force"] : [])
                    + (passphrase ? ["--encrypt"] : [])
                    + (passphraseFd.map { ["--secret-fd", "\($0)"] } ?? []) + ["--", file.argument]
            )
        }
    }
}
