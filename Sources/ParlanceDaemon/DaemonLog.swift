import Logging
import Synchronization

#if canImport(Glibc)
@preconcurrency import Glibc
#else
import Darwin
#endif

/// The daemon's log on standard error. Where systemd's journal reads it, each line begins with its priority (sd-daemon(3)),
/// so that `journalctl --priority warning` finds what it should; elsewhere with the time.
struct DaemonLog: LogHandler {
    /// How much is logged: one value for all copies of a logger, so that it can change while the daemon runs.
    final class Threshold: Sendable {
        private let level: Mutex<Logger.Level>

        init(_ level: Logger.Level) {
            self.level = Mutex(level)
        }

        var value: Logger.Level {
            get { level.withLock { $0 } }
            set { level.withLock { $0 = newValue } }
        }
    }

    private let threshold: Threshold
    private let isForJournal: Bool
    private var lines: StreamLogHandler
    /// What one copy of a logger was told, over the threshold.
    private var ownLevel: Logger.Level?

    init(label: String, threshold: Threshold, isForJournal: Bool = JournalStream.isStandardError) {
        self.threshold = threshold
        self.isForJournal = isForJournal
        lines = StreamLogHandler.standardError(label: label)
        lines.logLevel = .trace
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? threshold.value }
        set { ownLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { lines.metadata }
        set { lines.metadata = newValue }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { lines.metadataProvider }
        set { lines.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { lines[metadataKey: key] }
        set { lines[metadataKey: key] = newValue }
    }

    func log(event: LogEvent) {
        guard isForJournal else { return lines.log(event: event) }
        fputs(Self.journalLine(event, metadata: metadata), stderr)
    }

    /// `<PRIORITY>MESSAGE KEY=VALUE...` on one line.
    static func journalLine(_ event: LogEvent, metadata: Logger.Metadata) -> String {
        let values = metadata.merging(event.metadata ?? [:]) { $1 }.sorted { $0.key < $1.key }
        let text = ([event.message.description] + values.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
        return "<\(event.level.journalPriority)>\(text.replacing("\n", with: " "))\n"
    }
}

extension Logger.Level {
    /// The priority of syslog(3) that fits.
    fileprivate var journalPriority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
