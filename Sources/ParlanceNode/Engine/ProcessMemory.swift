import CParlanceSystem
import Foundation

/// What others learn of the memory of this process, which holds keys and texts.
package enum ProcessMemory {
    /// Lets no other program of this user read the memory, and no crash write it to a file. A system that cannot do this runs
    /// the node as well: the keys are in pages that such a file leaves out.
    package static func hide() {
        _ = parlance_hide_memory()
        #if canImport(Glibc)
        let kind = __rlimit_resource_t(RLIMIT_CORE.rawValue)
        #else
        let kind = RLIMIT_CORE
        #endif
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        _ = setrlimit(kind, &none)
    }
}
