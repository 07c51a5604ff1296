import ParlanceWords

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
            return [say("parlanced is not installed as a service."), say("Install it: parlance service install")]
        }
        var lines: [String] = []
        switch state {
        case "active":
            lines.append(
                since.map { say("parlanced runs as a service since \($0).") } ?? say("parlanced runs as a service.")
            )
        case "failed":
            lines.append(say("The service failed (\(failure ?? say("unknown")))."))
            lines.append(say("See why: journalctl --user --unit \(unit) --lines 20"))
        default:
            lines.append(say("The service does not run (\(state))."))
        }
        if !isEnabled {
            lines.append(say("It does not start when you log in. To change that: parlance service install"))
        } else if lingers == true {
            lines.append(say("It starts with the machine and runs also while you are not logged in."))
        } else {
            lines.append(say("It starts when you log in and stops when you log out."))
            lines.append(say("To let it run always: parlance service install --linger"))
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
