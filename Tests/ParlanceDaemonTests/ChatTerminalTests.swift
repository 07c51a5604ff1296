import Foundation
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// The chat screen leaves its terminal as it was, whatever happens.
    @Suite struct ChatTerminalTests {
        private func screen(in lab: Lab) async throws -> (LabNode, ChatTerminal) {
            let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
            try await node.start()
            let screen = try ChatTerminal(node)
            try await screen.shows("Nobody is here yet.")
            #expect(!screen.isCooked)
            return (node, screen)
        }

        /// What is in the files of drafts; not what is being written beside one and has not taken its place.
        private func drafts(in lab: Lab) -> String {
            let folder = lab.folder.appending(path: ".local/state/parlance")
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.filter { $0.hasPrefix("drafts-") && !$0.hasSuffix(".new") }.map { name in
                (try? String(contentsOf: folder.appending(path: name), encoding: .utf8)) ?? ""
            }.joined()
        }

        @Test func itIsStoppedAndGoesOn() async throws {
            try await Lab.run { lab in
                let (_, screen) = try await screen(in: lab)
                screen.type("begun")
                try await screen.shows("> begun")
                for stop in 1...6 {
                    if stop.isMultiple(of: 2) { screen.type("\u{1A}") } else { try await screen.signal(SIGTSTP) }
                    try await eventually("it stops") { screen.stops == stop }
                    #expect(screen.isCooked)
                    try await screen.foreground()
                    try await screen.shows("> begun")
                    try await eventually("the terminal is raw again") { !screen.isCooked }
                }
                screen.type("\u{11}")
                #expect(try await screen.ended() == 0)
                #expect(screen.isCooked)
            }
        }

        @Test(arguments: [SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGSEGV, SIGABRT])
        func aSignalEndsItAndLeavesTheTerminal(signal: Int32) async throws {
            try await Lab.run { lab in
                let (_, screen) = try await screen(in: lab)
                try await screen.signal(signal)
                #expect(try await screen.ended() == 128 + signal)
                #expect(screen.isCooked)
                #expect(screen.modes.last { $0.hasPrefix("?1049") } == "?1049l")
            }
        }

        @Test func itEndsWithItsTerminal() async throws {
            try await Lab.run { lab in
                let (_, screen) = try await screen(in: lab)
                screen.hangUp()
                #expect(try await screen.ended() == 128 + SIGHUP)
            }
        }

        @Test func whatWasBegunOutlivesTheTerminal() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                var screen = try ChatTerminal(pair.ada, ["Bob"])
                try await screen.shows("first contact")
                screen.type("begun and nev")
                try await screen.shows("> begun and nev")
                screen.hangUp()
                #expect(try await screen.ended() == 128 + SIGHUP)

                screen = try ChatTerminal(pair.ada)
                try await screen.shows("> begun and nev")
                screen.type("er sent")
                try await screen.shows("> begun and never sent")
                // Nobody can do anything at this end: what was typed a moment ago is on the disk already.
                try await eventually("it is kept") { drafts(in: lab).contains("begun and never sent") }
                try await screen.signal(SIGKILL)
                #expect(try await screen.ended() == 128 + SIGKILL)

                screen = try ChatTerminal(pair.ada)
                try await screen.shows("> begun and never sent")
                screen.type("\r")
                try await eventually("Bob has the text") {
                    try await pair.bob.texts(with: "Ada").last == "begun and never sent"
                }
                try await eventually("nothing is kept") { drafts(in: lab).isEmpty }
                screen.type("\u{11}")
                #expect(try await screen.ended() == 0)
            }
        }

        @Test func aDaemonThatHangsHoldsNothing() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                node.child?.signal(SIGSTOP)
                let screen = try ChatTerminal(node)
                try await screen.shows("Waiting for the daemon")
                screen.type("\u{3}")
                #expect(try await screen.ended() == 0)
                #expect(screen.isCooked)
                node.child?.signal(SIGCONT)
            }
        }
    }
}
