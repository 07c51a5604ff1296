import ParlanceControl
import ParlanceWords

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// The user's systemd manager, asked through `systemctl --user` and `loginctl`.
struct UserManager {
    /// What systemd knows of a unit.
    struct Unit: Equatable {
        /// The unit's file; nil if there is no such unit.
        var file: String?
        /// `active`, `inactive`, `failed`, `activating`, ...: see systemctl(1).
        var state: String
        /// Why it is in this state: `success`, `exit-code`, `watchdog`, ...
        var result: String
        /// Whether it starts when the user logs in.
        var isEnabled: Bool
        var processID: Int?
        /// Since when it runs, as systemd writes it.
        var since: String?
    }

    /// Whether systemd runs this machine (sd_booted(3)), so that a user can have a manager.
    static var isPossible: Bool { access("/run/systemd/system", F_OK) == 0 }

    /// Finds it; throws if this user has none.
    ///
    /// - Parameter profile: that of the node that should be a service, for the advice.
    init(profile: String? = nil) throws(ControlFailure) {
        let options = profile.map { " " + ShellWord.option("--profile", $0) } ?? ""
        guard Self.isPossible else {
            throw ControlFailure(
                code: "noServiceManager",
                message: "systemd does not run this machine, so parlanced cannot run as a service.",
                advice: "To let it run in the background: nohup parlanced\(options) &"
            )
        }
        // Without a login session, as under sudo, the variable is missing although the manager runs.
        setenv("XDG_RUNTIME_DIR", "/run/user/\(getuid())", 0)
        let (code, output) = Self.run("systemctl --user show --property=Version")
        guard code == 0, output.hasPrefix("Version=") else {
            throw ControlFailure(
                code: "noServiceManager",
                message: output.isEmpty
                    ? "No systemd manager runs for your user, so parlanced cannot run as a service."
                    : "No systemd manager runs for your user, so parlanced cannot run as a service: \(Self.firstLine(output))",
                advice:
                    "Log in as yourself (not with su or sudo), or start it in the background: nohup parlanced\(options) &"
            )
        }
    }

    /// What systemd knows of the unit.
    func unit(_ name: String) throws(ControlFailure) -> Unit {
        let text = try systemctl(
            "show \(name) --property=LoadState,ActiveState,Result,UnitFileState,MainPID,FragmentPath,ActiveEnterTimestamp"
        )
        var values: [Substring: Substring] = [:]
        for line in text.split(separator: "\n") {
            let pair = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2 { values[pair[0]] = pair[1] }
        }
        let since = values["ActiveEnterTimestamp"] ?? ""
        return Unit(
            file: values["LoadState"] == "loaded" ? values["FragmentPath"].map(String.init) : nil,
            state: String(values["ActiveState"] ?? "unknown"),
            result: String(values["Result"] ?? "unknown"),
            isEnabled: values["UnitFileState"]?.hasPrefix("enabled") == true,
            processID: values["MainPID"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil },
            since: since.isEmpty || since == "n/a" ? nil : String(since)
        )
    }

    /// Runs `systemctl --user` and gives what it printed.
    @discardableResult
    func systemctl(_ arguments: String) throws(ControlFailure) -> String {
        let (code, output) = Self.run("systemctl --user --no-pager \(arguments)")
        guard code == 0 else {
            throw ControlFailure(
                code: "serviceFailed",
                message: "systemctl --user \(arguments): \(Self.firstLine(output))",
                advice: "See what systemd and the daemon logged: journalctl --user --lines 20"
            )
        }
        return output
    }

    /// Whether services of this user run while the user is not logged in; nil where logind does not say.
    var lingers: Bool? {
        let (code, output) = Self.run("loginctl show-user \(getuid()) --property=Linger")
        guard code == 0 else { return nil }
        return output.contains("Linger=yes")
    }

    /// Lets services of this user run while the user is not logged in; throws if that is not permitted.
    func linger() throws(ControlFailure) {
        let (code, output) = Self.run("loginctl enable-linger")
        guard code == 0 else {
            throw ControlFailure(
                code: "lingerRefused",
                message: "Your services may not run while you are logged out: \(Self.firstLine(output))",
                advice: "Ask an administrator: sudo loginctl enable-linger \(Self.userName)"
            )
        }
    }

    static var userName: String { getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "USER" }

    private static func firstLine(_ output: String) -> String {
        VisibleText.line(output.split(separator: "\n").first.map(String.init) ?? say("it failed"))
    }

    /// Runs a command of the shell and gives its exit code and what it printed.
    ///
    /// - Parameter command: made of our own words, unit names and numbers only.
    private static func run(_ command: String) -> (code: Int32, output: String) {
        guard let stream = popen("LC_ALL=C \(command) 2>&1 </dev/null", "r") else { return (-1, "") }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while case let count = fread(&piece, 1, piece.count, stream), count > 0 { bytes += piece[..<count] }
        return (pclose(stream), String(decoding: bytes, as: UTF8.self))
    }
}
