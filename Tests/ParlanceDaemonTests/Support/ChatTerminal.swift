import Dispatch
import Foundation
import ParlanceScreenModel
import ParlanceTerminal
import ParlanceWaiting
import Synchronization

/// `parlance chat` on a pseudo-terminal, with a model of its screen.
final class ChatTerminal {
    private let child: Child
    private let lab: Lab
    private let master: Int32
    private let reader: any DispatchSourceRead
    private let shown: Shown
    private var isClosed = false

    /// What the screen shows, which the reader changes.
    private final class Shown: Sendable {
        let screen: Mutex<ScreenModel>

        init(_ screen: ScreenModel) {
            self.screen = Mutex(screen)
        }
    }

    struct NoTerminal: Error {}

    /// A small shell with job control: makes the terminal its controlling one (TIOCSCTTY), runs the program in the
    /// foreground, and ends as that does. It prints the process ID, and `stopped` whenever the program stops; the signal
    /// USR1 brings that to the foreground again.
    private static let runner = """
        use POSIX qw(setsid setpgid tcsetpgrp getpgrp dup2 sigprocmask SIG_SETMASK :sys_wait_h); $| = 1;
        my ($name, $term) = (shift, shift); sigprocmask(SIG_SETMASK, POSIX::SigSet->new());
        if (my $shell = fork) { waitpid($shell, 0); exit($? & 127 ? 128 + ($? & 127) : $? >> 8) }
        setsid(); open(T, '+<', $name) or die; ioctl(T, 0x540E, 0) or die; $SIG{TTOU} = 'IGNORE'; my $id = fork;
        if (!$id) {
            setpgid(0, 0); tcsetpgrp(fileno(T), $$); $SIG{TTOU} = 'DEFAULT'; dup2(fileno(T), $_) for (0, 1);
            ($ENV{TERM}, $ENV{SWIFT_BACKTRACE}) = ($term, 'enable=no'); exec @ARGV
        }
        $SIG{USR1} = sub { tcsetpgrp(fileno(T), $id); kill('CONT', $id) }; print "$id $$\\n";
        while (1) {
            my $found = waitpid($id, WUNTRACED); next if $found < 0 && $!{EINTR};
            if (!WIFSTOPPED(${^CHILD_ERROR_NATIVE})) { exit($? & 127 ? 128 + ($? & 127) : $? >> 8) }
            tcsetpgrp(fileno(T), getpgrp()); print "stopped\\n"
        }
        """

    /// - Parameters:
    ///   - command: the words of the command, where it is another one.
    ///   - runner: the words that run the program, such as `unshare -m`.
    ///   - terminal: its kind, as in the variable TERM.
    init(
        _ node: LabNode,
        _ arguments: [String] = [],
        command: [String] = ["chat"],
        runner: [String] = [],
        terminal: String = "xterm-256color",
        height: Int = 24,
        width: Int = 80
    ) throws {
        let master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of Linux: unlock the other end, and ask for its number.
        var (lock, number): (Int32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw NoTerminal()
        }
        self.master = master
        lab = node.lab
        shown = Shown(ScreenModel(height: height, width: width) { DisplayWidth.of($0) })
        Self.setSize(master, height: height, width: width)
        let program = try Programs.own("parlance").path
        let words =
            ["-e", Self.runner, "/dev/pts/\(number)", terminal] + runner + [program] + command
            + ["--data-dir", node.folder.path]
        child = try node.lab.start(try Programs.system("perl"), words + arguments, name: "chat")
        reader = DispatchSource.makeReadSource(fileDescriptor: master, queue: DispatchQueue(label: "chat terminal"))
        reader.setEventHandler { [shown, reader] in
            var bytes = [UInt8](repeating: 0, count: 16_384)
            let count = read(master, &bytes, bytes.count)
            // EIO: the program has closed its end.
            if count <= 0 { return reader.cancel() }
            shown.screen.withLock { $0.write(bytes[..<count]) }
        }
        reader.resume()
    }

    deinit {
        reader.cancel()
        if !isClosed { close(master) }
    }

    private static func setSize(_ master: Int32, height: Int, width: Int) {
        var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func resize(height: Int, width: Int) {
        let isOther = shown.screen.withLock { screen in
            guard screen.height != height || screen.width != width else { return false }
            screen.resize(height: height, width: width)
            return true
        }
        // The kernel tells the program of another size only.
        guard isOther else { return }
        Self.setSize(master, height: height, width: width)
    }

    func type(_ text: String) { type(bytes: Array(text.utf8)[...]) }

    func type(bytes: ArraySlice<UInt8>) {
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// The window is closed.
    func hangUp() {
        reader.cancel()
        close(master)
        isClosed = true
    }

    var lines: [String] { shown.screen.withLock { $0.lines } }
    var modes: [String] { shown.screen.withLock { $0.modeChanges } }

    func shows(_ text: String, within limit: Duration = .seconds(15)) async throws {
        let last = { self.lines.joined(separator: "\n") + self.child.complained }
        try await eventually("the screen shows \(text)", within: limit, last: last()) {
            lines.contains { $0.contains(text) }
        }
    }

    func ended() async throws -> Int32 {
        let code = try await child.ended()
        lab.reaper.ended(child)
        return code
    }

    /// The process IDs of the program and of its shell.
    private func processes() async throws -> (program: Int32, shell: Int32) {
        try await soon("the program has a process") {
            let words = child.printed.split(separator: "\n").first?.split(separator: " ").compactMap { Int32($0) } ?? []
            return words.count == 2 ? (words[0], words[1]) : nil
        }
    }

    func signal(_ number: Int32) async throws { kill(try await processes().program, number) }

    func foreground() async throws { kill(try await processes().shell, SIGUSR1) }

    /// How often the program was stopped.
    var stops: Int { child.printed.split(separator: "\n").count { $0 == "stopped" } }

    /// The memory of the program, in bytes.
    func memory() async throws -> Int {
        let id = try await processes().program
        let status = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) << 10
    }

    /// Whether the terminal echoes and edits lines, as before the program.
    var isCooked: Bool {
        var state = termios()
        return tcgetattr(master, &state) == 0 && state.c_lflag & UInt32(ECHO | ICANON) == UInt32(ECHO | ICANON)
    }
}
