import ParlanceControl
import ParlanceWords
import SystemPackage

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// The folders in the user's home that the service needs.
struct ServiceFolders {
    private let home: String

    init() throws(ControlFailure) {
        guard let home = ControlPaths.home(Terminal.environment) else {
            throw ControlFailure(
                code: "invalidValue",
                message: "No home directory is known, so there is no place for the service.",
                advice: "Set HOME."
            )
        }
        self.home = home
    }

    /// Where a unit of ours is.
    func unitFile(_ unit: ServiceUnit) -> String { home + "/.config/systemd/user/" + unit.name }

    /// Makes the folders that the unit lets the daemon write to: systemd does not start it without them.
    func make() throws(ControlFailure) {
        for folder in ["/.local", "/.local/share", "/.local/state"] { try Self.makeFolder(home + folder) }
    }

    /// Writes the unit whole or not at all.
    func write(_ unit: ServiceUnit) throws(ControlFailure) {
        for folder in ["/.config", "/.config/systemd", "/.config/systemd/user"] { try Self.makeFolder(home + folder) }
        let file = unitFile(unit)
        do throws(Errno) {
            let draft = try AtomicFile(file)
            try draft.write(Array(unit.text(mark: ServiceUnit.mark).utf8), mode: 0o644)
            try draft.replace()
        } catch { throw Self.failure(file, error) }
    }

    /// Deletes the unit if `service install` wrote it, and tells whether it did.
    func remove(_ unit: ServiceUnit) throws(ControlFailure) -> Bool {
        let file = unitFile(unit)
        guard let stream = fopen(file, "r") else { return false }
        var line = [CChar](repeating: 0, count: ServiceUnit.mark.utf8.count + 1)
        let isRead = fgets(&line, Int32(line.count), stream) != nil
        fclose(stream)
        guard isRead, line.dropLast().elementsEqual(ServiceUnit.mark.utf8.map(CChar.init)) else { return false }
        guard unlink(file) == 0 else { throw Self.failure(file, .current) }
        return true
    }

    private static func makeFolder(_ path: String) throws(ControlFailure) {
        guard mkdir(path, 0o755) == 0 || errno == EEXIST else { throw failure(path, .current) }
    }

    private static func failure(_ path: String, _ reason: Errno) -> ControlFailure {
        ControlFailure(
            code: "invalidValue",
            message: "\(VisibleText.line(path)) cannot be written: \(reason).",
            advice: "Make it writable for you, and try again."
        )
    }
}
