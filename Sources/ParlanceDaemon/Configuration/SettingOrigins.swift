/// Where each setting was found, so that an error can say where to fix it.
struct SettingOrigins: Sendable {
    /// The prefix of our environment variables.
    static let prefix = "PARLANCE_"

    private let flags: Set<String>
    private let variables: Set<String>
    private let file: String

    /// - Parameters:
    /// - flags: the keys given on the command line.
    ///   - variables: the names of our environment variables, without their prefix.
    ///   - file: the path of the configuration file.
    init(flags: some Sequence<String>, variables: some Sequence<String>, file: String) {
        self.flags = Set(flags)
        self.variables = Set(variables)
        self.file = file
    }

    /// The source whose value holds, for people: `--port`, `PARLANCE_PORT`, or `"port" in FILE`.
    func place(of key: SettingKey) -> String {
        if flags.contains(key.rawValue) { return key.flag }
        if variables.contains(key.variableWithoutPrefix) { return key.variable }
        return "\"\(key.rawValue)\" in \(file)"
    }
}
