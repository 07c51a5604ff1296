import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// The figures of real daemons, as Prometheus reads them.
    @Suite struct StatsTests {
        /// Reads the text format: each metric has its HELP and TYPE lines before its samples.
        private func parse(_ text: String) throws -> [String: Int] {
            var values: [String: Int] = [:]
            var (helped, typed) = ("", "")
            for line in text.split(separator: "\n") {
                if let help = line.wholeMatch(of: /# HELP ([a-z_]+) \S.*/) {
                    helped = String(help.output.1)
                } else if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge)/) {
                    typed = String(type.output.1)
                    #expect(typed == helped)
                    #expect(typed.hasSuffix("_total") == (type.output.2 == "counter"), "\(typed)")
                } else {
                    let sample = try #require(
                        line.wholeMatch(of: /(([a-z_]+)(?:\{[a-z]+="[^"]*"\})?) (\d+)/),
                        "\(line)"
                    )
                    #expect(sample.output.2 == typed)
                    let isNew =
                        values.updateValue(try #require(Int(sample.output.3)), forKey: String(sample.output.1)) == nil
                    #expect(isNew, "\(line)")
                }
            }
            return values
        }

        private func figures(_ node: LabNode) async throws -> [String: Int] {
            let outcome = try await node.parlance("stats", "--prometheus")
            #expect(outcome.code == 0, "\(outcome.errors)")
            return try parse(outcome.output)
        }

        @Test func theFiguresSayWhatWasDone() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let before = try await figures(pair.ada)
                for number in 1...3 { try await pair.ada.send("text \(number)", to: "Bob") }
                try await pair.bob.send("answer", to: "Ada")
                try await pair.ada.deliversAll()
                try await eventually("Ada has the answer") { try await pair.ada.texts(with: "Bob").contains("answer") }
                let after = try await figures(pair.ada)
                func grew(_ name: String) -> Int { (after[name] ?? -1) - (before[name] ?? 0) }
                #expect(grew("parlance_messages_written_total") == 3)
                #expect(grew("parlance_messages_received_total") == 1)
                #expect(grew("parlance_batches_total") > 0 && after["parlance_batches_failed_total"] == 0)
                #expect(grew("parlance_frames_sent_total") > 0 && grew("parlance_received_bytes_total") > 0)
                // Three texts and what belongs to them.
                #expect(grew("parlance_sent_bytes_total") > 3 * "text 1".utf8.count)
                #expect(after.keys.allSatisfy { $0.hasPrefix("parlance_") })
                #expect(after["parlance_peers_connected"] == 1 && after["parlance_peers_accepted"] == 1)
                #expect((after["parlance_links_opened_total"] ?? 0) >= 1)
                #expect((after["parlance_store_bytes"] ?? 0) > 0)
                #expect((after["parlance_resident_memory_bytes"] ?? 0) > 1_000_000)
                #expect(after["parlance_build_info{version=\"\(ParlanceVersion.text)\"}"] == 1)
                #expect(after["parlance_outbox_entries{status=\"staged\"}"] == 0)

                // However many wait, each is counted by its status.
                _ = try await pair.bob.ask(BlockOperation(who: "Ada"))
                for number in 1...1_001 { try await pair.ada.send("refused \(number)", to: "Bob") }
                var refused: [String: Int] = [:]
                try await eventually("all are refused", within: .seconds(30), last: "\(refused)") {
                    refused = try await figures(pair.ada)
                    return refused["parlance_outbox_entries{status=\"failed\"}"] == 1_001
                }
                #expect(refused["parlance_outbox_entries{status=\"staged\"}"] == 0)
                _ = try await pair.bob.ask(UnblockOperation(who: "Ada"))
                _ = try await pair.ada.parlance("outbox", "retry", try await pair.ada.outbox()[0].id)
                try await pair.ada.deliversAll(within: .seconds(40))

                try await pair.bob.end(SIGTERM)
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                try await pair.ada.send("later", to: "Bob")
                let alone = try await figures(pair.ada)
                #expect(alone["parlance_outbox_entries{status=\"staged\"}"] == 1)
                #expect(alone["parlance_peers_connected"] == 0)
                #expect((alone["parlance_links_closed_total"] ?? 0) > (after["parlance_links_closed_total"] ?? 0))
            }
        }
    }
}
