import CParlanceSystem
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A line on a terminal's standard error that says how far a long command has come; elsewhere nothing is shown.
package struct ProgressLine: Sendable {
    private let isShown: Bool
    private let charset = Charset.of(descriptor: STDERR_FILENO)
    /// When the line was last written, in milliseconds of the monotonic clock.
    private var written: Int64?

    /// Milliseconds between two changes of the line.
    private static let pause: Int64 = 100

    /// - Parameter isWanted: false where the output is for programs.
    package init(isWanted: Bool) {
        isShown = isWanted && isatty(STDERR_FILENO) == 1
    }

    /// Replaces the line, unless it has just been replaced.
    package mutating func show(_ text: @autoclosure () -> String) {
        guard isShown else { return }
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        let now = Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
        if let written, now - written < Self.pause { return }
        written = now
        put("\r\(text())\u{1B}[K")
    }

    /// Removes the line.
    package mutating func clear() {
        if written != nil { put("\r\u{1B}[K") }
        written = nil
    }

    private func put(_ text: String) {
        let bytes = charset.bytes(text)
        _ = write(STDERR_FILENO, bytes, bytes.count)
    }
}
