import ParlanceControl
import ParlanceWords

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// Where the programs are.
enum InstalledPrograms {
    /// The full path of `parlanced`: beside this program, else where the shell finds it.
    static func daemon() throws(ControlFailure) -> String {
        var folders = (Terminal.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        if let own = realpath("/proc/self/exe", nil) {
            defer { free(own) }
            folders.insert(String(cString: own).split(separator: "/").dropLast().map { "/\($0)" }.joined(), at: 0)
        }
        for folder in folders where folder.hasPrefix("/") {
            let path = folder + "/parlanced"
            if access(path, X_OK) == 0 { return path }
        }
        throw ControlFailure(
            code: "noProgram",
            message: "The program parlanced is neither next to parlance nor in PATH.",
            advice: "Install it in the same folder as parlance."
        )
    }

    /// Becomes `parlanced` with these words behind its name, in the form of `ArgumentText`. Returns only by throwing.
    static func becomeDaemon(_ words: [String]) throws(ControlFailure) {
        let program = try daemon()
        var pointers =
            (["parlanced"] + words).map { word in
                strdup(UserPath(bytes: ArgumentText.bytes(word)).system)
            } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        execv(program, &pointers)
        throw ControlFailure(
            code: "noProgram",
            message: "The program \(program) cannot be started: \(String(cString: strerror(errno))).",
            advice: "Install parlance again."
        )
    }
}
