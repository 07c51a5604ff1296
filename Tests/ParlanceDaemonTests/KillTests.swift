import Foundation
import ParlanceControl
import ParlanceCore
import Testing

extension ProgramTests {
    /// Kills under load at random moments: no accepted message is lost, doubled or out of order.
    @Suite struct KillTests {
        private static let kills = 50

        /// One kill, for the report of a failure.
        private struct Kill: CustomStringConvertible {
            let number: Int
            let victims: [String]
            let moment: Duration
            let accepted: [Int]
            var description: String {
                "kill \(number) of \(victims.joined(separator: " and ")) at \(moment), accepted so far \(accepted)"
            }
        }

        @Test func nothingAcceptedIsLost() async throws {
            let seed =
                ProcessInfo.processInfo.environment["PARLANCE_SEED"].flatMap(UInt64.init) ?? .random(in: 1 ... .max)
            print("kill test: PARLANCE_SEED=\(seed)")
            try await Lab.run(limit: .seconds(180)) { lab in
                let pair = try await Pair.meeting(in: lab)
                let replicas = [try await pair.ada.status().replica, try await pair.bob.status().replica]
                let loads = [KillLoad(from: pair.ada, to: "Bob"), KillLoad(from: pair.bob, to: "Ada")]
                let kills = try await Self.underLoad(loads) { try await Self.killAtRandom(loads, seed: seed) }
                try await Self.check(loads, kills, seed: seed)
                // A crash is not a restored backup: each node keeps its replica.
                let after = [try await pair.ada.status().replica, try await pair.bob.status().replica]
                #expect(after == replicas, "PARLANCE_SEED=\(seed)")
            }
        }

        private static func underLoad<Value: Sendable>(
            _ loads: [KillLoad],
            _ body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for load in loads { group.addTask { try await load.run() } }
                let value = try await body()
                for load in loads { load.stop() }
                try await group.waitForAll()
                return value
            }
        }

        /// Kills one or both at random moments, some of them during their start, and starts them again at once.
        private static func killAtRandom(_ loads: [KillLoad], seed: UInt64) async throws -> [Kill] {
            var random = SeededGenerator(seed: seed)
            var done: [Kill] = []
            let begin = ContinuousClock.now
            for number in 1...kills {
                let isEarly = random.below(8) == 0
                if !isEarly { for load in loads { try await load.node.ready() } }
                try await Task.sleep(for: .milliseconds(20 + random.below(isEarly ? 150 : 280)))
                let victims =
                    switch random.below(10) {
                    case 0, 1: loads
                    case let number: [loads[Int(number % 2)]]
                    }
                done.append(
                    Kill(
                        number: number,
                        victims: victims.map(\.node.name),
                        moment: ContinuousClock.now - begin,
                        accepted: loads.map(\.soFar.accepted.count)
                    )
                )
                for victim in victims { try await victim.node.kill() }
                for victim in victims { try victim.node.spawn() }
            }
            for load in loads { try await load.node.ready() }
            return done
        }

        private static func check(_ loads: [KillLoad], _ kills: [Kill], seed: UInt64) async throws {
            let settled = ContinuousClock.now
            for load in loads { try await load.node.deliversAll(within: .seconds(60)) }
            let healing = ContinuousClock.now - settled
            var shown: [[MessageInfo]] = []
            for load in loads {
                shown.append(
                    try await load.node.history(with: load.recipient, page: 200).filter { $0.text != "first contact" }
                )
            }
            let check = KillCheck(loads, shown: shown)
            let accepted = loads.map(\.soFar.accepted.count)
            print("kill test: \(kills.count) kills in \(kills.last?.moment ?? .zero)")
            print("kill test: accepted \(accepted), everything was delivered \(healing) after the last")
            for breach in check.breaches.prefix(20) {
                Issue.record("\(breach); PARLANCE_SEED=\(seed); last kills: \(kills.suffix(3))")
            }
            #expect(check.breaches.isEmpty, "\(check.breaches.count) breaches; PARLANCE_SEED=\(seed)")
            for load in loads {
                #expect(load.soFar.refused.isEmpty, "a living daemon refused; PARLANCE_SEED=\(seed)")
                // Fewer messages would mean that the daemons were not under load.
                #expect(load.soFar.accepted.count > 10 * Self.kills)
            }
        }
    }
}
