#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The descriptors 0 to 2 of this process.
package enum StandardStreams {
    /// Opens what was closed when the program started: otherwise the next file or socket gets its number, and output goes
    /// there. Reading finds nothing, and writing fails as before.
    package static func fill() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }
}
