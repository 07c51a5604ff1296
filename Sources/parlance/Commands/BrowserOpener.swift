import CProgramArguments

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Opens a link in the user's browser (xdg-open(1)).
enum BrowserOpener {
    /// Whether a desktop runs in which a browser can open.
    static var hasDesktop: Bool { getenv("WAYLAND_DISPLAY") != nil || getenv("DISPLAY") != nil }

    /// - Returns: whether a program took the link. What it writes is dropped: browsers complain a lot.
    static func open(_ link: String) -> Bool {
        guard let process = start(["xdg-open", link]) else { return false }
        // Without a helper of the desktop, xdg-open runs the browser itself and ends with it.
        for _ in 0..<waits {
            var status: Int32 = 0
            switch waitpid(process, &status, WNOHANG) {
            case process: return status == 0
            case 0: poll(nil, 0, waitMilliseconds)
            default: guard errno == EINTR else { return false }
            }
        }
        return true
    }

    /// A browser that still runs after three seconds has opened.
    private static let (waits, waitMilliseconds): (Int, Int32) = (60, 50)

    /// Starts a program with nothing to read, away from this terminal, which it would otherwise end with.
    private static func start(_ words: [String]) -> pid_t? {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, ownSession)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        let environment = parlance_environment()
        guard posix_spawnp(&process, words[0], &actions, &attributes, &arguments, environment) == 0 else { return nil }
        return process
    }

    /// POSIX_SPAWN_SETSID, which Glibc does not show to Swift.
    #if canImport(Glibc)
    private static let ownSession: Int16 = 0x80
    #else
    private static let ownSession: Int16 = 0x400
    #endif
}
