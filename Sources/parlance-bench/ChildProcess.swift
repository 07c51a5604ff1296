import Foundation

/// A program started by a measurement: directly, because a library's ways of starting and waiting take milliseconds.
final class ChildProcess {
    private let pid: pid_t
    private var code: Int32?

    /// Starts a program with nothing to read.
    ///
    /// - Parameters:
    ///   - command: the program, found in PATH if it is only a name, and its arguments.
    ///   - log: the file that takes what it prints.
    init(_ command: [String], log: String) throws {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO)
        // With no signal blocked: it would inherit the mask of the calling thread, and those of a pool block all.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let arguments = command.map { strdup($0) }
        let environment = ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") }
        defer { for text in arguments + environment { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawnp(&pid, command[0], &actions, &attributes, arguments + [nil], environment + [nil])
        guard failure == 0 else {
            throw BenchError("\(command[0]) cannot be started: \(String(cString: strerror(failure)))")
        }
        self.pid = pid
    }

    /// Waits for its end; the exit code, or 128 and the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        if let code { return code }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        let ended = Self.code(status)
        code = ended
        return ended
    }

    /// Whether it has not ended.
    var isRunning: Bool {
        guard code == nil else { return false }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return true }
        code = Self.code(status)
        return false
    }

    private static func code(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Asks it to end and waits until it has.
    func stop() {
        guard isRunning else { return }
        kill(pid, SIGTERM)
        wait()
    }

    /// The processor time it has used so far, in seconds; `nil` where the system does not say.
    var processorSeconds: Double? {
        // The name in the second field may hold spaces.
        guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
            let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 12,
            let user = Double(fields[11]), let system = Double(fields[12])
        else { return nil }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// The most memory it has had, in megabytes; `nil` where the system does not say.
    var peakMegabytes: Double? {
        guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) })
        else { return nil }
        return kilobytes / 1024
    }
}
