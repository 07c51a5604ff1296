import ParlanceControl
import ParlanceWords
import SystemPackage

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// Standard output or standard error: a terminal, or a pipe or file.
struct Terminal: Sendable {
    private let descriptor: Int32
    private let isTerminal: Bool
    let style: TextStyle
    /// What is written for people on a terminal; files, pipes and JSON are UTF-8.
    private let charset: Charset

    static let standardOutput = Terminal(descriptor: STDOUT_FILENO)
    static let standardError = Terminal(descriptor: STDERR_FILENO)

    /// The environment of the process.
    static var environment: [String: String] { ProgramEnvironment.all }

    /// Whether this command was asked for JSON.
    static let writesJSON = CommandWords(ProgramArguments.words).wantsJSON

    private init(descriptor: Int32) {
        self.descriptor = descriptor
        isTerminal = isatty(descriptor) == 1
        style = TextStyle(isTerminal: isTerminal, environment: Self.environment)
        charset = Self.writesJSON ? .utf8 : .of(descriptor: descriptor)
    }

    /// Whether standard input is a terminal.
    static var isInputTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether standard output is one.
    static var isOutputTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is one.
    static var isErrorTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// The width of a terminal in columns; nil in a pipe, where nothing is cut.
    var width: Int? {
        guard isTerminal else { return nil }
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return Self.usualWidth }
        return max(40, Int(size.ws_col))
    }

    /// The columns of a terminal that does not tell them, as on a serial line.
    private static let usualWidth = 80

    /// The size of a terminal in columns and pixels; nil if it does not tell its pixels.
    var window: PictureDrawing.Window? {
        var size = winsize()
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_xpixel > 0 else { return nil }
        return PictureDrawing.Window(
            columns: Int(size.ws_col),
            rows: Int(size.ws_row),
            width: Int(size.ws_xpixel),
            height: Int(size.ws_ypixel)
        )
    }

    /// Writes lines at once.
    func write(_ lines: [String]) {
        if !lines.isEmpty { put(lines.joined(separator: "\n") + "\n") }
    }

    /// Writes a text at once, which may be a part of a line. Notes and errors that cannot be written are dropped: there is
    /// no other place for them.
    func put(_ text: String) {
        let isOutput = descriptor == STDOUT_FILENO
        guard !isOutput || !Self.hasLostOutput else { return }
        var bytes = charset.bytes(text)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Self.systemWrite(descriptor, $0) }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&wanted, 1, -1)
            } else if errno != EINTR {
                if isOutput { Self.loseOutput(.current) }
                return
            }
        }
    }

    static func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress, bytes.count)
        #else
        Darwin.write(descriptor, bytes.baseAddress, bytes.count)
        #endif
    }

    /// One line that somebody has typed on a terminal, empty if the input has ended; nil if it is not UTF-8.
    static func typedLine() -> String? {
        var piece = [UInt8](repeating: 0, count: 4_096)
        var count = read(STDIN_FILENO, &piece, piece.count)
        while count < 0, errno == EINTR { count = read(STDIN_FILENO, &piece, piece.count) }
        let bytes = piece.prefix(max(0, count)).prefix { $0 != UInt8(ascii: "\n") }
        return String(validating: bytes, as: UTF8.self)
    }

    /// What standard input contained.
    enum Input {
        case text(String)
        /// More bytes than the limit: their number, or at least as many if they did not end.
        case tooLong(bytes: Int, isAll: Bool)
        /// Bytes that are not UTF-8.
        case notText([UInt8])
    }

    /// How many times the limit is read to tell how long the input is, which may not end at all.
    private static let countedLimits = 64

    /// All of standard input, without the line feed at its end.
    ///
    /// Bytes far over `limit` are counted for a while and not kept.
    static func standardInput(limit: Int) -> Input { input(standardInputDescriptor, limit: limit) }

    static let standardInputDescriptor = STDIN_FILENO

    /// The same of another file descriptor.
    static func input(_ descriptor: Int32, limit: Int) -> Input {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        var hasEnded = false
        while !hasEnded, total <= Self.countedLimits * limit {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            hasEnded = count <= 0
            guard !hasEnded else { break }
            total += count
            if bytes.count <= limit + 2 { bytes += piece[..<count] }
        }
        if bytes.count == total {
            if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
            total = bytes.count
        }
        if total > limit { return .tooLong(bytes: total, isAll: hasEnded) }
        return String(validating: bytes, as: UTF8.self).map { .text($0) } ?? .notText(bytes)
    }
}
