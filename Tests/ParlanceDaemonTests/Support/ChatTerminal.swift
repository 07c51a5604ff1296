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

    /// What the screen shows, which the reader changes.
    private final class Shown: Sendable {
        let screen: Mutex<ScreenModel>

        init(_ screen: ScreenModel) {
            self.screen = Mutex(screen)
        }
    }

    struct NoTerminal: Error {}

    /// Starts the program with the terminal as its standard input and output.
    private static let runner = """
        open(T, '+<', shift) or die; open(STDIN, '<&T'); open(STDOUT, '>&T'); $ENV{TERM} = 'xterm-256color'; exec @ARGV
        """

    init(_ node: LabNode, _ arguments: [String] = [], height: Int = 24, width: Int = 80) throws {
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
        let words = ["-e", Self.runner, "/dev/pts/\(number)", program, "chat", "--data-dir", node.folder.path]
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
        close(master)
    }

    private static func setSize(_ master: Int32, height: Int, width: Int) {
        var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    func resize(height: Int, width: Int) {
        shown.screen.withLock { $0.resize(height: height, width: width) }
        Self.setSize(master, height: height, width: width)
        // The kernel sends this for a controlling terminal only, which this one is not.
        child.signal(SIGWINCH)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
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

    func signal(_ number: Int32) { child.signal(number) }

    /// Whether the terminal echoes and edits lines, as before the program.
    var isCooked: Bool {
        var state = termios()
        return tcgetattr(master, &state) == 0 && state.c_lflag & UInt32(ECHO | ICANON) == UInt32(ECHO | ICANON)
    }
}
