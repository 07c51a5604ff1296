import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Folders that are restored or copied, or lose their guard, with the real daemon and a peer that remembers.
    @Suite struct RestoredFolderTests {
        /// Copies a folder with `cp -a`, which keeps everything except the inodes.
        private static func copy(_ from: URL, to: URL, in lab: Lab) async throws {
            let copied = try await lab.run(try Programs.system("cp"), ["-a", from.path, to.path])
            try #require(copied.code == 0, "\(copied.errors)")
        }

        /// Replaces the folder of a stopped node by a backup.
        private static func restore(_ node: LabNode, from backup: URL, in lab: Lab) async throws {
            try FileManager.default.moveItem(at: node.folder, to: lab.folder.appendingPathComponent("set-aside"))
            try await copy(backup, to: node.folder, in: lab)
        }

        private static func says(_ code: String, _ node: LabNode) async throws -> NodeStatus.Problem? {
            try await node.status().problems.first { $0.code == code }
        }

        /// Waits until both show exactly these messages in this order.
        private static func bothShow(_ texts: [String], _ ada: LabNode, _ bob: LabNode) async throws {
            for (node, other) in [(ada, "Bob"), (bob, "Ada")] {
                var last: [String] = []
                try await eventually("\(node.name) shows \(texts.count) messages", last: "\(last)") {
                    last = try await node.texts(with: other)
                    return last.count >= texts.count
                }
                #expect(last == texts, "\(node.name)")
            }
            let (ours, theirs) = (try await ada.history(with: "Bob"), try await bob.history(with: "Ada"))
            #expect(ours.map(\.id) == theirs.map(\.id))
        }

        @Test func aRestoredFolderIsANewReplicaAndItsHistoryComesBack() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                let old = try await ada.status().replica
                try await ada.send("before the backup", to: "Bob")
                try await ada.deliversAll()
                #expect(try await ada.end(SIGTERM) == 0)
                let backup = lab.folder.appendingPathComponent("backup")
                try await Self.copy(ada.folder, to: backup, in: lab)

                try await ada.start()
                #expect(try await ada.status().replica == old)
                try await ada.send("after the backup", to: "Bob")
                try await ada.deliversAll()
                try await bob.send("answer", to: "Ada")
                try await bob.deliversAll()
                #expect(try await ada.end(SIGTERM) == 0)
                // Bob writes this while Ada is away.
                try await bob.send("while Ada was away", to: "Ada")

                try await Self.restore(ada, from: backup, in: lab)
                try await ada.start()
                let new = try await ada.status().replica
                #expect(new != old)
                let problem = try #require(try await Self.says("copy", ada))
                #expect(
                    problem.message.english.contains("restored")
                        && problem.advice.english.contains("Nothing has to be done")
                )
                try await Self.bothShow(
                    ["first contact", "before the backup", "after the backup", "answer", "while Ada was away"],
                    ada,
                    bob
                )
                try await ada.send("on at once", to: "Bob")
                try await eventually("Bob reads on") { try await bob.texts(with: "Ada").last == "on at once" }
                try await bob.send("welcome back", to: "Ada")
                let all = [
                    "first contact", "before the backup", "after the backup", "answer", "while Ada was away",
                    "on at once", "welcome back",
                ]
                try await Self.bothShow(all, ada, bob)
                // After a plain restart the node keeps the new replica and reports nothing; every status is known
                // again.
                #expect(try await ada.end(SIGTERM) == 0)
                try await ada.start()
                #expect(try await ada.status().replica == new)
                #expect(try await Self.says("copy", ada) == nil)
                try await ada.deliversAll()
                try await Self.bothShow(all, ada, bob)
            }
        }

        /// Messages that are written at once, before the peer is linked, are ordered with those that the peer gives
        /// back.
        @Test func whatIsWrittenBeforeThePeerComesIsNotLost() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                #expect(try await ada.end(SIGTERM) == 0)
                let backup = lab.folder.appendingPathComponent("backup")
                try await Self.copy(ada.folder, to: backup, in: lab)
                try await ada.start()
                for number in 1...20 { try await ada.send("lost \(number)", to: "Bob") }
                try await ada.deliversAll()
                try await ada.kill()
                try await bob.kill()
                try await Self.restore(ada, from: backup, in: lab)
                try await ada.start()
                for number in 1...20 { try await ada.send("new \(number)", to: "Bob") }
                try await bob.start()
                let expected =
                    ["first contact"] + (1...20).map { "lost \($0)" } + (1...20).map { "new \($0)" }
                try await Self.bothShow(expected, ada, bob)
            }
        }

        @Test func twoDaemonsOnClonesAreTwoReplicasThatShareEverything() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                let first = try await ada.status().replica
                #expect(try await ada.end(SIGTERM) == 0)
                let port = try Lab.freePort()
                let clone = LabNode.onLoopback(lab, "Ada", folder: "clone", port: port, dials: [bob.port])
                try await Self.copy(ada.folder, to: clone.folder, in: lab)
                try await ada.start()
                try await clone.start()
                let statuses = [try await ada.status(), try await clone.status()]
                #expect(statuses[0].replica == first && statuses[1].replica != first)
                #expect(statuses[0].peerID == statuses[1].peerID)
                #expect(statuses[0].ofCopies.isEmpty, "\(statuses[0].problems)")
                #expect(statuses[1].ofCopies == ["copy"], "\(statuses[1].problems)")

                try await ada.sees("Bob", "connected") { $0.connected }
                try await clone.sees("Bob", "connected") { $0.connected }
                try await ada.send("from the first", to: "Bob")
                try await Self.bothShow(["first contact", "from the first"], clone, bob)
                try await clone.send("from the clone", to: "Bob")
                try await Self.bothShow(["first contact", "from the first", "from the clone"], ada, bob)
                // Neither copy takes the other's replica at its next start.
                for node in [ada, clone] { try await node.kill() }
                for node in [ada, clone] { try await node.start() }
                #expect(try await ada.status().replica == first)
                #expect(try await clone.status().replica == statuses[1].replica)
                try await Self.bothShow(["first contact", "from the first", "from the clone"], ada, bob)
            }
        }

        @Test func aPlainRestartAndAKillKeepTheReplica() async throws {
            let seed = UInt64.random(in: 1 ... .max)
            print("seed \(seed)")
            try await Lab.run { lab in
                var random = SeededGenerator(seed: seed)
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let replica = try await node.status().replica
                for round in 1...24 {
                    if round % 4 == 0 {
                        try await node.ready()
                        #expect(try await node.end(SIGTERM) == 0)
                    } else {
                        try await node.kill()
                    }
                    try node.spawn()
                    // In most rounds the kill comes during the start.
                    if round % 3 != 0 { try await Task.sleep(for: .milliseconds(random.below(120))) }
                    if round % 3 == 0 { try await node.ready() }
                }
                try await node.kill()
                try await node.start()
                let status = try await node.status()
                #expect(status.replica == replica && status.ofCopies.isEmpty, "seed \(seed)")
            }
        }

        /// Each guard is outside the data folder, in the home folder of the test, and only its owner can read it.
        @Test func theGuardLiesInTheStateFolder() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let state = lab.folder.appendingPathComponent(".local/state/parlance")
                let files = try FileManager.default.contentsOfDirectory(at: state, includingPropertiesForKeys: nil)
                let file = try #require(files.first)
                #expect(files.count == 1 && file.lastPathComponent.hasPrefix("guard-"))
                for (path, mode) in [(file.path, 0o600), (state.path, 0o700)] {
                    #expect(try permissions(path) == mode, "\(path)")
                }
                let replica = try await node.status().replica
                #expect(try String(contentsOf: file, encoding: .utf8).contains(replica))

                // The guard is damaged, then removed: each time the node gets a new replica, reports it once, and keeps
                // it.
                var seen: Set<String> = [replica]
                for round in 1...2 {
                    #expect(try await node.end(SIGTERM) == 0)
                    try FileManager.default.removeItem(at: file)
                    if round == 1 { try Data("junk".utf8).write(to: file) }
                    try await node.start()
                    seen.insert(try await node.status().replica)
                    #expect(seen.count == round + 1)
                    #expect(try await node.status().ofCopies == ["copy"])
                }
                #expect(try await node.end(SIGTERM) == 0)
                try await node.start()
                #expect(seen.contains(try await node.status().replica))
            }
        }

        /// If the state folder of a container is not kept, each start makes a new replica: after a few, the node tells
        /// the user what to keep, and everybody can still read everything.
        @Test func aMachineThatForgetsIsToldSo() async throws {
            try await Lab.run(limit: .seconds(90)) { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                let state = lab.folder.appendingPathComponent(".local/state/parlance")
                func note() async throws -> URL {
                    let replica = try await ada.status().replica
                    let files = try FileManager.default.contentsOfDirectory(at: state, includingPropertiesForKeys: nil)
                    return try #require(
                        files.first { (try? String(contentsOf: $0, encoding: .utf8))?.contains(replica) == true }
                    )
                }
                // The first two times the folder may have been moved to a new computer.
                for (round, code) in ["copy", "copy", "forgetful"].enumerated() {
                    let (replica, file) = (try await ada.status().replica, try await note())
                    #expect(try await ada.end(SIGTERM) == 0)
                    try FileManager.default.removeItem(at: file)
                    try await ada.start()
                    #expect(try await ada.status().replica != replica)
                    #expect(try await ada.status().ofCopies == [code], "round \(round)")
                    try await ada.send("\(round)", to: "Bob")
                    try await ada.deliversAll()
                }
                let problem = try #require(try await Self.says("forgetful", ada))
                #expect(
                    problem.advice.english.contains(state.path) && problem.advice.english.contains("/etc/machine-id")
                )
                let doctor = try await ada.parlance("doctor")
                #expect(doctor.output.contains("does not keep the node's state folder"), "\(doctor.output)")
                try await Self.bothShow(["first contact", "0", "1", "2"], ada, bob)
                // A guard of another computer: the replica is known here, so this counts as a copy and not as a lost
                // state folder.
                let file = try await note()
                #expect(try await ada.end(SIGTERM) == 0)
                let known = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
                var elsewhere = try #require(known)
                elsewhere["machine"] = "another"
                try JSONSerialization.data(withJSONObject: elsewhere).write(to: file)
                try await ada.start()
                let moved = try #require(try await Self.says("copy", ada))
                #expect(moved.message.english.contains("it was used on another computer last"))
                #expect(try await ada.status().ofCopies == ["copy"])
                // If the guard is kept, the node keeps its replica and reports nothing.
                #expect(try await ada.end(SIGTERM) == 0)
                try await ada.start()
                #expect(try await ada.status().ofCopies.isEmpty)
            }
        }

        @Test func aGuardThatCannotBeWrittenIsToldAndStopsNothing() async throws {
            try await Lab.run { lab in
                let state = lab.folder.appendingPathComponent(".local/state")
                try FileManager.default.createDirectory(
                    at: state.deletingLastPathComponent(),
                    withIntermediateDirectories: false
                )
                // A file in place of the folder prevents writing even for root.
                try Data().write(to: state)
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                let problem = try #require(try await Self.says("guard", node))
                #expect(
                    problem.message.english.contains(state.path) && problem.advice.english.contains("XDG_STATE_HOME")
                )
                let shown = try await node.parlance("status")
                #expect(shown.output.contains("Problem: The guard file"))
                #expect(node.child?.complained.contains("guard") == true)
            }
        }
    }
}

extension NodeStatus {
    /// The codes of the problems except those of the test machine.
    fileprivate var ofCopies: [String] { problems.map(\.code).filter { $0 != "network" && $0 != "disk" } }
}
