import CTerminal
import ParlanceControl
import ParlanceTerminal
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The terminal as a full-screen program uses it: raw keys, the other screen, its size.
struct TerminalDevice: Sendable {
    let descriptor: Int32
    let isColoured: Bool
    let charset: Charset

    /// Opens the terminal; throws if there is none on which a picture can be drawn.
    static func open(environment: [String: String]) throws(ControlFailure) -> TerminalDevice {
        guard isThere, canDraw(environment) else { throw .noTerminal }
        let descriptor = parlance_terminal_open()
        let leave = ScreenWriter.leave
        guard descriptor >= 0, parlance_terminal_guard(descriptor, leave, leave.utf8.count) == 0 else {
            throw .noTerminal
        }
        let isUnwanted = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return TerminalDevice(
            descriptor: descriptor,
            isColoured: !isUnwanted && !(environment["TERM"] ?? "").hasPrefix("vt"),
            charset: Charset { environment[$0] }
        )
    }

    /// What is typed where nothing is drawn.
    static let standardInput = STDIN_FILENO

    private static var isThere: Bool { Terminal.isInputTerminal && Terminal.isOutputTerminal }

    private static func canDraw(_ environment: [String: String]) -> Bool {
        !["", "dumb", "unknown"].contains(environment["TERM"] ?? "")
    }

    /// Whether somebody is at a terminal on which no picture can be drawn.
    static func isPlain(_ environment: [String: String]) -> Bool { isThere && !canDraw(environment) }

    /// - Parameter again: whether it was entered and not left: what the program had to undo stays as it was noted then.
    func enter(again: Bool = false) {
        _ = parlance_terminal_enter()
        _ = write(Array(((again ? "" : ScreenWriter.save) + ScreenWriter.enter).utf8))
    }

    func leave() {
        parlance_terminal_leave()
    }

    /// The size in cells.
    var size: (height: Int, width: Int) {
        var (rows, columns): (Int32, Int32) = (24, 80)
        _ = parlance_terminal_size(descriptor, &rows, &columns)
        return (Int(rows), Int(columns))
    }

    /// Milliseconds to wait for a terminal that takes no bytes.
    private static let patience: Int32 = 3000

    /// Writes all bytes; false if the terminal is gone or takes none.
    func write(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Terminal.systemWrite(descriptor, $0) }
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                guard parlance_terminal_writable(descriptor, Self.patience) != 0 else { return false }
            } else if errno != EINTR {
                return false
            }
        }
        return true
    }

    /// Whether the other end is closed. Bytes that it has written may still be there.
    static func isHungUp(_ descriptor: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLHUP) != 0
    }

    /// What was typed; nil once the terminal is gone.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 16_384)
        let count = systemRead(descriptor, &bytes, bytes.count)
        if count > 0 { return Array(bytes[..<count]) }
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil
    }

    private static func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
        #if canImport(Glibc)
        Glibc.read(descriptor, bytes, count)
        #else
        Darwin.read(descriptor, bytes, count)
        #endif
    }
}

extension ControlFailure {
    /// There is no terminal for a picture.
    fileprivate static let noTerminal = ControlFailure(
        code: "noTerminal",
        message: "The chat screen needs a terminal.",
        advice: """
            For lines instead of a screen: parlance chat --plain. Scripts use 'parlance watch' and 'parlance send'.
            """
    )
}
