/// How the service stands, as `parlance service status` tells it.
struct ServiceReport: Codable, Equatable {
    var unit: String
    /// The unit's file; missing if the service is not installed.
    var file: String?
    /// `active`, `inactive`, `failed`, ...: the words of systemctl(1).
    var state: String
    /// Why it failed, in systemd's words: `exit-code`, `watchdog`, `timeout`, ...
    var failure: String?
    /// Whether it starts when the user logs in.
    var isEnabled: Bool
    /// Whether it runs while the user is not logged in; missing where nothing tells.
    var lingers: Bool?
    var processID: Int?
    /// Since when it runs, as systemd writes it.
    var since: String?

    /// The same in words: what holds, then what to do.
    var lines: [String] {
        guard file != nil else {
            return ["parlanced is not installed as a service.", "Install it: parlance service install"]
        }
        var lines: [String] = []
        switch state {
        case "active":
            lines.append("parlanced runs as a service" + (since.map { " since \($0)" } ?? "") + ".")
        case "failed":
            lines.append("The service failed (\(failure ?? "unknown")).")
            lines.append("See why: journalctl --user --unit \(unit) --lines 20")
        default:
            lines.append("The service does not run (\(state)).")
        }
        if !isEnabled {
            lines.append("It does not start when you log in. To change that: parlance service install")
        } else if lingers == true {
            lines.append("It starts with the machine and runs also while you are not logged in.")
        } else {
            lines.append("It starts when you log in and stops when you log out.")
            lines.append("To let it run always: parlance service install --linger")
        }
        return lines
    }
}

extension ServiceReport {
    init(_ manager: UserManager, _ unit: ServiceUnit) throws {
        let known = try manager.unit(unit.name)
        self.init(
            unit: unit.name,
            file: known.file,
            state: known.state,
            failure: known.state == "failed" ? known.result : nil,
            isEnabled: known.isEnabled,
            lingers: manager.lingers,
            processID: known.processID,
            since: known.state == "active" ? known.since : nil
        )
    }
}
