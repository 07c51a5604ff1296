import Foundation

/// The computer the daemon runs on.
enum Machine {
    /// The name that the system gave itself when it was installed, the same after each boot; `nil` where there is none.
    static func id() -> String? {
        #if canImport(Darwin)
        var bytes = [UInt8](repeating: 0, count: 16)
        var limit = timespec(tv_sec: 1, tv_nsec: 0)
        guard gethostuuid(&bytes, &limit) == 0 else { return nil }
        return bytes.map { String($0, radix: 16) }.joined(separator: "-")
        #else
        // As machine-id(5) says; D-Bus had it first, and some systems have only that.
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if id.utf8.count == 32 { return id }
        }
        return nil
        #endif
    }
}
