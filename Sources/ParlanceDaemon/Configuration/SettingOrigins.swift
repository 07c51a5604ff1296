import ParlanceControl

/// Where each setting was found, so that an error can say where to fix it.
struct SettingOrigins: Sendable {
    /// The prefix of our environment variables.
    static let prefix = "PARLANCE_"

    private let flags: Set<String>
    private let variables: Set<String>
    private let file: String
    /// The lines of the file, from 1, by the settings that begin there.
    private let lines: [SettingKey: Int]
    /// The setting whose value a user has just given, and which is in no file yet.
    var given: SettingKey?

    /// - Parameters:
    ///   - flags: the keys given on the command line.
    ///   - variables: the names of our environment variables, without their prefix.
    ///   - file: the path of the configuration file.
    ///   - lines: the lines of the file, by the settings that begin there.
    init(
        flags: some Sequence<String>,
        variables: some Sequence<String>,
        file: String,
        lines: [SettingKey: Int]
    ) {
        self.flags = Set(flags)
        self.variables = Set(variables)
        self.file = file
        self.lines = lines
    }

    /// The kind of source whose value holds.
    func origin(of key: SettingKey) -> SettingInfo.Origin {
        if flags.contains(key.rawValue) { return .flag }
        if variables.contains(key.variableWithoutPrefix) { return .environment }
        return lines[key] == nil ? .default : .file
    }

    /// The source whose value holds, for people: `--port`, `PARLANCE_PORT`, or `"port" in FILE, line 3`.
    func place(of key: SettingKey) -> String {
        if key == given { return "\"\(key.rawValue)\"" }
        return switch origin(of: key) {
        case .flag: key.flag
        case .environment: key.variable
        case .file, .default:
            SettingsFile.place(key.rawValue, in: file, line: lines[key])
        }
    }
}
