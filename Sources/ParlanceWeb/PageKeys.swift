import ParlanceControl
import ParlanceSodium
import ParlanceWords
import Synchronization
import SystemPackage

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps who is let in: in memory, and in a file of the data folder, so that a browser stays let in when the daemon
/// starts again.
package final class PageKeys: Sendable {
    /// The file, as JSON.
    private struct Kept: Codable {
        var port: UInt16
        var sessions: [PageSessions.Session]
    }

    private struct State {
        var port: UInt16 = 0
        /// Why the page is not served on the port that was set, as errno(3) says; 0 if nothing is known.
        var fault: Int32 = 0
        /// Whether no port at all could be used the last time.
        var hasNoPort = false
        var sessions = PageSessions([])
    }

    private static let name = "page.json"

    private let folder: String
    private let wanted: UInt16
    private let state: Mutex<State> = Mutex(State())
    /// Held while the file is written, which the state must not be: a disk can be slow.
    private let saving = Mutex<Void>(())
    private let now: @Sendable () -> Int64
    private let notSaved: @Sendable (String) -> Void
    private let notRead: @Sendable (String) -> Void

    /// - Parameters:
    ///   - folder: the data folder.
    ///   - port: the one that the user has set for the page; 0 if any will do, such as that beside the usual one, which the
    ///     node of another user of the computer may have.
    ///   - now: seconds since 1970.
    ///   - notSaved: gets why the file could not be written: browsers must then be let in again after the next start.
    ///   - notRead: gets why the file could not be read: browsers must be let in again now.
    package init(
        in folder: String,
        port: UInt16 = 0,
        now: @escaping @Sendable () -> Int64 = { Int64(time(nil)) },
        notSaved: @escaping @Sendable (String) -> Void = { _ in },
        notRead: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        (self.folder, wanted, self.now) = (folder, port, now)
        (self.notSaved, self.notRead) = (notSaved, notRead)
    }

    /// The page is served on this port. Browsers that were let in on another one are forgotten: somebody else may have
    /// had that port meanwhile, and the cookies with it.
    func use(port: UInt16) {
        let kept = read(failed: notRead)
        state.withLock { state in
            (state.port, state.hasNoPort) = (port, false)
            state.sessions = PageSessions(kept?.port == port ? kept?.sessions ?? [] : [])
        }
        save()
    }

    /// The page is not served any more.
    ///
    /// - Returns: the port on which it was; nil if it was not.
    func stop() -> UInt16? {
        state.withLock { state in
            defer { state.port = 0 }
            return state.port > 0 ? state.port : nil
        }
    }

    /// The page cannot be served on a port.
    func failed(on port: UInt16, _ fault: Int32) { state.withLock { if port == wanted { $0.fault = fault } } }

    /// No port can be used; it is tried again.
    func hasNoPort() { state.withLock { $0.hasNoPort = true } }

    /// Whether the page is where it was to be, as far as is known.
    package var standing: PageStanding {
        state.withLock { state in
            if state.port == 0 { return state.hasNoPort ? .nowhere : .asWanted }
            guard wanted != 0, state.port != wanted else { return .asWanted }
            return .elsewhere(wanted: wanted, port: state.port, fault: state.fault)
        }
    }

    /// The port on which the page was served the last time.
    var notedPort: UInt16? { read(failed: { _ in })?.port }

    /// A new launch link; nil while no page is served.
    package func makeLink() -> String? {
        let key = Hex.text(RandomBytes.bytes(Self.keyBytes))
        return state.withLock { state in
            guard state.port > 0 else { return nil }
            state.sessions.add(launch: key, at: now())
            return "http://127.0.0.1:\(state.port)/launch?key=\(key)"
        }
    }

    private static let keyBytes = 32

    /// Lets a browser in; `save` has to follow.
    ///
    /// - Returns: the value of its cookie; `nil` if the link was used before or is too old.
    func launch(_ key: String) -> String? {
        let value = Hex.text(RandomBytes.bytes(Self.keyBytes))
        return state.withLock { state in
            state.sessions.launch(key, value: value, at: now()) ? value : nil
        }
    }

    /// Whether a cookie lets a browser in.
    ///
    /// - Returns: `nil` if not; otherwise whether this use was noted, which `save` writes down.
    func use(_ value: String) -> Bool? {
        state.withLock { $0.sessions.use(value, at: now()) }
    }

    /// Writes the file. It blocks its thread. A file that cannot be written costs that browsers are let in again by hand
    /// after the next start.
    func save() {
        saving.withLock { _ in
            let kept = state.withLock { Kept(port: $0.port, sessions: $0.sessions.sessions) }
            if kept.port > 0 { write(kept) }
        }
    }

    /// What the file has; nil if there is none, or it cannot be read.
    private func read(failed: (String) -> Void) -> Kept? {
        do {
            switch try StickFolder(UserPath(folder)).read(Self.name, limit: PageLimits.sessionFileBytes) {
            case .nothing: return nil
            case .file(let bytes):
                let json = try JSONParser.parse(bytes)
                return try JSONValueDecoder.decode(Kept.self, from: json, name: Self.name, strict: false)
            case .failed(let reason): failed("\(reason)")
            case .tooLong, .notAFile: failed("not a file of this program")
            }
        } catch {
            failed("\(error)")
        }
        return nil
    }

    private func write(_ kept: Kept) {
        do {
            let text = JSONWriter.text(try JSONValueEncoder.encode(kept))
            let file = try AtomicFile(folder + "/" + Self.name)
            try file.write(Array(text.utf8))
            try file.replace()
        } catch {
            notSaved("\(error)")
        }
    }
}
