import Foundation

/// The computer that the daemon runs on.
enum Machine {
    /// The identifier of this machine's hardware or installation, stable across boots; `nil` if there is none.
    static func id() -> String? {
        #if canImport(Darwin)
        var bytes = [UInt8](repeating: 0, count: 16)
        var limit = timespec(tv_sec: 1, tv_nsec: 0)
        guard gethostuuid(&bytes, &limit) == 0 else { return nil }
        return bytes.map { String($0, radix: 16) }.joined(separator: "-")
        #else
        // machine-id(5) names the first path. Some systems have only the second, the older one of D-Bus.
        for path in ["/etc/machine-id", "/var/lib/dbus/machine-id"] {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
            let id = text.trimmingCharacters(in: .whitespacesAndNewlines)
            if id.utf8.count == 32 { return id }
        }
        return nil
        #endif
    }
}
