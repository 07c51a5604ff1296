import CDNSSD

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The functions of `dns_sd.h`, loaded at first use (see `CDNSSD/shim.h` for why they are not linked).
/// The pointers never change once they are loaded, so `@unchecked Sendable` is correct.
struct SystemLibrary: @unchecked Sendable {
    let functions: ParlanceDNSSD

    /// `nil` if the system has no such library.
    static let shared: SystemLibrary? = {
        // Otherwise Avahi's library asks every user of `dns_sd.h`, on standard error, to use another library.
        _ = setenv("AVAHI_COMPAT_NOWARN", "1", 1)
        var functions = ParlanceDNSSD()
        return parlance_load_dnssd(&functions) == 1 ? SystemLibrary(functions: functions) : nil
    }()
}
