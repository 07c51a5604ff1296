#if os(Linux)
import CAvahiCore
import Logging
import Synchronization

/// Leads what libavahi-core has to say into our log; it has one log function per process and no context.
enum AvahiLog {
    private static let logger = Mutex<Logger?>(nil)

    /// Everything comes at debug level: the library also complains about packets anybody may send.
    static func direct(to target: Logger) {
        logger.withLock { $0 = target }
        avahi_set_log_function { _, text in
            guard let text else { return }
            let message = String(cString: text)
            AvahiLog.logger.withLock { $0 }?.debug("The mDNS library says something.", metadata: ["text": "\(message)"])
        }
    }
}
#endif
