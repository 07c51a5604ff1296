import CParlanceSystem
import Dispatch
import Glibc

/// A program that runs in a process group of its own, with a file in memory as standard input.
///
/// Nothing waits for it: what it writes and its end come as they happen. Everything happens on the queue that it is given.
final class ChildProcess: @unchecked Sendable {
    struct Plan: Sendable {
        var path: String
        /// After the name of the program.
        var arguments: [String] = []
        var environment: [EnvironmentVariable]
        var folder: String
        var input: [UInt8] = []
        /// Bytes of what it writes that are kept; the rest is read and thrown away.
        var outputLimit = 0
        /// Whether what it writes is read, and what it leaves behind is killed.
        var isSupervised = true
    }

    struct End: Equatable, Sendable {
        /// As waitpid(2) gives it.
        var status: Int32
        var output: [UInt8]
        /// Whether it wrote more than was kept.
        var isCut: Bool

        var code: Int32? { status & 0x7F == 0 ? status >> 8 & 0xFF : nil }
        var signal: Int32 { status & 0x7F }
    }

    struct Refused: Error, Equatable {
        let code: Int32
    }

    /// Bytes that are read of what it writes, and then its output is closed: a program that writes for ever costs no more.
    private static let mostRead = 1 << 20

    let id: pid_t
    private let queue: DispatchQueue
    private let ended: (End) -> Void
    private var output: [UInt8] = []
    private var isCut = false
    private var readBytes = 0
    private let outputLimit: Int
    private let isSupervised: Bool
    private let pipe: Int32
    private var reading: (any DispatchSourceRead)?
    private var watching: (any DispatchSourceRead)?

    /// Starts it, and calls `ended` once.
    init(_ plan: Plan, on queue: DispatchQueue, ended: @escaping (End) -> Void) throws(Refused) {
        let input = try Self.memory(plan.input)
        defer { close(input) }
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw Refused(code: errno) }
        defer { close(ends[1]) }
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
        do throws(Refused) {
            id = try Self.spawn(plan, input: input, output: plan.isSupervised ? ends[1] : nil)
        } catch {
            close(ends[0])
            throw error
        }
        let process = parlance_process_descriptor(id)
        guard process >= 0 else {
            let code = errno
            kill(-id, SIGKILL)
            waitpid(id, nil, 0)
            close(ends[0])
            throw Refused(code: code)
        }
        (pipe, outputLimit, isSupervised, self.ended) = (ends[0], plan.outputLimit, plan.isSupervised, ended)
        self.queue = queue
        let (pipe, watched) = (ends[0], process)
        let reading = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: queue)
        reading.setEventHandler { self.read() }
        reading.setCancelHandler { close(pipe) }
        let watching = DispatchSource.makeReadSource(fileDescriptor: watched, queue: queue)
        watching.setEventHandler { self.end() }
        watching.setCancelHandler { close(watched) }
        (self.reading, self.watching) = (reading, watching)
        reading.activate()
        watching.activate()
    }

    /// Sends a signal to it and to what it has started; nothing once it has ended.
    func signal(_ number: Int32) {
        dispatchPrecondition(condition: .onQueue(queue))
        if watching != nil { kill(-id, number) }
    }

    private func read() {
        dispatchPrecondition(condition: .onQueue(queue))
        guard reading != nil else { return }
        // As much as a pipe holds.
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(pipe, &buffer, buffer.count)
        guard count != 0 else { return stopReading() }
        guard count > 0 else { return }
        let kept = min(count, outputLimit - output.count)
        output += buffer[..<kept]
        if kept < count { isCut = true }
        readBytes += count
        if readBytes >= Self.mostRead { stopReading() }
    }

    private func stopReading() {
        reading?.cancel()
        reading = nil
    }

    private func end() {
        guard let watching else { return }
        // Until it is waited for, its number belongs to nobody else. What it left behind goes with it.
        if isSupervised { kill(-id, SIGKILL) }
        var status: Int32 = 0
        while waitpid(id, &status, 0) < 0, errno == EINTR {}
        read()
        stopReading()
        watching.cancel()
        self.watching = nil
        ended(End(status: status, output: output, isCut: isCut))
    }

    /// A file in memory with these bytes, to be read from the beginning. A pipe would have to be fed.
    private static func memory(_ bytes: [UInt8]) throws(Refused) -> Int32 {
        let file = parlance_memory_file("parlance")
        guard file >= 0 else { throw Refused(code: errno) }
        var done = 0
        while done < bytes.count {
            let count = bytes[done...].withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                let code = errno
                close(file)
                throw Refused(code: code)
            }
            done += count
        }
        lseek(file, 0, SEEK_SET)
        return file
    }

    private static func spawn(_ plan: Plan, input: Int32, output: Int32?) throws(Refused) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, 0)
        for number in [STDOUT_FILENO, STDERR_FILENO] {
            if let output {
                posix_spawn_file_actions_adddup2(&actions, output, number)
            } else {
                posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_WRONLY, 0)
            }
        }
        parlance_spawn_apart(&actions, plan.folder)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        )
        let words = ([plan.path] + plan.arguments).map { strdup($0) } + [nil]
        let variables = plan.environment.map { strdup(($0.bytes + [0]).map(CChar.init(bitPattern:))) } + [nil]
        defer { for text in words + variables { free(text) } }
        var id: pid_t = 0
        let code = posix_spawn(&id, plan.path, &actions, &attributes, words, variables)
        guard code == 0 else { throw Refused(code: code) }
        return id
    }
}
