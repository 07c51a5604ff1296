import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A file descriptor that a program was started with.
package enum InheritedDescriptor {
    /// An argument that names none.
    package struct NotOpen: Error, CustomStringConvertible {
        package let description: String
    }

    /// Reads the number of one from an argument. Read it before the program opens files of its own, which would get the
    /// number.
    ///
    /// - Throws: unless it is open.
    package static func parse(_ argument: String) throws(NotOpen) -> Int32 {
        guard let number = Int32(argument), fcntl(number, F_GETFD) >= 0 else {
            throw NotOpen(
                description: say(
                    """
                    \(argument) is not an open file descriptor. Open one for the program, for example: \
                    --passphrase-fd 3 3< secret.txt
                    """
                )
            )
        }
        return number
    }
}
