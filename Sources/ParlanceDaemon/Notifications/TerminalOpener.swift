import Dispatch
import Glibc
import Logging
import ParlanceTexts

/// Opens the chat screen in a new terminal when a notification is clicked on.
struct TerminalOpener: Sendable {
    let environment: [String: String]
    /// The data folder, by which the command finds this node.
    let dataDirectory: String
    /// The path of the daemon; the command `parlance` is beside it.
    let program: String?
    let logger: Logger

    /// Terminals, and what stands between them and the command that they run. `$TERMINAL` comes before them.
    private static let known: [(name: String, option: [String])] = [
        ("xdg-terminal-exec", []), ("x-terminal-emulator", ["-e"]), ("gnome-terminal", ["--"]), ("kgx", ["--"]),
        ("konsole", ["-e"]), ("xfce4-terminal", ["-x"]), ("foot", []), ("alacritty", ["-e"]), ("kitty", []),
        ("xterm", ["-e"]),
    ]

    /// Everything happens on the queue.
    func open(_ subject: NotificationBoard.Subject, on queue: DispatchQueue) {
        guard let words = command(for: subject) else {
            logger.notice("A notification was clicked on, and no terminal was found; TERMINAL can name one")
            return
        }
        let plan = ChildProcess.Plan(
            path: words[0],
            arguments: Array(words.dropFirst()),
            environment: environment.map { name, value in
                EnvironmentVariable(name, EnvironmentVariable.value(name) ?? Array(value.utf8))
            },
            folder: "/",
            isSupervised: false
        )
        do throws(ChildProcess.Refused) {
            // It lives as long as its process: the sources of its end hold it.
            _ = try ChildProcess(plan, on: queue) { _ in }
        } catch {
            logger.notice(
                "A terminal could not be started",
                metadata: ["reason": "\(String(cString: strerror(error.code)))"]
            )
        }
    }

    /// The words of the whole command; nil if there is no terminal.
    func command(for subject: NotificationBoard.Subject) -> [String]? {
        guard let (terminal, option) = terminal else { return nil }
        var chat = [own, "chat", "--data-dir", dataDirectory]
        if case .conversation(_, let who) = subject { chat.append(who) }
        let words = [terminal] + option + chat
        // A service of systemd sees no screen, and its walls would stand around the terminal too: its manager starts it.
        guard environment["INVOCATION_ID"] != nil, let run = found("systemd-run") else { return words }
        return [run, "--user", "--collect", "--quiet", "--"] + words
    }

    private var terminal: (path: String, option: [String])? {
        if let given = environment["TERMINAL"], !given.isEmpty, let path = found(given) {
            let name = given.split(separator: "/").last.map(String.init)
            return (path, Self.known.first { $0.name == name }?.option ?? ["-e"])
        }
        for (name, option) in Self.known {
            if let path = found(name) { return (path, option) }
        }
        return nil
    }

    /// The command `parlance` beside the daemon, else by its name.
    private var own: String {
        guard let program, let end = program.lastIndex(of: "/") else { return "parlance" }
        let beside = program[...end] + "parlance"
        return access(String(beside), X_OK) == 0 ? String(beside) : "parlance"
    }

    private func found(_ name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }
}
