import Foundation
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// What Dispatch writes where it may not set the priority of a thread: into the journal, or here into standard error.
    @Suite struct ThreadPriorityTests {
        /// Runs a program as somebody who may not raise a priority.
        private static func start(_ name: String, _ arguments: [String], in lab: Lab) throws -> Child {
            var environment = Programs.environment(home: lab.folder.path)
            environment["LIBDISPATCH_LOG"] = "stderr"
            let program = [try Programs.own(name).path] + arguments
            let base = lab.nextBase(name)
            // Nobody but root has this right, and only root can give it up.
            guard getuid() == 0 else {
                return try Child(URL(fileURLWithPath: program[0]), arguments, environment: environment, base: base)
            }
            let without = ["--bounding-set=-sys_nice", "--inh-caps=-sys_nice"]
            return try Child(try Programs.system("setpriv"), without + program, environment: environment, base: base)
        }

        @Test func nothingIsLoggedOfIt() async throws {
            try await Lab.run { lab in
                let command = try Self.start("parlance", ["status"], in: lab)
                #expect(try await command.ended(within: .seconds(30)) == 2)
                #expect(command.complained.contains("No daemon answers"))
                #expect(!command.complained.contains("thread priority"), "\(command.complained)")

                let data = lab.folder.appendingPathComponent("data").path
                let daemon = try Self.start("parlanced", ["--data-dir", data], in: lab)
                try await eventually("the daemon is ready") { daemon.printed.contains("ready: ") }
                daemon.signal(SIGTERM)
                #expect(try await daemon.ended(within: .seconds(30)) == 0, "\(daemon.complained)")
                #expect(!daemon.complained.contains("thread priority"), "\(daemon.complained)")
            }
        }
    }
}
