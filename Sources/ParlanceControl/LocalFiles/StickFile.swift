#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An ordinary file of a stick that is open for reading; it is closed with the last reference.
package final class StickFile {
    package let descriptor: Int32
    /// Bytes, when it was opened.
    package internal(set) var size: UInt64 = 0

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }
}
