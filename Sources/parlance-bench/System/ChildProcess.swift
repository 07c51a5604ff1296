import Foundation

/// A program started by a measurement: directly, because a library's ways of starting and waiting take milliseconds.
final class ChildProcess {
    let pid: pid_t
    private let program: String
    private var code: Int32?

    /// Starts a program with empty input, in its own process group: an interrupt at the terminal reaches only the
    /// bench, which then stops everything in order.
    ///
    /// - Parameters:
    ///   - command: the program, found in PATH if it is only a name, and its arguments.
    ///   - output: the file to which its standard output is appended.
    ///   - errors: the file to which its standard error is appended; the bench's standard error if `nil`.
    ///   - environment: its whole environment; the bench's environment if `nil`.
    ///   - input: the file that it reads as standard input.
    init(
        _ command: [String],
        output: String,
        errors: String? = nil,
        environment: [String: String]? = nil,
        input: String = "/dev/null"
    ) throws {
        program = command[0]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY | O_NOCTTY, 0)
        posix_spawn_file_actions_addopen(
            &actions,
            STDOUT_FILENO,
            output,
            O_WRONLY | O_CREAT | O_APPEND | O_NOCTTY,
            0o600
        )
        if let errors {
            posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, errors, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // Block no signal: the child would inherit the mask of the calling thread.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var none = sigset_t()
        sigemptyset(&none)
        posix_spawnattr_setsigmask(&attributes, &none)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP))
        let arguments = command.map { strdup($0) }
        let variables = (environment ?? ProcessInfo.processInfo.environment).map { strdup("\($0)=\($1)") }
        defer { for text in arguments + variables { free(text) } }
        var pid: pid_t = 0
        let failure = posix_spawnp(&pid, program, &actions, &attributes, arguments + [nil], variables + [nil])
        guard failure == 0 else {
            throw BenchError("\(program) cannot be started: \(String(cString: strerror(failure)))")
        }
        self.pid = pid
        Interruption.started(pid)
    }

    /// Waits for its end.
    ///
    /// - Returns: the exit code, or 128 plus the signal that ended it.
    @discardableResult
    func wait() -> Int32 {
        if let code { return code }
        var status: Int32 = 0
        while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
        return ended(status)
    }

    /// Waits up to some seconds for its end.
    ///
    /// - Returns: the exit code, or `nil` if it still runs.
    func wait(seconds: Int, meanwhile: () -> Void = {}) -> Int32? {
        let began = ContinuousClock.now
        while isRunning {
            guard began.duration(to: .now) < .seconds(seconds) else { return nil }
            poll(nil, 0, 5)
            meanwhile()
        }
        return wait()
    }

    /// Whether it has not ended.
    var isRunning: Bool {
        guard code == nil else { return false }
        var status: Int32 = 0
        guard waitpid(pid, &status, WNOHANG) == pid else { return true }
        _ = ended(status)
        return false
    }

    private func ended(_ status: Int32) -> Int32 {
        let signal = status & 0x7F
        let code = signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        self.code = code
        Interruption.ended(pid)
        return code
    }

    /// Asks it to end and waits; kills it after 10 s.
    ///
    /// - Returns: the exit code.
    @discardableResult
    func stop() -> Int32 {
        guard isRunning else { return wait() }
        kill(pid, SIGTERM)
        if let code = wait(seconds: 10) { return code }
        kill(pid, SIGKILL)
        return wait()
    }
}
