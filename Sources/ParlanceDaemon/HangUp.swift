#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What SIGHUP means to this process.
enum HangUp {
    /// Whether it says that the terminal was closed: the process has a controlling terminal, and its parent, such as
    /// nohup, did not make it ignore the signal. Call it before the signal is trapped.
    static func isOfTerminal() -> Bool {
        let before = signal(SIGHUP, SIG_IGN)
        signal(SIGHUP, before)
        let isIgnored = unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        let terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC)
        guard terminal >= 0 else { return false }
        close(terminal)
        return !isIgnored
    }
}
