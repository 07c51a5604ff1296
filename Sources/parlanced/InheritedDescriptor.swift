import ArgumentParser
import Foundation
import ParlanceWords

/// A file descriptor that the program was started with.
enum InheritedDescriptor {
    /// Reads the number of one from an argument.
    ///
    /// - Throws: unless it is open. Checked before the program opens files of its own, which would get the number.
    static func parse(_ argument: String) throws -> Int32 {
        guard let number = Int32(argument), fcntl(number, F_GETFD) >= 0 else {
            throw ValidationError(
                say(
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
