import ArgumentParser
import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// `parlance passphrase`
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Protect your identity on disk with a passphrase.",
        discussion: """
            Somebody who has your disk but not the passphrase cannot write in your name. The daemon asks for the \
            passphrase at each start. It does not hide messages: for that, encrypt the disk. A forgotten passphrase \
            cannot be recovered.

            The disk may keep the old, unprotected file. 'parlanced --init --passphrase' creates an identity that is \
            never stored unprotected.
            """,
        subcommands: [PassphraseSetCommand.self, PassphraseRemoveCommand.self]
    )
}

/// `parlance passphrase set`
struct PassphraseSetCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set or change the passphrase.",
        discussion: """
            The command asks on the terminal. If standard input is not a terminal, it reads lines: the present \
            passphrase, if there is one, then the new one. --passphrase-fd reads the same lines from a file descriptor.

            Examples: parlance passphrase set
                      parlance passphrase set --passphrase-fd 3 3< lines.txt
            """
    )

    @OptionGroup var source: PassphraseOptions
    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var input = try PassphraseInput(descriptor: source.passphraseFd)
        let current = try await input.current(session)
        let new = try input.new()
        try await session.show(PassphraseOperation(current: current, new: new)) { _ in
            return [say("Your identity is protected with this passphrase. parlanced asks for it at each start.")]
        }
    }
}

/// `parlance passphrase remove`
struct PassphraseRemoveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove the passphrase from your identity.",
        discussion: "Example: parlance passphrase remove"
    )

    @OptionGroup var source: PassphraseOptions
    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var input = try PassphraseInput(descriptor: source.passphraseFd)
        guard let current = try await input.current(session) else {
            throw ControlFailure(
                code: ErrorCode.invalidValue.rawValue,
                message: "Your identity has no passphrase.",
                advice: "Nothing was changed."
            )
        }
        try await session.show(PassphraseOperation(current: current)) { _ in
            return [say("Your identity has no passphrase any more.")]
        }
    }
}

/// Where the passphrases of an identity are read that are not asked for.
struct PassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the lines with the passphrases from this open file descriptor: the present one, if there is one, first.",
            valueName: "number"
        ),
        transform: InheritedDescriptor.parse
    )
    var passphraseFd: Int32?
}

/// Passphrases typed on the terminal, or given as the lines of standard input or of another file descriptor.
struct PassphraseInput {
    private let descriptor: Int32?
    private var lines: [String]?

    /// - Parameter descriptor: where the lines are read; nil for standard input, or the terminal if that is one.
    /// - Throws: `ControlFailure` if what is read there cannot be passphrases.
    init(descriptor: Int32? = nil) throws {
        self.descriptor = descriptor
        guard descriptor != nil || !Terminal.isInputTerminal else { return }
        let text: String
        switch Terminal.input(descriptor ?? Terminal.standardInputDescriptor, limit: 2 * PassphrasePrompt.longest + 2) {
        case .text(let given): text = given
        case .tooLong: throw Self.failure(Phrase("A passphrase has at most \(PassphrasePrompt.longest) bytes."))
        case .notText: throw Self.failure(Phrase("The passphrase is not valid UTF-8."))
        }
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).reversed()
    }

    /// The current passphrase of the identity; nil if there is none.
    mutating func current(_ session: Session) async throws -> String? {
        let status = try await session.client.call(StatusOperation())
        return status.protected ? try next(Phrase("Passphrase now:")) : nil
    }

    mutating func new() throws -> String {
        let first = try next(Phrase("New passphrase:"))
        guard lines == nil else { return first }
        guard try next(Phrase("New passphrase again:")) == first else {
            throw Self.failure(Phrase("The two passphrases differ."))
        }
        return first
    }

    mutating func next(_ question: Phrase) throws -> String {
        if lines != nil {
            guard let line = lines?.popLast(), !line.isEmpty else {
                throw Self.failure(
                    descriptor.map { Phrase("File descriptor \($0) has no line with a passphrase.") }
                        ?? Phrase("Standard input has no line with a passphrase.")
                )
            }
            return line
        }
        switch PassphrasePrompt.ask(question) {
        case .typed(let typed):
            guard let text = String(validating: typed, as: UTF8.self) else {
                throw Self.failure(Phrase("The passphrase is not valid UTF-8."))
            }
            return text
        case .cancelled: throw Self.failure(Phrase("No passphrase was given."))
        case .noTerminal: throw Self.failure(Phrase("There is no terminal to ask for a passphrase."))
        }
    }

    private static func failure(_ message: Phrase) -> ControlFailure {
        ControlFailure(
            code: ErrorCode.invalidValue.rawValue,
            message: message,
            advice: "Nothing was changed."
        )
    }
}
