import ArgumentParser
import ParlanceControl

/// `parlance service ...`
struct ServiceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "service",
        abstract: "Run your node as a service that starts when you log in.",
        discussion: """
            The service is a systemd user service: it belongs to you, needs no root, and sees only what it needs of the \
            machine. Its log: journalctl --user --unit parlanced

            It stops when you log out of the machine. With --linger it runs from boot on, whether you are logged in or not.

            Examples: parlance service install
                      parlance service install --linger
                      parlance service status
            """,
        subcommands: [
            ServiceInstallCommand.self, ServiceRemoveCommand.self, ServiceStatusCommand.self, ServiceUnitCommand.self,
        ]
    )
}

/// What the commands about the service take.
struct ServiceOptions: ParsableArguments {
    @Flag(help: "Print JSON, one value per line.")
    var json = false

    @Option(help: ArgumentHelp("The service of the node with this profile.", valueName: "name"))
    var profile: String?

    /// The unit of this profile; throws if the profile's name is bad.
    func unit(program: String) throws -> ServiceUnit {
        if let profile { try ControlPaths.check(profile: profile) }
        return ServiceUnit(program: program, profile: profile)
    }
}

/// A command about the service.
protocol ServiceOperation: AsyncParsableCommand {
    var service: ServiceOptions { get }

    func run(_ manager: UserManager, _ unit: ServiceUnit) throws
}

extension ServiceOperation {
    func run() async throws {
        try await ErrorOutput.reporting(json: service.json) {
            try run(
                try UserManager(profile: service.profile),
                try service.unit(program: try InstalledPrograms.daemon())
            )
        }
    }

    /// Shows what holds now: as JSON if that was asked for, else in words.
    func show(_ report: ServiceReport) throws {
        Terminal.standardOutput.write(
            service.json ? [JSONWriter.text(try JSONValueEncoder.encode(report))] : report.lines
        )
    }
}
