import Foundation

/// A socket whose queue of connections is full, as that of a program which takes none.
final class FullQueue {
    let path: String
    private let listener: Int32
    private var waiting: [Int32] = []

    init(_ path: String) throws {
        self.path = path
        listener = Self.socket()
        let isListening = Self.withAddress(path) { bind(listener, $0, $1) } == 0 && listen(listener, 1) == 0
        guard listener >= 0, isListening else { throw CocoaError(.fileWriteUnknown) }
        while !isFull {}
    }

    /// Whether one more connection is refused.
    var isFull: Bool {
        let one = Self.socket()
        guard Self.withAddress(path, { connect(one, $0, $1) }) == 0 else {
            Foundation.close(one)
            return true
        }
        waiting.append(one)
        return false
    }

    /// Takes the connections that wait.
    func takeAll() {
        for _ in waiting { Foundation.close(accept(listener, nil, nil)) }
    }

    func close() { for one in waiting + [listener] { Foundation.close(one) } }

    private static func socket() -> Int32 {
        Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
