#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Asks for a passphrase on the terminal of the process, without showing it, whatever standard input is.
package enum PassphrasePrompt {
    /// The longest passphrase in bytes; what is typed beyond it is not taken.
    package static let longest = 1024
    /// The shortest that is taken for a new one.
    package static let shortest = 8

    package enum Answer: Equatable {
        case typed([UInt8])
        /// Interrupted, or ended without a line.
        case cancelled
        /// There is nobody to ask.
        case noTerminal
    }

    /// Shows the question and reads one line.
    package static func ask(_ question: String) -> Answer {
        let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard terminal >= 0 else { return .noTerminal }
        defer { close(terminal) }
        var before = termios()
        guard tcgetattr(terminal, &before) == 0 else { return .noTerminal }
        var silent = before
        // Keys come one by one and are not echoed. An interrupt comes as a key too, so that no signal leaves the terminal
        // silent.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard tcsetattr(terminal, TCSAFLUSH, &silent) == 0 else { return .noTerminal }
        defer {
            tcsetattr(terminal, TCSAFLUSH, &before)
            show("\n", on: terminal)
        }
        show(question + " ", on: terminal)
        return line(from: terminal)
    }

    private static func line(from terminal: Int32) -> Answer {
        // Room from the start, so that no copy stays behind where the array grew.
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
                // The last character: its continuation bytes and its first one.
                while let last = typed.popLast(), last & 0xC0 == 0x80 { continue }
            case 0x15: typed.removeAll(keepingCapacity: true)
            default: if typed.count < longest { typed.append(key) }
            }
        }
    }

    private static func show(_ text: String, on terminal: Int32) {
        let bytes = Array(text.utf8)
        _ = write(terminal, bytes, bytes.count)
    }

    /// Why a passphrase cannot be a new one; `nil` if it can.
    package static func fault(_ passphrase: [UInt8]) -> String? {
        guard passphrase.count >= shortest else { return "A passphrase has at least \(shortest) bytes." }
        guard passphrase.count <= longest else { return "A passphrase has at most \(longest) bytes." }
        guard !passphrase.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
            return "A passphrase holds no control characters."
        }
        return nil
    }
}
