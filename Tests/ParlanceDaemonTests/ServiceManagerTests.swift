import Foundation
import Logging
import ParlanceWaiting
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension ProgramTests {
    /// What the daemon tells systemd when it runs as its service.
    @Suite struct ServiceManagerTests {
        /// The socket at which systemd would listen.
        private final class NotifySocket {
            let path: String
            private let descriptor: Int32
            private var received: [String] = []

            init(in folder: URL) throws {
                path = folder.appendingPathComponent("notify").path
                #if canImport(Glibc)
                descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
                #else
                descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
                #endif
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
                let result = withUnsafePointer(to: &address) { pointer in
                    pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                try #require(descriptor >= 0 && result == 0)
            }

            deinit { close(descriptor) }

            /// The lines of everything that was told until now.
            func lines() -> [String] {
                var piece = [UInt8](repeating: 0, count: 4096)
                while case let count = recv(descriptor, &piece, piece.count, Int32(MSG_DONTWAIT)), count > 0 {
                    received += String(decoding: piece[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
                }
                return received
            }
        }

        @Test func systemdHearsOfTheStartOfLifeAndOfTheStop() async throws {
            try await Lab.run { lab in
                let socket = try NotifySocket(in: lab.folder)
                let node = LabNode(
                    lab,
                    "Ada",
                    port: try Lab.freePort(),
                    runner: LabNode.withoutTerminal
                        + ["env", "NOTIFY_SOCKET=\(socket.path)", "WATCHDOG_USEC=300000"],
                    arguments: ["--listen", "127.0.0.1", "--mdns", "off"],
                    isNamed: false
                )
                try await node.start()
                try await eventually("three signs of life") { socket.lines().count { $0 == "WATCHDOG=1" } >= 3 }
                let begin = socket.lines().prefix(2)
                #expect(begin.first == "READY=1")
                #expect(begin.last?.hasPrefix("STATUS=ready: ") == true)
                _ = try await node.parlance("name", "Zoe")
                node.child?.signal(SIGHUP)
                try await eventually("the end of a reload") { socket.lines().count { $0 == "READY=1" } == 2 }
                #expect(socket.lines().count { $0 == "RELOADING=1" } == 1)
                #expect(socket.lines().last { $0.hasPrefix("STATUS=") }?.hasPrefix("STATUS=ready: Zoe") == true)
                #expect(try await node.end(SIGTERM) == 0)
                let end = socket.lines()
                #expect(end.contains("STOPPING=1"))
            }
        }
    }
}

@Suite struct DaemonLogTests {
    @Test(
        arguments: [
            (Logger.Level.trace, 7), (.debug, 7), (.info, 6), (.notice, 5), (.warning, 4), (.error, 3), (.critical, 2),
        ]
    )
    func aLineForTheJournalBeginsWithItsPriority(_ level: Logger.Level, _ priority: Int) {
        let event = LogEvent(
            level: level,
            message: "two\nlines",
            metadata: ["peer": "abc"],
            source: nil,
            file: #fileID,
            function: #function,
            line: #line
        )
        #expect(DaemonLog.journalLine(event, metadata: ["port": "7"]) == "<\(priority)>two lines peer=abc port=7\n")
    }

    @Test func theThresholdHoldsForAllCopiesOfALogger() {
        let threshold = DaemonLog.Threshold(.info)
        let logger = Logger(label: "test") { DaemonLog(label: $0, threshold: threshold, isForJournal: true) }
        var quiet = logger
        quiet.logLevel = .error
        threshold.value = .debug
        #expect(logger.logLevel == .debug)
        #expect(quiet.logLevel == .error)
    }
}
