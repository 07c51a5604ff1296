import ArgumentParser
import ParlanceControl

/// `parlance passphrase`
struct PassphraseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "passphrase",
        abstract: "Protect your identity on disk by a passphrase.",
        discussion: """
            With one, whoever has your disk but not the passphrase cannot speak in your name. The daemon asks for it at each \
            start. It does not hide messages: for that, encrypt the disk. There is no way back to a forgotten one.

            A disk may keep what the file held before. An identity that never lay in the clear is made by \
            'parlanced --init --passphrase'.
            """,
        subcommands: [PassphraseSetCommand.self, PassphraseRemoveCommand.self]
    )
}

/// `parlance passphrase set`
struct PassphraseSetCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a passphrase, or another one.",
        discussion: """
            It is asked for on the terminal. Where standard input is no terminal, its lines are taken: the passphrase that \
            is there now, if there is one, then the new one.

            Example: parlance passphrase set
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var input = PassphraseInput()
        let current = try await input.current(session)
        let new = try input.new()
        try await session.show(PassphraseOperation(current: current, new: new)) { _ in
            return ["Your identity is under this passphrase from now on; parlanced asks for it at each start."]
        }
    }
}

/// `parlance passphrase remove`
struct PassphraseRemoveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Keep your identity without a passphrase.",
        discussion: "Example: parlance passphrase remove"
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var input = PassphraseInput()
        guard let current = try await input.current(session) else {
            throw ControlFailure(
                code: ControlError.Code.invalidValue.rawValue,
                message: "Your identity is under no passphrase.",
                advice: "Nothing was changed."
            )
        }
        try await session.show(PassphraseOperation(current: current)) { _ in
            return ["Your identity is under no passphrase any more."]
        }
    }
}

/// Passphrases typed on the terminal, or given as the lines of standard input.
struct PassphraseInput {
    private var lines: [String]?

    init() {
        guard !Terminal.isInputTerminal else { return }
        let text = Terminal.standardInput(limit: 2 * PassphrasePrompt.longest + 2) ?? ""
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init).reversed()
    }

    /// The current passphrase of the identity; nil if there is none.
    mutating func current(_ session: Session) async throws -> String? {
        let status = try await session.client.call(StatusOperation())
        return status.protected ? try next("Passphrase now:") : nil
    }

    mutating func new() throws -> String {
        let first = try next("New passphrase:")
        guard lines == nil else { return first }
        guard try next("The same again:") == first else {
            throw Self.failure("The two are not the same.")
        }
        return first
    }

    mutating func next(_ question: String) throws -> String {
        if lines != nil {
            guard let line = lines?.popLast(), !line.isEmpty else {
                throw Self.failure("A line with a passphrase is missing on standard input.")
            }
            return line
        }
        switch PassphrasePrompt.ask(question) {
        case .typed(let typed):
            guard let text = String(validating: typed, as: UTF8.self) else {
                throw Self.failure("What was typed is not UTF-8 text.")
            }
            return text
        case .cancelled: throw Self.failure("No passphrase was given.")
        case .noTerminal: throw Self.failure("There is no terminal to ask for a passphrase.")
        }
    }

    private static func failure(_ message: String) -> ControlFailure {
        ControlFailure(
            code: ControlError.Code.invalidValue.rawValue,
            message: message,
            advice: "Nothing was changed."
        )
    }
}
