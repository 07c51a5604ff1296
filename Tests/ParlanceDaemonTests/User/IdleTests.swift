import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// A user is away when the desktop or the screens say so, and then others see it.
    @Suite struct IdleTests {
        /// An hour, in seconds: long enough to be away at once.
        private let long: UInt64 = 3_600

        @Test func aDesktopThatIsIdleOrLockedMakesItsUserAway() async throws {
            try await Lab.run { lab in
                let bus = try await PrivateBus.start(in: lab)
                let logind = try SmallLogind(address: PrivateBus.address(in: lab.folder.path))
                logind.logIn()
                let pair = try await Pair.meeting(in: lab)
                let seen = { (presence: PresenceState) in
                    _ = try await pair.bob.sees("Ada", presence.rawValue) { $0.presence == presence }
                }
                try await seen(.online)

                logind.set(idle: long)
                try await seen(.away)
                let own = try await pair.ada.ask(PresenceOperation())
                let ago = ControlTime.now.milliseconds - (own.away?.since.milliseconds ?? 0)
                #expect(own.state == .online)
                #expect(own.away?.reason == .idle)
                #expect(abs(ago - Int64(long) * 1_000) < 60_000)
                let status = try await pair.ada.parlance("status").output
                #expect(status.split(separator: "\n").first?.contains("online, seen as away: no input since ") == true)

                logind.set(idle: nil)
                try await seen(.online)
                #expect(try await pair.ada.ask(PresenceOperation()).away == nil)

                logind.set(idle: nil, locked: true)
                try await seen(.away)
                let shown = try await pair.ada.parlance("presence").output
                #expect(shown.hasPrefix("You are online.\nOthers see you as away: the screen has been locked since "))
                #expect(shown.hasSuffix(". To be seen as online: parlance presence online\n"))
                #expect(try await pair.ada.parlance("presence", "online").output == "You are online.\n")
                try await seen(.online)

                logind.stop()
                try await bus.stop(in: lab)
            }
        }

        @Test func aNodeFollowsLogindWheneverThereIsOne() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await ada.start()
                let away = { (expected: AwayInfo.Reason?) in
                    try await eventually("Ada is away: \(expected, default: "no")", within: .seconds(30)) {
                        try await ada.ask(PresenceOperation()).away?.reason == expected
                    }
                }
                // The bus comes after the node, logind after the bus, and the desktop after logind.
                let first = try await PrivateBus.start(in: lab)
                var logind = try SmallLogind(address: PrivateBus.address(in: lab.folder.path))
                logind.set(idle: nil, locked: true)
                logind.logIn()
                try await away(.locked)
                logind.logOut()
                try await away(nil)
                logind.logIn()
                try await away(.locked)

                // A bus that is lost takes its session along; the next one is found again.
                logind.stop()
                try await away(nil)
                try await first.stop(in: lab)
                let second = try await PrivateBus.start(in: lab)
                logind = try SmallLogind(address: PrivateBus.address(in: lab.folder.path))
                logind.set(idle: long)
                logind.logIn()
                try await away(.idle)
                try await second.stop(in: lab)
                try await away(nil)
                logind.stop()
                let child = try #require(ada.child)
                #expect(try await ada.end(SIGTERM) == 0)
                #expect(child.complained == "", "it is silent about all that")
            }
        }

        @Test func aScreenSaysThatItsUserIsIdleAsLongAsItIsConnected() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let seen = { (presence: PresenceState) in
                    _ = try await pair.bob.sees("Ada", presence.rawValue) { $0.presence == presence }
                }
                let (chat, page) = (
                    try await ControlClient.connect(to: pair.ada.socketPath),
                    try await ControlClient.connect(to: pair.ada.socketPath)
                )
                let since = ControlTime(milliseconds: ControlTime.now.milliseconds - Int64(long) * 1_000)
                _ = try await chat.call(IdleOperation(idle: true, since: since))
                try await seen(.away)
                _ = try await page.call(IdleOperation(idle: false))
                try await seen(.online)
                await page.close()
                try await seen(.away)
                _ = try await chat.call(IdleOperation(idle: true))
                try await seen(.online)
                _ = try await chat.call(IdleOperation(idle: true, since: since))
                try await seen(.away)
                await chat.close()
                try await seen(.online)
            }
        }
    }
}

extension ControlTime {
    fileprivate static var now: ControlTime {
        ControlTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000))
    }
}
