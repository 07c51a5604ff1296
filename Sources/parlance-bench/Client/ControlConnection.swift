import Foundation

/// A connection to a daemon's control socket that uses little processor time.
///
/// The bench shares the processors with the daemons that it measures, so this client has one thread and no JSON
/// library: it writes prepared bytes, many requests in one write, and searches replies for the few members it needs.
final class ControlConnection {
    /// A daemon that owes a reply and sends nothing for this many seconds counts as stuck.
    private static let patienceSeconds = 120
    private static let inputBytes = 256 * 1024

    private let descriptor: Int32
    private var input = [UInt8](repeating: 0, count: inputBytes)
    /// How many bytes of `input` are filled.
    private var filled = 0
    private var output: [UInt8] = []
    private var lastID: UInt64 = 0

    init(_ path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("the system gives no socket") }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < room else { throw BenchError("\(path) is too long for a socket's path") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard result == 0 else {
            close(descriptor)
            throw BenchError("no daemon answers at \(path): \(String(cString: strerror(errno)))")
        }
        var patience = timeval(tv_sec: Self.patienceSeconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Appends a request to those that wait to be written.
    ///
    /// - Parameter parameters: a JSON object.
    /// - Returns: the ID that the reply will have.
    @discardableResult
    func ask(_ method: StaticString, _ parameters: some Sequence<UInt8>) -> UInt64 {
        lastID += 1
        output.append(literal: "{\"jsonrpc\":\"2.0\",\"id\":")
        output.append(decimal: lastID)
        output.append(literal: ",\"method\":\"")
        output.append(literal: method)
        output.append(literal: "\",\"params\":")
        output.append(contentsOf: parameters)
        output.append(literal: "}\n")
        return lastID
    }

    /// Writes the waiting requests, waits for bytes, and passes each complete line to `take`.
    func exchange(_ take: (DaemonLine) throws -> Void) throws {
        try write()
        try read()
        var begin = 0
        try input.withUnsafeBytes { bytes in
            while let start = bytes.baseAddress?.advanced(by: begin), begin < filled,
                let end = memchr(start, Int32(UInt8(ascii: "\n")), filled - begin)
            {
                let length = UnsafeRawPointer(end) - start
                try take(DaemonLine(bytes: UnsafeRawBufferPointer(start: start, count: length)))
                begin += length + 1
            }
        }
        if begin > 0 {
            input.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                memmove(base, base + begin, filled - begin)
            }
            filled -= begin
        }
    }

    /// Writes as many bytes as the daemon accepts now.
    private func write() throws {
        guard !output.isEmpty else { return }
        let count = send(descriptor, output, output.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
        guard count >= 0 || errno == EAGAIN else { throw Self.lost }
        output.removeFirst(max(0, count))
    }

    /// Waits for bytes, or until the daemon accepts more of the waiting requests.
    private func read() throws {
        var flags: Int32 = 0
        if !output.isEmpty {
            var both = pollfd(fd: descriptor, events: Int16(POLLIN | POLLOUT), revents: 0)
            guard poll(&both, 1, Int32(Self.patienceSeconds * 1000)) != 0 else { throw Self.silent }
            flags = Int32(MSG_DONTWAIT)
        }
        if filled == input.count { input += [UInt8](repeating: 0, count: input.count) }
        let filled = filled
        let count = input.withUnsafeMutableBytes { bytes in
            recv(descriptor, bytes.baseAddress.map { $0 + filled }, bytes.count - filled, flags)
        }
        if count > 0 {
            self.filled += count
        } else if count == 0 || errno != EAGAIN {
            throw Self.lost
        } else if flags == 0 {
            throw Self.silent
        }
    }

    private static var lost: BenchError { BenchError("the daemon closed the connection") }
    private static var silent: BenchError { BenchError("the daemon was silent for \(patienceSeconds) s") }
}

extension [UInt8] {
    /// Appends a constant text.
    mutating func append(literal text: StaticString) {
        append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a number in decimal digits.
    mutating func append(decimal number: UInt64) {
        let start = count
        var rest = number
        repeat {
            append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }
}
