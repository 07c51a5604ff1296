import Foundation
import ParlanceControl
import ParlanceWire
import Testing

extension ProgramTests {
    /// What a friend can take of a node.
    @Suite struct FriendTests {
        /// How many connections there are that somebody took at one of these nodes' ports.
        private static func links(of nodes: [LabNode]) throws -> Int {
            let ports = Set(nodes.map(\.port))
            let table = try String(contentsOfFile: "/proc/net/tcp", encoding: .utf8)
            return table.split(separator: "\n").count { line in
                let fields = line.split(whereSeparator: \.isWhitespace)
                guard fields.count > 3, let port = fields[1].split(separator: ":").last else { return false }
                return fields[3] == "01" && UInt16(port, radix: 16).map(ports.contains) == true
            }
        }

        /// Copies of Bob's folder run all at once: four of them have a link, the others hear that there is no room, and
        /// Ada writes to him all the same.
        @Test func manyCopiesOfAFriendHaveFourLinks() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                #expect(try await bob.end(SIGTERM) == 0)
                var copies = [bob]
                for number in 1...Limits.linksPerPeer + 1 {
                    let (name, port) = ("bob-\(number)", try Lab.freePort())
                    let copy = LabNode.onLoopback(lab, "Bob", folder: name, port: port, dials: [ada.port])
                    let made = try await lab.run(try Programs.system("cp"), ["-a", bob.folder.path, copy.folder.path])
                    try #require(made.code == 0, "\(made.errors)")
                    copies.append(copy)
                }
                for copy in copies { try await copy.start() }
                func areOut() async throws -> Int {
                    var count = 0
                    for copy in copies where try await copy.status().problems.contains(where: { $0.code == "noRoom" }) {
                        count += 1
                    }
                    return count
                }
                var last = (links: 0, out: 0)
                try await eventually("four have a link", within: .seconds(30), last: "\(last)") {
                    last = (try Self.links(of: [ada] + copies), try await areOut())
                    return last == (Limits.linksPerPeer, copies.count - Limits.linksPerPeer)
                }
                try await ada.send("to all of you", to: "Bob")
                try await ada.deliversAll()
                try await eventually("the linked ones read it") {
                    var count = 0
                    for copy in copies where try await copy.texts(with: "Ada").last == "to all of you" { count += 1 }
                    return count == Limits.linksPerPeer
                }
                #expect(try Self.links(of: [ada] + copies) == Limits.linksPerPeer)
            }
        }
    }
}
