import Foundation
import ParlanceWaiting

/// What one host of `TwoHosts` sends, on all its interfaces, by IPv4 or otherwise.
///
/// A script records each packet that leaves the host's system, in a line such as `eth0 10.77.0.2:80`.
struct PacketWatch {
    private let lab: Lab
    private let runner: [String]
    private let child: Child

    private static let script = #"""
        import socket
        watch = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        print("watching", flush=True)
        while True:
            packet, (interface, protocol, way, *_) = watch.recvfrom(65535)
            if way != socket.PACKET_OUTGOING: continue
            to = hex(protocol)
            if protocol == 0x0806: to = "arp " + socket.inet_ntoa(packet[24:28])
            if protocol == 0x0800:
                to, head = socket.inet_ntoa(packet[16:20]), (packet[0] & 15) * 4
                if packet[9] in (6, 17): to += ":" + str(int.from_bytes(packet[head + 2:head + 4], "big"))
            print(interface, to, flush=True)
        """#

    /// Sends one datagram to a port of this host.
    private static let mark = #"""
        import socket, sys
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"", ("127.0.0.1", int(sys.argv[1])))
        """#

    /// Begins to watch a host, whose IPv6 it turns off: the system sends packets of its own by it.
    init(_ lab: Lab, _ hosts: TwoHosts, on number: Int) async throws {
        self.lab = lab
        runner = hosts.runner(on: number)
        for which in ["all", "default"] {
            let setting = "net.ipv6.conf.\(which).disable_ipv6=1"
            _ = try await Self.run(lab, runner, "sysctl", ["-q", "-w", setting])
        }
        let child = try lab.start(runner, try Programs.system("python3"), ["-c", Self.script], name: "packets")
        try await eventually("the packets are watched") { child.printed.contains("watching\n") }
        self.child = child
    }

    private static func run(
        _ lab: Lab,
        _ runner: [String],
        _ program: String,
        _ arguments: [String]
    ) async throws -> Lab.Outcome {
        let words = runner.dropFirst() + [try Programs.system(program).path] + arguments
        return try await lab.run(try Programs.system(runner[0]), Array(words))
    }

    /// All packets that were sent so far; each destination once.
    ///
    /// - Parameter mark: a port that nothing uses, another one each time. A datagram to it shows that nothing is missing.
    func sent(mark: Int) async throws -> Set<String> {
        _ = try await Self.run(lab, runner, "python3", ["-c", Self.mark, "\(mark)"])
        let end = "lo 127.0.0.1:\(mark)\n"
        let lines = try await soon("the mark is seen") { () -> Substring? in
            let printed = child.printed
            return printed.range(of: end).map { printed[..<$0.lowerBound] }
        }
        return Set(lines.split(separator: "\n").dropFirst().map(String.init))
    }

    /// How many packets each interface has sent, by the system's own count.
    func counts() async throws -> String {
        let files = ["eth0", "lo"].map { "/sys/class/net/\($0)/statistics/tx_packets" }
        return try await Self.run(lab, runner, "cat", files).output
    }
}
