#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Says whose process is at the other end of a connection within this machine (proc(5), `/proc/net/tcp`).
enum ConnectionOwner: Equatable {
    case user(UInt32)
    /// The other end is closed or not there; the kernel shows such a one as root's.
    case gone
    /// The system does not tell.
    case unknown

    /// The owner of the connection from `clientPort` of 127.0.0.1 to `serverPort`.
    static func find(from clientPort: UInt16, to serverPort: UInt16) -> ConnectionOwner {
        read("/proc/net/tcp").map { find(in: $0, from: clientPort, to: serverPort) } ?? .unknown
    }

    /// Finds the client's end in the table: its own address, the other one and the state are the second to the fourth
    /// column, its owner is the eighth.
    static func find(in table: String, from clientPort: UInt16, to serverPort: UInt16) -> ConnectionOwner {
        let (client, server) = (entry(clientPort), entry(serverPort))
        for line in table.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: " ", omittingEmptySubsequences: true)
            guard columns.count > 7, columns[1] == client, columns[2] == server else { continue }
            guard columns[3] == established, let user = UInt32(columns[7]) else { return .gone }
            return .user(user)
        }
        return .gone
    }

    private static let established = "01"

    /// 127.0.0.1 as the kernel prints it: a number in the machine's byte order.
    private static func entry(_ port: UInt16) -> String {
        let address = UInt32(0x7F00_0001).bigEndian
        return hex(UInt64(address), 8) + ":" + hex(UInt64(port), 4)
    }

    private static func hex(_ number: UInt64, _ digits: Int) -> String {
        let text = String(number, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }

    private static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece[..<count]
        }
    }
}
