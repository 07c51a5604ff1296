import ParlanceControl
import ParlanceSodium

/// The browsers that are let in, and the launch links that let one in. Secrets are kept as hashes.
struct PageSessions: Equatable, Sendable {
    struct Session: Codable, Equatable, Sendable {
        /// SHA-256 of the cookie's value, in hexadecimal digits.
        var hash: String
        /// Seconds since 1970.
        var used: Int64
    }

    private(set) var sessions: [Session]
    /// When a launch link was made, by the hash of its key.
    private var launches: [(hash: String, made: Int64)] = []

    /// - Parameter sessions: from the disk, where anything can be.
    init(_ sessions: [Session]) {
        self.sessions = sessions.filter { Self.times.contains($0.used) }.suffix(PageLimits.sessions)
    }

    /// What a clock can show, far from any overflow.
    private static let times = 0...Int64(UInt32.max)

    /// Takes a new launch link.
    mutating func add(launch key: String, at now: Int64) {
        launches = launches.filter { Self.isFresh($0.made, now) }.suffix(PageLimits.launches - 1)
        launches.append((Self.hash(key), now))
    }

    /// Lets a browser in whose launch link was not used before, with the cookie `value`.
    ///
    /// - Returns: whether it is let in.
    mutating func launch(_ key: String, value: String, at now: Int64) -> Bool {
        let hash = Self.hash(key)
        guard let index = launches.firstIndex(where: { constantTimeEqual(Array($0.hash.utf8), Array(hash.utf8)) })
        else {
            return false
        }
        guard Self.isFresh(launches.remove(at: index).made, now) else { return false }
        sessions = sessions.suffix(PageLimits.sessions - 1) + [Session(hash: Self.hash(value), used: now)]
        return true
    }

    /// Whether a cookie lets a browser in; notes that it was used.
    ///
    /// - Returns: `nil` if not; otherwise whether the note should go to the disk.
    mutating func use(_ value: String, at now: Int64) -> Bool? {
        let hash = Array(Self.hash(value).utf8)
        guard let index = sessions.firstIndex(where: { constantTimeEqual(Array($0.hash.utf8), hash) }) else {
            return nil
        }
        let age = now - sessions[index].used
        guard age < PageLimits.sessionSeconds else {
            sessions.remove(at: index)
            return nil
        }
        guard abs(age) >= PageLimits.sessionNoteSeconds else { return false }
        // The one that was away longest stays the first.
        var session = sessions.remove(at: index)
        session.used = now
        sessions.append(session)
        return true
    }

    private static func isFresh(_ made: Int64, _ now: Int64) -> Bool {
        (0..<PageLimits.launchSeconds).contains(now - made)
    }

    private static func hash(_ text: String) -> String { Hex.text(SHA256.hash(Array(text.utf8))) }

    static func == (left: PageSessions, right: PageSessions) -> Bool {
        left.sessions == right.sessions && left.launches.elementsEqual(right.launches, by: ==)
    }
}
