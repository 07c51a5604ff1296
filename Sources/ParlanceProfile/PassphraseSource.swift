import Foundation
import ParlanceControl
import ParlanceErrorCode
package import ParlanceSodium
package import ParlanceWords

/// Where the daemon reads the passphrase of its identity: never from an argument or an environment variable.
package enum PassphraseSource: Sendable, Equatable {
    /// An open file descriptor, read to its end.
    case descriptor(Int32)
    /// A file that the service manager provides to this service alone (systemd's `LoadCredential`).
    case credential(String)
    case terminal

    /// The name of the systemd credential.
    static let credentialName = "parlance-passphrase"

    /// Chooses the descriptor if one was given, else the credential if it exists, else the terminal.
    package init(descriptor: Int32?, environment: [String: String]) {
        let credential = environment["CREDENTIALS_DIRECTORY"].map { $0 + "/" + Self.credentialName }
        if let descriptor {
            self = .descriptor(descriptor)
        } else if let credential, FileManager.default.fileExists(atPath: credential) {
            self = .credential(credential)
        } else {
            self = .terminal
        }
    }

    /// Attempts on the terminal in one start.
    private static let tries = 3

    /// Returns a function that asks for the passphrase. The function returns `nil` when no attempts are left.
    func asker() -> (_ isAgain: Bool) throws(DaemonError) -> SecretBytes? {
        var tries = self == .terminal ? Self.tries : 1
        return { (isAgain: Bool) throws(DaemonError) -> SecretBytes? in
            guard tries > 0 else { return nil }
            tries -= 1
            return try self.ask(
                isAgain ? Phrase("That is not it. Passphrase:") : Phrase("Passphrase of your identity:")
            )
        }
    }

    /// Asks for a new passphrase, on a terminal twice.
    ///
    /// - Parameter without: thrown if there is no terminal.
    package func new(
        _ question: Phrase = Phrase("New passphrase:"),
        again: Phrase = Phrase("New passphrase again:"),
        without: DaemonError = .noTerminalForIdentity
    ) throws(DaemonError) -> SecretBytes {
        let first = try ask(question, without: without)
        if let fault = first.withBytes({ PassphrasePrompt.fault([UInt8]($0)) }) {
            throw DaemonError(
                .invalidValue,
                fault,
                advice: "Nothing was changed. Several words that nobody would guess are good."
            )
        }
        guard self == .terminal else { return first }
        let second = try ask(again, without: without)
        let isSame = first.withBytes { one in second.withBytes { constantTimeEqual([UInt8](one), [UInt8]($0)) } }
        guard isSame else {
            throw DaemonError(.invalidValue, "The two passphrases differ.", advice: "Nothing was changed. Try again.")
        }
        return first
    }

    /// Asks once.
    ///
    /// - Parameter without: thrown if there is no terminal.
    package func ask(
        _ question: Phrase,
        without: DaemonError = .noTerminalForIdentity
    ) throws(DaemonError) -> SecretBytes {
        switch self {
        case .descriptor(let descriptor): return try Self.read(descriptor, Phrase("file descriptor \(descriptor)"))
        case .credential(let path):
            let file = open(path, O_RDONLY | O_CLOEXEC)
            defer { if file >= 0 { close(file) } }
            return try Self.read(file, Phrase(verbatim: path))
        case .terminal:
            switch PassphrasePrompt.ask(question) {
            case .typed(var typed):
                defer { wipe(&typed) }
                return SecretBytes(copying: typed)
            case .cancelled: throw DaemonError("No passphrase was given.", advice: "")
            case .noTerminal: throw without
            }
        }
    }

    /// Reads to the end; a trailing line feed is not part of the passphrase.
    private static func read(_ file: Int32, _ name: Phrase) throws(DaemonError) -> SecretBytes {
        var bytes = [UInt8](repeating: 0, count: PassphrasePrompt.longest + 2)
        defer { wipe(&bytes) }
        var used = 0
        while used < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                Foundation.read(file, buffer.baseAddress?.advanced(by: used), buffer.count - used)
            }
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else {
                throw DaemonError(
                    "The passphrase cannot be read from \(name): \(String(cString: strerror(errno))).",
                    advice: "See that it is open for reading."
                )
            }
            if count == 0 { break }
            used += count
        }
        if used > 0, bytes[used - 1] == UInt8(ascii: "\n") { used -= 1 }
        guard used <= PassphrasePrompt.longest else {
            throw DaemonError(
                "The passphrase in \(name) is longer than \(PassphrasePrompt.longest) bytes.",
                advice: "Give a shorter one."
            )
        }
        return SecretBytes(count: used) { secret in
            bytes.withUnsafeBytes { secret.copyMemory(from: .init(rebasing: $0.prefix(used))) }
        }
    }
}

extension DaemonError {
    static let noTerminalForIdentity = DaemonError(
        "There is no terminal to ask for the passphrase of your identity.",
        advice: """
            Run parlanced on a terminal, with --passphrase-fd N, or as a service with the systemd credential \
            \(PassphraseSource.credentialName).
            """
    )
}
