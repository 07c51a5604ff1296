import Foundation
import ParlanceNetwork

/// How many files and sockets this process may have open.
enum OpenFiles {
    /// Raises the soft limit to the hard limit: the usual soft limit of 1,024 is too low for a large office under a
    /// flood.
    ///
    /// - Returns: the limit now in force.
    static func raiseLimit() -> Int {
        #if canImport(Glibc)
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        #else
        let kind = RLIMIT_NOFILE
        #endif
        var limit = rlimit()
        guard getrlimit(kind, &limit) == 0 else { return Self.usual }
        var raised = limit
        raised.rlim_cur = limit.rlim_max
        if setrlimit(kind, &raised) == 0 { limit = raised }
        return Int(clamping: limit.rlim_cur)
    }

    /// The least that common systems permit, for the case that the limit cannot be read.
    private static let usual = 256
}
