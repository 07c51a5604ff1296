import CProgramArguments

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The environment of this program.
package enum ProgramEnvironment {
    /// The values are in the form of `ArgumentText`.
    package static var all: [String: String] {
        var result: [String: String] = [:]
        guard var next = parlance_environment() else { return [:] }
        while let entry = next.pointee {
            let pair = UnsafeRawBufferPointer(start: entry, count: strlen(entry))
            if let equals = pair.firstIndex(of: UInt8(ascii: "=")) {
                result[ArgumentText.text(pair[..<equals])] = ArgumentText.text(pair[(equals + 1)...])
            }
            next += 1
        }
        return result
    }
}
