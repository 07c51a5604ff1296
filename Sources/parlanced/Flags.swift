import ArgumentParser
import ParlanceControl
import ParlanceDaemon
import ParlanceWords

/// The options of the daemon.
struct Flags: ParsableArguments {
    @Option(help: "The name to announce to peers (default: the stored one, at first your login name).")
    var name: String?

    @Option(
        help: """
            The port for links from peers; if it is taken, the first free one of 4747 to 4762, else any (default: 4747).
            """
    )
    var port: Int?

    @Option(
        help: ArgumentHelp("A numeric address to take links at; may be repeated (default: all).", valueName: "address")
    )
    var listen: [String] = []

    @Option(
        help: ArgumentHelp(
            "The port of the local page; taken if it is free, else any; or off (default: 7673).",
            valueName: "port"
        )
    )
    var pagePort: String?

    @Option(
        help: ArgumentHelp(
            "The port of a model server here that is offered to people you know, or off (default: off).",
            valueName: "port"
        )
    )
    var modelPort: String?

    @Option(help: ArgumentHelp("A peer's address to dial without mDNS; may be repeated.", valueName: "host:port"))
    var peer: [String] = []

    @Option(help: "Who speaks mDNS: auto, system, embedded or off (default: auto).")
    var mdns: String?

    @Option(
        help: ArgumentHelp(
            "The only interface to speak mDNS on; may be repeated (default: all).",
            valueName: "interface"
        )
    )
    var mdnsInterface: [String] = []

    @Flag(help: "Announce nothing of your peer ID.")
    var hidden = false

    @Option(
        help: ArgumentHelp(
            "Who is accepted without being asked: workspace (its members) or nobody (default: workspace).",
            valueName: "who"
        )
    )
    var autoAccept: String?

    @Option(
        help: ArgumentHelp(
            "Of what the desktop notifies you: none, mention, direct or all (default: direct).",
            valueName: "what"
        )
    )
    var notify: String?

    @Option(
        help: ArgumentHelp(
            "When the desktop never notifies you, such as 22:00-07:00, or none (default: none).",
            valueName: "hours"
        )
    )
    var quietHours: String?

    @Option(
        help: ArgumentHelp(
            "The largest file that is fetched without being asked for, or off (default: 10 MiB).",
            valueName: "size"
        )
    )
    var autoFetch: String?

    @Option(help: ArgumentHelp("The largest file that is sent or fetched (default: 4 GiB).", valueName: "size"))
    var fileLimit: String?

    @Option(help: ArgumentHelp("How much room all files take, or off (default: 20 GiB).", valueName: "size"))
    var fileQuota: String?

    @Option(
        help: ArgumentHelp(
            "The most bytes of files to send in a second, and to fetch: 2 MiB, \"2 MiB 8:00-18:00\", or off (default: off).",
            valueName: "rate"
        )
    )
    var fileRate: String?

    @Option(
        help: ArgumentHelp(
            "The most bytes of messages of one person in one conversation and day, or off (default: 200 MiB).",
            valueName: "size"
        )
    )
    var messageQuota: String?

    @OptionGroup var places: Places

    @Option(help: "How much to log: trace, debug, info, notice, warning, error or critical (default: info).")
    var logLevel: String?

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of your identity from this open file descriptor.",
            valueName: "number"
        ),
        transform: InheritedDescriptor.parse
    )
    var passphraseFd: Int32?

    @Flag(name: .customLong("init"), help: "Make a new identity and stop.")
    var makesIdentity = false

    @Flag(name: .customLong("passphrase"), help: "With --init: put it under a passphrase, which is asked for.")
    var isProtected = false

    func validate() throws {
        guard !isProtected || makesIdentity else {
            throw ValidationError(
                say("--passphrase goes with --init. For the identity you have: parlance passphrase set")
            )
        }
    }

    func daemon() throws -> Daemon {
        try Daemon.prepare(
            given,
            configuration: places.config,
            profile: places.profile,
            dataDirectory: places.dataDir,
            socket: places.socket,
            passphraseDescriptor: passphraseFd,
            environment: ProgramEnvironment.all
        )
    }

    /// What was given of the settings.
    private var given: FlagValues {
        var given = FlagValues()
        given.set(.name, name)
        given.set(.port, port)
        given.set(.pagePort, pagePort)
        given.set(.listen, listen)
        given.set(.modelPort, modelPort)
        given.set(.peers, peer)
        given.set(.mdns, mdns)
        given.set(.mdnsInterfaces, mdnsInterface)
        given.set(.hidden, hidden)
        given.set(.autoAccept, autoAccept)
        given.set(.notify, notify)
        given.set(.quietHours, quietHours)
        given.set(.autoFetch, autoFetch)
        given.set(.fileLimit, fileLimit)
        given.set(.fileQuota, fileQuota)
        given.set(.fileRate, fileRate)
        given.set(.messageQuota, messageQuota)
        given.set(.logLevel, logLevel)
        return given
    }
}
