/// The variables with which hooks run: few, so that a hook does not depend on how the daemon was started.
struct HookEnvironment: Sendable {
    /// Taken over from the daemon's environment, if they are there.
    private static let kept = [
        "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LOGNAME", "SHELL", "TZ", "USER", "XDG_RUNTIME_DIR",
    ]

    private let common: [String]

    /// - Parameters:
    ///   - environment: the daemon's.
    ///   - program: the path of the daemon; the command `parlance` is beside it.
    init(_ environment: [String: String], socket: String, profile: String?, program: String?) {
        var variables = Self.kept.compactMap { name in environment[name].map { "\(name)=\($0)" } }
        var folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":").map(String.init)
        if let end = program?.lastIndex(of: "/"), let folder = program?[..<end], !folders.contains(String(folder)) {
            folders.append(String(folder))
        }
        variables.append("PATH=" + folders.joined(separator: ":"))
        variables.append("PARLANCE_SOCKET=" + socket)
        if let profile { variables.append("PARLANCE_PROFILE=" + profile) }
        common = variables
    }

    /// `NAME=VALUE`
    func variables(for hook: HookFile) -> [String] {
        common + ["PARLANCE_HOOK=" + (hook.kind?.rawValue ?? "")]
    }
}
