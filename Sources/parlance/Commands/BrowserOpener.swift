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
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = []
        for word in ["xdg-open", link] { arguments.append(strdup(word)) }
        arguments.append(nil)
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawnp(&process, "xdg-open", &actions, nil, &arguments, environ) == 0 else { return false }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return false } }
        return status == 0
    }
}
