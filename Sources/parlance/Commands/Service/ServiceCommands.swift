import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance service install [--linger]`
struct ServiceInstallCommand: ServiceOperation {
    static let configuration = CommandConfiguration(
        commandName: "install",
        abstract: "Install the service, start it, and let it start when you log in.",
        discussion: """
            If a package brought the service, it is enabled; otherwise it is written to ~/.config/systemd/user. Doing it \
            again changes nothing that is right.

            Example: parlance service install --linger
            """
    )

    @Flag(help: "Let it run from boot on, also while you are not logged in.")
    var linger = false

    @OptionGroup var service: ServiceOptions

    func run(_ manager: UserManager, _ unit: ServiceUnit) throws {
        let folders = try ServiceFolders()
        try folders.make()
        let known = try manager.unit(unit.name)
        // A unit that a package brought is taken as it is; one of ours is written anew, since the program may have moved.
        if known.file == nil || known.file == folders.unitFile(unit) {
            try folders.write(unit)
            try manager.systemctl("daemon-reload")
        }
        if linger, manager.lingers != true { try manager.linger() }
        try manager.systemctl("enable --now \(unit.name)")
        try show(ServiceReport(manager, unit))
    }
}

/// `parlance service remove`
struct ServiceRemoveCommand: ServiceOperation {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Stop the service, and let it not start again.",
        discussion: """
            Your identity and your messages stay: 'parlance service install' or 'parlanced' goes on with them.

            Example: parlance service remove
            """
    )

    @OptionGroup var service: ServiceOptions

    func run(_ manager: UserManager, _ unit: ServiceUnit) throws {
        if try manager.unit(unit.name).file != nil {
            try manager.systemctl("disable --now \(unit.name)")
        }
        if try ServiceFolders().remove(unit) { try manager.systemctl("daemon-reload") }
        let report = try ServiceReport(manager, unit)
        guard !service.json else { return try show(report) }
        Terminal.standardOutput.write([
            say("The service is stopped and does not start again. Your identity and your messages stay.")
        ])
    }
}

/// `parlance service status`
struct ServiceStatusCommand: ServiceOperation {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show whether the service runs, and when it starts.",
        discussion: "Example: parlance service status"
    )

    @OptionGroup var service: ServiceOptions

    func run(_ manager: UserManager, _ unit: ServiceUnit) throws {
        try show(ServiceReport(manager, unit))
    }
}

/// `parlance service unit`
struct ServiceUnitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unit",
        abstract: "Print the systemd unit, for those who install it themselves.",
        discussion: "Example: parlance service unit > ~/.config/systemd/user/parlanced.service"
    )

    @Option(
        help: ArgumentHelp("The full path of parlanced (default: the one beside this program).", valueName: "path"),
        completion: .file()
    )
    var program: String?

    @Option(help: ArgumentHelp("The service of the node with this profile.", valueName: "name"))
    var profile: String?

    func run() async throws {
        try await ErrorOutput.reporting(json: false) {
            Terminal.endWithOutput()
            if let profile { try ControlPaths.check(profile: profile) }
            let unit = ServiceUnit(program: try program ?? InstalledPrograms.daemon(), profile: profile)
            Terminal.standardOutput.write(
                unit.text().split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
            )
        }
    }
}
