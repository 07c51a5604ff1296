package import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Asks for a passphrase on the terminal of the process, without echo, even if standard input is redirected.
package enum PassphrasePrompt {
    /// The longest passphrase in bytes; further input is ignored.
    package static let longest = 1024
    /// The shortest new passphrase in bytes.
    package static let shortest = 8

    package enum Answer: Equatable {
        case typed([UInt8])
        /// Interrupted, or ended without a line.
        case cancelled
        /// The process has no terminal.
        case noTerminal
    }

    /// Shows the question and reads one line.
    package static func ask(_ question: Phrase) -> Answer {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return .noTerminal }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return .noTerminal }
        var silent = before
        // Keys arrive one by one and without echo. An interrupt arrives as a key too, so that no signal leaves the
        // terminal without echo.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return .noTerminal }
        defer {
            tcsetattr(terminal, TCSAFLUSH, &before)
            show("\n", on: terminal)
        }
        show(say(question) + " ", on: terminal)
        return line(from: terminal)
    }

    private static func line(from terminal: Int32) -> Answer {
        // Reserve the whole size first, so that growing the array leaves no copy behind.
        var typed: [UInt8] = []
        typed.reserveCapacity(longest)
        var key: UInt8 = 0
        while true {
            let count = read(terminal, &key, 1)
            if count < 0 && errno == EINTR { continue }
            guard count == 1 else { return .cancelled }
            switch key {
            case 0x0A, 0x0D: return .typed(typed)
            case 0x03, 0x04, 0x1C: return .cancelled
            case 0x08, 0x7F:
                // Remove the last character: its continuation bytes and its first byte.
                while let last = typed.popLast(), last & 0xC0 == 0x80 { continue }
            case 0x15: typed.removeAll(keepingCapacity: true)
            default: if typed.count < longest { typed.append(key) }
            }
        }
    }

    private static func show(_ text: String, on terminal: Int32) {
        let bytes = Charset.of(descriptor: terminal).bytes(text)
        _ = write(terminal, bytes, bytes.count)
    }

    /// Why a new passphrase is not acceptable; `nil` if it is.
    package static func fault(_ passphrase: [UInt8]) -> Phrase? {
        guard passphrase.count >= shortest else { return Phrase("A passphrase has at least \(shortest) bytes.") }
        guard passphrase.count <= longest else { return Phrase("A passphrase has at most \(longest) bytes.") }
        guard !passphrase.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return Phrase("A passphrase holds no control characters.")
        }
        return nil
    }
}
