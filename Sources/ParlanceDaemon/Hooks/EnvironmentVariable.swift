import Glibc

/// A variable for a program that the daemon starts, as the system has it: the value is bytes, which need not be text.
struct EnvironmentVariable: Equatable, Sendable, ExpressibleByStringInterpolation {
    /// `NAME=VALUE`
    let bytes: [UInt8]

    init(_ name: String, _ value: some Sequence<UInt8>) {
        bytes = Array("\(name)=".utf8) + value
    }

    init(_ name: String, _ value: String) {
        self.init(name, value.utf8)
    }

    /// - Parameter value: `NAME=VALUE`
    init(stringLiteral value: String) {
        bytes = Array(value.utf8)
    }

    /// The value of a variable of this program; nil if there is none.
    static func value(_ name: String) -> [UInt8]? {
        getenv(name).map { UnsafeBufferPointer(start: $0, count: strlen($0)).map { UInt8(bitPattern: $0) } }
    }
}
