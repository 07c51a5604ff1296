import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWire
import Testing

extension ProgramTests {
    /// Limits for a friend.
    @Suite struct FriendTests {
        /// How many copies of a friend are linked with a node, and how many hear that there is no room.
        private struct Standing: Equatable, CustomStringConvertible {
            var linked = 0
            var out = 0
            var description: String { "\(linked) linked, \(out) without room" }

            init(linked: Int = 0, out: Int = 0) { (self.linked, self.out) = (linked, out) }

            init(of copies: [LabNode], with name: String) async throws {
                for copy in copies {
                    if try await copy.peer(name)?.connected == true { linked += 1 }
                    if try await copy.status().problems.contains(where: { $0.code == "noRoom" }) { out += 1 }
                }
            }
        }

        /// Several copies of Bob's folder run at once: four have a link, the others hear that there is no room, and Ada
        /// can write to him.
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
                let wanted = Standing(linked: Limits.linksPerPeer, out: copies.count - Limits.linksPerPeer)
                var last = Standing()
                try await eventually("four have a link", within: .seconds(30), last: "\(last)") {
                    last = try await Standing(of: copies, with: "Ada")
                    return last == wanted
                }
                try await ada.send("to all of you", to: "Bob")
                try await ada.deliversAll()
                var readers = 0
                try await eventually("the linked ones read it", last: "\(readers) do") {
                    readers = 0
                    for copy in copies where try await copy.texts(with: "Ada").last == "to all of you" { readers += 1 }
                    return readers == Limits.linksPerPeer
                }
                #expect(try await Standing(of: copies, with: "Ada") == wanted)
            }
        }
    }
}
