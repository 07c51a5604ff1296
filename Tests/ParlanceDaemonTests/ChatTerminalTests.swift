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
