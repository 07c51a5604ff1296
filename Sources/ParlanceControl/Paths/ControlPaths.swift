import ParlanceErrorCode
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The paths of a node's data folder, state folder and control socket: one rule for the daemon and for the command.
///
/// - Data folder: `--data-dir`, else `$XDG_DATA_HOME/parlance[/profiles/NAME]` (`~/.local/share` by default).
/// - State folder: `$XDG_STATE_HOME/parlance` (`~/.local/state` by default, `/tmp/parlance-UID/state` if no home is
///   known), for all nodes of a user.
/// - Socket to serve: `--socket`, else `PARLANCE_SOCKET`, else, without a profile, `control.sock` in the `--data-dir`
///   given, else `$XDG_RUNTIME_DIR/parlance[/NAME]/control.sock`, else `/tmp/parlance-UID[/NAME]/control.sock`. That is
///   also taken where the path would be longer than a socket's path may be. So a profile is reached by its name alone,
///   wherever its data are.
/// - Socket to use: `--socket`, else `PARLANCE_SOCKET` unless an option names the node, else what the daemon wrote to
///   `control.path` in the data folder, else the usual socket of that node, as above without `PARLANCE_SOCKET`. (systemd,
///   cron, SSH and sudo see different environments.)
package struct ControlPaths: Equatable, Sendable {
    /// The folder of the identity and the store; the daemon creates it (0700).
    package let dataDirectory: String
    /// The folder for what must not be copied or restored with the data folder; the daemon creates it (0700).
    package let stateDirectory: String
    /// The path at which the daemon listens. A command prefers the path that `control.path` names.
    package let socketToServe: String
    /// The socket that the user named for a command, so that `control.path` is ignored.
    private let socketNamed: String?
    /// The socket of the node that the options name, unless its daemon wrote another one to `control.path`.
    private let ordinarySocket: String

    /// Finds the paths; throws if the profile's name is invalid, no home is known, or the path of a socket that was named is
    /// too long.
    package init(
        profile: String? = nil,
        dataDirectory: String? = nil,
        socket: String? = nil,
        environment: [String: String],
        uid: UInt32 = getuid()
    ) throws(ControlError) {
        if let profile { try Self.check(profile: profile) }
        func variable(_ name: String) -> String? {
            environment[name].flatMap { $0.isEmpty ? nil : $0 }
        }
        for (option, path) in [("--data-dir", dataDirectory), ("--socket", socket)] where path?.isEmpty == true {
            throw ControlError(
                .invalidValue,
                "The value of \(option) is empty.",
                advice: "Give a path, or leave the option out."
            )
        }
        if let dataDirectory {
            self.dataDirectory = Self.absolute(dataDirectory)
        } else {
            let base = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            guard let shared = base ?? Self.home(environment).map({ $0 + "/.local/share" }) else {
                throw ControlError(
                    .invalidValue,
                    "No home directory is known, so there is no place for the data folder.",
                    advice: "Set HOME or XDG_DATA_HOME, or give --data-dir DIR."
                )
            }
            self.dataDirectory = shared + "/parlance" + (profile.map { "/profiles/\($0)" } ?? "")
        }
        let stateHome = variable("XDG_STATE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let state = stateHome ?? Self.home(environment).map { $0 + "/.local/state" }
        stateDirectory = state.map { $0 + "/parlance" } ?? "/tmp/parlance-\(uid)/state"
        let own = dataDirectory == nil || profile != nil ? nil : self.dataDirectory
        let runtime = variable("XDG_RUNTIME_DIR").flatMap { $0.hasPrefix("/") ? $0 : nil }
        let ordinary = Self.ordinarySocket(own: own, runtime: runtime, profile: profile, uid: uid)
        let given = socket ?? variable("PARLANCE_SOCKET")
        socketToServe = given.map { Self.absolute($0) } ?? ordinary
        // An option says which node is meant, so the variable does not: a hook has it, and may speak for another node.
        let isNodeNamed = profile != nil || dataDirectory != nil
        socketNamed = socket != nil || !isNodeNamed && given != nil ? socketToServe : nil
        ordinarySocket = ordinary
        if let socketNamed { try Self.check(socket: socketNamed) }
        for path in [self.dataDirectory, stateDirectory, socketNamed ?? ordinary] { try Self.check(path: path) }
    }

    /// Throws if a daemon cannot serve its socket. A command does not mind a variable that it does not use.
    package func checkSocketToServe() throws(ControlError) {
        try Self.check(socket: socketToServe)
        try Self.check(path: socketToServe)
    }

    /// The file in the data folder in which the daemon names the socket that it serves.
    package var pathFile: String { dataDirectory + "/control.path" }

    /// The socket a command should connect to.
    package func socketToUse() -> String {
        if let socketNamed { return socketNamed }
        guard let text = Self.contents(of: pathFile), text.hasPrefix("/"),
            text.utf8.count <= ControlLimits.socketPathBytes, !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F })
        else { return ordinarySocket }
        return text
    }

    private static func ordinarySocket(own: String?, runtime: String?, profile: String?, uid: UInt32) -> String {
        let middle = profile.map { "/\($0)" } ?? ""
        let temporary = "/tmp/parlance-\(uid)"
        if let own {
            let path = own + "/control.sock"
            // Two data folders must not share a socket, so the short name is derived from the long one.
            return fits(path) ? path : temporary + "/" + String(StableHash.of(own), radix: 16) + "/control.sock"
        }
        if let runtime {
            let path = runtime + "/parlance" + middle + "/control.sock"
            if fits(path) { return path }
        }
        return temporary + middle + "/control.sock"
    }

    private static func fits(_ path: String) -> Bool {
        path.utf8.count <= ControlLimits.socketPathBytes
    }
}

// MARK: - Checks and the system

extension ControlPaths {
    package static func check(profile: String) throws(ControlError) {
        let isWord = profile.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
            default: false
            }
        }
        guard isWord, !profile.hasPrefix("."), (1...32).contains(profile.utf8.count) else {
            throw ControlError(
                .invalidName,
                "The profile's name is not allowed.",
                advice: "Use 1 to 32 letters, digits, dots, dashes and underscores, and do not begin with a dot."
            )
        }
    }

    /// Refuses a path that is not UTF-8: the programs pass it on as text, which would change it.
    private static func check(path: String) throws(ControlError) {
        guard ArgumentText.isMarked(path) else { return }
        throw ControlError(
            .invalidValue,
            "The path \(ArgumentText.shown(path)) is not valid UTF-8, so it cannot be that of the data folder or of a socket.",
            advice: "Give another one with --data-dir and --socket, or by HOME."
        )
    }

    private static func check(socket: String) throws(ControlError) {
        if fits(socket) { return }
        throw ControlError(
            .invalidValue,
            "The socket's path is \(socket.utf8.count) bytes long, and the system allows 107: \(socket)",
            advice: "Give a shorter one with --socket PATH or PARLANCE_SOCKET."
        )
    }

    /// The user's home folder, without the slash of `/`: `HOME`, else the entry in the user database.
    package static func home(_ environment: [String: String]) -> String? {
        if let home = environment["HOME"], home.hasPrefix("/") { return home == "/" ? "" : home }
        guard let entry = getpwuid(getuid()), let directory = entry.pointee.pw_dir else { return nil }
        let home = String(cString: directory)
        return home.hasPrefix("/") ? home : nil
    }

    /// A path from the root, if it was given from the folder in which the program runs; in the form of `ArgumentText`.
    package static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let buffer = getcwd(nil, 0) else { return path }
        defer { free(buffer) }
        return ArgumentText.text(UnsafeRawBufferPointer(start: buffer, count: strlen(buffer))) + "/" + path
    }

    /// The first line of a small file.
    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 512)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(validating: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}
