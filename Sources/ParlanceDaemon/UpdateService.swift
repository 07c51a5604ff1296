import CParlanceSystem
import Dispatch
import Glibc
import ParlanceControl
import ParlanceNode
import ParlanceWords
import ServiceLifecycle

/// Asks apt now and then whether a newer version of the package is there.
///
/// It reads what apt has fetched and verified for this computer, as `apt update` or the desktop's program for updates does:
/// it opens no connection of its own, and no peer is asked or believed. Where Parlance was not installed as a package of
/// Debian, nothing is run.
struct UpdateService: Service {
    /// Where apt and dpkg keep what they know.
    struct Places: Sendable {
        /// dpkg has this file while the package is installed.
        var package = "/var/lib/dpkg/info/parlance.list"
        /// What changes when apt has fetched an index, and when a package is installed.
        var indexes = ["/var/lib/apt/lists", "/var/lib/dpkg/status"]
        /// The program that reads apt's indexes.
        var program = "/usr/bin/apt-cache"
        /// `APT_CONFIG` names a file of settings that apt reads before all others.
        var environment: [EnvironmentVariable] =
            ["PATH=/usr/bin:/bin", "LC_ALL=C"]
            + (EnvironmentVariable.value("APT_CONFIG").map { [EnvironmentVariable("APT_CONFIG", $0)] } ?? [])
    }

    /// Seconds between two looks at the times of apt's files; apt itself is asked only when one has changed.
    private static let interval = 60
    /// Bytes of apt's answer: a package with a hundred versions has less.
    private static let mostOutput = 16_384
    /// Milliseconds that apt has to answer: it may have to read all indexes, on a slow disk.
    private static let time = 20_000
    /// Characters of a version: Debian's longest has half of that.
    private static let mostCharacters = 64

    var places = Places()
    /// Told what was found; nil if nothing is newer.
    let found: @Sendable (NewerVersion?) -> Void

    func run() async throws {
        var seen: [Int] = []
        await repeatedly(every: .seconds(Self.interval)) { await look(&seen) }
    }

    /// Asks apt if its files have changed. An apt that does not answer, as while it is being installed itself, is asked again
    /// the next time, and what was found before stays.
    ///
    /// - Parameter seen: when they had last changed at the last answer.
    func look(_ seen: inout [Int]) async {
        let times = ([places.package] + places.indexes).map(Self.changed)
        guard times != seen else { return }
        guard access(places.package, F_OK) == 0 else {
            seen = times
            return found(nil)
        }
        let plan = ChildProcess.Plan(
            path: places.program,
            arguments: ["policy", "parlance"],
            environment: places.environment,
            folder: "/",
            outputLimit: Self.mostOutput
        )
        let queue = DispatchQueue(label: "parlance.update")
        let answer = await HookRun(plan, HookLimits(time: Self.time), on: queue).perform()
        guard answer.end == .exited(0) else { return }
        seen = times
        found(Self.newer(in: String(decoding: answer.output, as: UTF8.self)))
    }

    /// When a file has changed, in nanoseconds; 0 if it is not there.
    private static func changed(_ path: String) -> Int {
        var info = stat()
        return stat(path, &info) == 0 ? info.st_mtim.tv_sec * 1_000_000_000 + info.st_mtim.tv_nsec : 0
    }

    /// Reads the answer of `apt-cache policy`.
    ///
    /// A version is newer if it stands before the installed one in apt's table, which begins with the newest: apt's candidate
    /// can be an older one, where an administrator has pinned that.
    static func newer(in answer: String) -> NewerVersion? {
        let lines = answer.split(separator: "\n").map { $0.split(separator: " ") }
        func value(_ key: String) -> Substring? { lines.first { $0.count == 2 && $0[0] == key }?[1] }
        guard let installed = value("Installed:"), let candidate = value("Candidate:"), installed != candidate,
            isVersion(installed), isVersion(candidate)
        else { return nil }
        let table = lines.drop { $0 != ["Version", "table:"] }
        // A row of the table: the version and its priority, behind *** if it is installed.
        let rows = table.compactMap { words in
            let row = words.first == "***" ? words.dropFirst() : words[...]
            return row.count == 2 && row.last.flatMap { Int($0) } != nil ? row.first : nil
        }
        guard let new = rows.firstIndex(of: candidate), let old = rows.firstIndex(of: installed), new < old else {
            return nil
        }
        return NewerVersion(installed: String(installed), available: String(candidate))
    }

    /// Whether it has the characters of a version of Debian (deb-version(7)), from a digit on.
    private static func isVersion(_ text: Substring) -> Bool {
        text.count <= mostCharacters && text.first.map { "0"..."9" ~= $0 } == true
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.isASCII
                    && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar
                        || ".+-~:".unicodeScalars.contains(scalar))
            }
    }
}
