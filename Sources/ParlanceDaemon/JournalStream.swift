import CParlanceSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The stream that systemd makes for the journal.
package enum JournalStream {
    /// Whether standard error is that stream: `JOURNAL_STREAM` names its device and inode. A program that was started from
    /// a service has the variable too, and may write elsewhere.
    package static var isStandardError: Bool {
        guard let name = getenv("JOURNAL_STREAM") else { return false }
        var status = stat()
        return fstat(STDERR_FILENO, &status) == 0 && String(cString: name) == "\(status.st_dev):\(status.st_ino)"
    }
}
