import Foundation

/// A terminal without a window: what a program writes to it is read here, and what is typed here it reads.
final class PseudoTerminal {
    private let master: Int32
    /// The device that the program opens.
    let path: String
    /// The end of what was read, in which a text may have begun.
    private var tail: [UInt8] = []

    init(height: UInt16, width: UInt16) throws {
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        // TIOCSPTLCK and TIOCGPTN of Linux: unlock the other end, and ask for its number.
        var (lock, number): (Int32, Int32) = (0, 0)
        guard master >= 0, ioctl(master, 0x4004_5431, &lock) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw BenchError("the system gives no terminal")
        }
        path = "/dev/pts/\(number)"
        var size = winsize(ws_row: height, ws_col: width, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        close(master)
    }

    func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = bytes.withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Reads until the program has written a text.
    ///
    /// - Returns: the moment at which it came; nil if it did not within that time.
    func wait(for text: String, milliseconds: Int) -> ContinuousClock.Instant? {
        let wanted = Array(text.utf8)
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end {
            guard let bytes = read(until: end) else { continue }
            let all = tail + bytes
            tail = Array(all.suffix(wanted.count - 1))
            if all.indices.contains(where: { all[$0...].starts(with: wanted) }) { return .now }
        }
        return nil
    }

    /// Reads and forgets for so long.
    func drain(milliseconds: Int) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        while ContinuousClock.now < end { _ = read(until: end) }
        tail = []
    }

    private func read(until end: ContinuousClock.Instant) -> [UInt8]? {
        var waiting = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, Int32(max(1, (end - .now).milliseconds))) > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Foundation.read(master, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }
}
