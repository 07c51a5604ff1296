import Foundation

/// The programs under test, in the folder that `PARLANCE_PROGRAMS` names, or otherwise beside the running test bundle.
enum Programs {
    /// A program that was not found. This is a failure, since a test that is skipped shows nothing.
    struct Missing: Error, CustomStringConvertible {
        let path: String

        var description: String {
            "There is no program \(path). Build it first with \"swift build\", or name the folder of the programs in "
                + "PARLANCE_PROGRAMS."
        }
    }

    static let folder: URL = {
        if let given = ProcessInfo.processInfo.environment["PARLANCE_PROGRAMS"] {
            return URL(fileURLWithPath: given, isDirectory: true)
        }
        let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        return bundle.deletingLastPathComponent()
    }()

    /// A program of ours: `parlance`, `parlanced` or `parlance-bench`.
    static func own(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else { throw Missing(path: url.path) }
        return url
    }

    /// A program of the system, such as `ip`.
    static func system(_ name: String) throws -> URL {
        for folder in ["/usr/sbin", "/sbin", "/usr/bin", "/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
        }
        throw Missing(path: name)
    }

    /// The sanitizer report in a program's standard error.
    static func report(in errors: String) -> String? {
        errors.range(of: "(ERROR|WARNING): (Thread|Address)Sanitizer", options: .regularExpression)
            .map { String(errors[$0.lowerBound...].prefix(8000)) }
    }

    /// The environment for a program: nothing from the user's settings. A daemon uses no network but loopback, unless
    /// its flags say otherwise, and never the machine's D-Bus.
    static func environment(home: String) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = ["HOME": home, "TZ": "UTC", "LANG": "C.UTF-8"]
        environment["PARLANCE_LISTEN"] = "127.0.0.1"
        environment["PARLANCE_MDNS"] = "off"
        // Work for a thread that has ended is a fault: NIO ends the program.
        environment["SWIFTNIO_STRICT"] = "1"
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = PrivateBus.address(in: home)
        environment["DBUS_SESSION_BUS_ADDRESS"] = PrivateBus.address(in: home)
        for name in ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            environment[name] = own[name]
        }
        return environment
    }
}
