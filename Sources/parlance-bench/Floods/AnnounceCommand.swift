import ArgumentParser
import Foundation

/// Announces invented peers by mDNS, as a hostile neighbour would: a new instance with each packet.
struct AnnounceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "announce",
        abstract: "A flood of mDNS announcements from this address, for a network namespace only."
    )

    @Option(help: "The address to send from.")
    var from: String

    @Option(help: "Announcements a second.")
    var rate = 10_000

    @Option(help: "How long, in seconds.")
    var seconds = 10

    func run() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        guard descriptor >= 0 else { throw BenchError("the system gives no socket") }
        defer { close(descriptor) }
        var on: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        var hops: UInt8 = 255
        setsockopt(descriptor, Int32(IPPROTO_IP), Int32(IP_MULTICAST_TTL), &hops, 1)
        var own = try Self.address(from, 5353)
        setsockopt(
            descriptor,
            Int32(IPPROTO_IP),
            Int32(IP_MULTICAST_IF),
            &own.sin_addr,
            socklen_t(MemoryLayout<in_addr>.size)
        )
        // Responders ignore answers that do not come from port 5353 (RFC 6762, section 6).
        guard Self.with(&own, { bind(descriptor, $0, $1) }) == 0 else {
            throw BenchError("\(from) is not a usable source address: \(String(cString: strerror(errno)))")
        }
        var group = try Self.address("224.0.0.251", 5353)
        guard Self.with(&group, { connect(descriptor, $0, $1) }) == 0 else {
            throw BenchError("mDNS does not work from \(from)")
        }
        let began = ContinuousClock.now
        var (packets, sent) = (0, 0)
        while began.duration(to: .now) < .seconds(seconds) {
            let due = Int(began.duration(to: .now).seconds * Double(rate))
            while packets < due {
                let packet = Self.packet(packets, own.sin_addr)
                if send(descriptor, packet, packet.count, 0) == packet.count { sent += 1 }
                packets += 1
            }
            poll(nil, 0, 5)
        }
        guard sent > 0 else { throw BenchError("no announcement left \(from): \(String(cString: strerror(errno)))") }
        print("{\"announced\":\(sent)}")
    }

    private static func address(_ text: String, _ port: UInt16) throws -> sockaddr_in {
        var result = sockaddr_in()
        result.sin_family = sa_family_t(AF_INET)
        result.sin_port = port.bigEndian
        guard inet_pton(AF_INET, text, &result.sin_addr) == 1 else { throw BenchError("not an IPv4 address: \(text)") }
        return result
    }

    private static func with<Result>(
        _ address: inout sockaddr_in,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// An announcement (RFC 6762, section 8.3): PTR, SRV, TXT and A of a new instance.
    private static func packet(_ number: Int, _ address: in_addr) -> [UInt8] {
        let service: [UInt8] = label("_parlance") + label("_tcp") + label("local") + [0]
        let instance = label("hostile-\(number)") + service
        let host = label("hostile-\(number)") + label("local") + [0]
        let text: [UInt8] = label("v=1") + label("id=abcdefgh")
        var bytes: [UInt8] = [0, 0, 0x84, 0, 0, 0, 0, 4, 0, 0, 0, 0]
        bytes += record(service, 12, instance)
        bytes += record(instance, 33, [0, 0, 0, 0] + short(UInt16(truncatingIfNeeded: 1_024 + number % 60_000)) + host)
        bytes += record(instance, 16, text)
        bytes += record(host, 1, withUnsafeBytes(of: address.s_addr) { Array($0) })
        return bytes
    }

    private static func record(_ name: [UInt8], _ type: UInt16, _ data: [UInt8]) -> [UInt8] {
        name + short(type) + [0, 1, 0, 0, 0, 120] + short(UInt16(data.count)) + data
    }

    private static func label(_ text: String) -> [UInt8] { [UInt8(text.utf8.count)] + Array(text.utf8) }

    private static func short(_ number: UInt16) -> [UInt8] { [UInt8(number >> 8), UInt8(number & 0xFF)] }
}
