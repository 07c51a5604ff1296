import Foundation

/// Where the programs under test are: in the folder of `PARLANCE_PROGRAMS`, else beside the running test bundle.
enum Programs {
    /// A program that is not there: a failure, since a test that is left out shows nothing.
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

    /// One of ours: `parlance` or `parlanced`.
    static func own(_ name: String) throws -> URL {
        let url = folder.appendingPathComponent(name)
        guard FileManager.default.isExecutableFile(atPath: url.path) else { throw Missing(path: url.path) }
        return url
    }

    /// One of the system, such as `ip`.
    static func system(_ name: String) throws -> URL {
        for folder in ["/usr/sbin", "/sbin", "/usr/bin", "/bin"] {
            let path = "\(folder)/\(name)"
            if FileManager.default.isExecutableFile(atPath: path) { return URL(fileURLWithPath: path) }
        }
        throw Missing(path: name)
    }

    /// Whether a sanitizer watches (contrib/test --sanitize): all is slower then, and what is freed is kept for a while.
    static let areWatched = ProcessInfo.processInfo.environment["PARLANCE_SANITIZE"] != nil

    /// How long to wait for what is usually done within `limit`.
    static func patience(_ limit: Duration) -> Duration { areWatched ? limit * 4 : limit }

    /// What a sanitizer has printed among the errors of a program.
    static func report(in errors: String) -> String? {
        errors.range(of: "(ERROR|WARNING): (Thread|Address)Sanitizer", options: .regularExpression)
            .map { String(errors[$0.lowerBound...].prefix(8000)) }
    }

    /// What a program gets of our environment: nothing of the user's own settings.
    static func environment(home: String) -> [String: String] {
        let own = ProcessInfo.processInfo.environment
        var environment = ["HOME": home, "TZ": "UTC", "LANG": "C.UTF-8"]
        for name in ["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "ASAN_OPTIONS", "TSAN_OPTIONS"] {
            environment[name] = own[name]
        }
        return environment
    }
}
