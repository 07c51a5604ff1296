import Foundation

/// Values that `/proc` reports about a process.
enum ProcessFiles {
    /// Its resident memory in megabytes; `nil` where the system does not report it.
    static func residentMegabytes(_ process: pid_t) -> Double? {
        number(in: "/proc/\(process)/status", after: "VmRSS:").map { $0 / 1024 }
    }

    /// Its greatest resident memory so far, in megabytes; `nil` where the system does not report it.
    static func peakMegabytes(_ process: pid_t) -> Double? {
        number(in: "/proc/\(process)/status", after: "VmHWM:").map { $0 / 1024 }
    }

    /// The bytes sent over loopback so far.
    static func loopbackBytes() -> Double? { number(in: "/proc/net/dev", after: "lo:") }

    /// The first number in the line that begins with a name.
    static func number(in path: String, after name: String) -> Double? {
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
        for line in text.split(separator: "\n") {
            let line = line.drop(while: \.isWhitespace)
            guard line.hasPrefix(name) else { continue }
            return line.dropFirst(name.count).split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
        }
        return nil
    }
}
