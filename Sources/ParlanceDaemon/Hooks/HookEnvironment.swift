/// The variables with which hooks run: few, so that a hook does not depend on how the daemon was started.
struct HookEnvironment: Sendable {
    /// Taken over from the daemon's environment, if they are there.
    private static let kept = [
        "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_MESSAGES", "LOGNAME", "SHELL", "TZ", "USER", "XDG_RUNTIME_DIR",
    ]

    private let common: [EnvironmentVariable]

    /// - Parameters:
    ///   - value: of a variable of the daemon. It is passed on byte for byte.
    ///   - program: the path of the daemon; the command `parlance` is beside it.
    init(_ value: (String) -> [UInt8]?, socket: String, profile: String?, program: String?) {
        var variables = Self.kept.compactMap { name in value(name).map { EnvironmentVariable(name, $0) } }
        var path = value("PATH") ?? Array("/usr/local/bin:/usr/bin:/bin".utf8)
        if let end = program?.lastIndex(of: "/"), let folder = program?[..<end].utf8,
            !path.split(separator: UInt8(ascii: ":")).contains(where: { $0.elementsEqual(folder) })
        {
            path += (path.isEmpty ? [] : [UInt8(ascii: ":")]) + Array(folder)
        }
        variables.append(EnvironmentVariable("PATH", path))
        variables.append(EnvironmentVariable("PARLANCE_SOCKET", socket))
        if let profile { variables.append(EnvironmentVariable("PARLANCE_PROFILE", profile)) }
        common = variables
    }

    func variables(for hook: HookFile) -> [EnvironmentVariable] {
        common + [EnvironmentVariable("PARLANCE_HOOK", hook.kind?.rawValue ?? "")]
    }
}
