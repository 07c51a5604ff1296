#if os(Linux)
import CAvahiCore
import Logging
import Synchronization

/// Sends the messages of libavahi-core to our log; the library has one log function per process and no context.
enum AvahiLog {
    private static let logger = Mutex<Logger?>(nil)

    /// Everything is logged at debug level, because the library also complains about packets that anybody may send.
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
