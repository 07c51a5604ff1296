package import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension Charset {
    /// What is written to an open file: the terminal of this process has the characters of its locale, and all else UTF-8.
    package static func of(descriptor: Int32) -> Charset {
        guard isatty(descriptor) == 1 else { return .utf8 }
        return Charset { name in getenv(name).map { String(cString: $0) } }
    }
}
