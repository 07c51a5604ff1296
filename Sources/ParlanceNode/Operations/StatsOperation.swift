import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceStore
import ParlanceWords

extension StatsOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> StatsReply {
        let view = try await node.ask(.status, \.status)
        let places = view.doctor.people.map { Place.peer($0.view) } + view.groups.map { .group($0) }
        return try await node.read {
            let problems = node.diagnosis(view.doctor).problems
            let counts = try node.counts(places)
            let metrics =
                node.countedMetrics + Self.metrics(counts, known: view.doctor.people.count)
                + [Self.outbox(try node.outboxStatuses(places)), Self.problems(problems)] + node.machineMetrics
            return StatsReply(metrics: metrics)
        }
    }

    private static func metrics(_ counts: NodeStatus.Counts, known: Int) -> [Metric] {
        [
            Metric("parlance_peers_known", .gauge, "Peers that this node knows.", known),
            Metric("parlance_peers_nearby", .gauge, "Peers that discovery sees.", counts.nearby),
            Metric("parlance_peers_connected", .gauge, "Peers with an authenticated link.", counts.connected),
            Metric("parlance_peers_accepted", .gauge, "Peers that are accepted.", counts.accepted),
            Metric("parlance_requests", .gauge, "Peers that ask to talk.", counts.requests),
            Metric("parlance_conversations", .gauge, "Conversations.", counts.conversations),
            Metric("parlance_messages_unread", .gauge, "Messages that the user has not read.", counts.unread),
        ]
    }

    /// The states of an outbox entry, each with its count, also if it is 0.
    private static func outbox(_ counts: [MessageStatus: Int]) -> Metric {
        let statuses: [MessageStatus] = [.staged, .sending, .sent, .delivered, .failed]
        return Metric(
            "parlance_outbox_entries",
            .gauge,
            "Entries of the outbox: what has not reached every recipient, or has failed for good.",
            statuses.map { Metric.Sample(counts[$0] ?? 0, label: "status", $0.rawValue) }
        )
    }

    private static func problems(_ problems: [NodeStatus.Problem]) -> Metric {
        let severities: [NodeStatus.Problem.Severity] = [.problem, .note]
        return Metric(
            "parlance_problems",
            .gauge,
            "Findings of parlance doctor.",
            severities.map { severity in
                Metric.Sample(problems.count { $0.severity == severity }, label: "severity", severity.rawValue)
            }
        )
    }
}

extension LocalControl {
    /// What the node has counted since its start.
    fileprivate var countedMetrics: [Metric] {
        let (counted, around) = (facts.counters.now, host.report.counts)
        func counter(_ name: String, _ help: String, _ value: Int) -> Metric {
            Metric("parlance_\(name)_total", .counter, help, value)
        }
        return [
            counter("links_opened", "Links that were opened.", counted.linksOpened),
            counter("links_closed", "Links that ended.", counted.linksClosed),
            counter("dials_failed", "Attempts to reach an address that failed.", counted.dialsFailed),
            counter("frames_received", "Frames from peers.", counted.framesReceived),
            counter("received_bytes", "Bytes of these frames, without encryption.", counted.bytesReceived),
            counter("frames_sent", "Frames to peers.", counted.framesSent),
            counter("sent_bytes", "Bytes of these frames, without encryption.", counted.bytesSent),
            counter("batches", "Transactions of the store.", counted.batches),
            counter("batches_failed", "Transactions that could not be written.", counted.batchesFailed),
            counter("messages_written", "Messages of this user.", counted.messagesWritten),
            counter("messages_received", "Messages of others.", counted.messagesReceived),
            counter("breaches", "Rules of the protocol that peers broke.", counted.breaches),
            counter("notifications", "Notifications that the desktop has shown.", around.notifications),
            counter("hook_runs", "Runs of hooks.", around.hookRuns),
            counter("hook_failures", "Runs of hooks that failed or took too long.", around.hookFailures),
            counter(
                "hook_events_missed",
                "Events that hooks missed, because there were too many.",
                around.hookEventsMissed
            ),
        ]
    }

    /// The process and its files.
    fileprivate var machineMetrics: [Metric] {
        let (facts, usage) = (facts.now, self.files.shelf.usage())
        let files = FileManager.default
        func size(_ name: String) -> Int {
            let attributes = try? files.attributesOfItem(atPath: "\(facts.dataPath)/\(name)")
            return (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        let resident = pages.flatMap { $0.count > 1 ? Int($0[1]) : nil } ?? 0
        let uptime = (WallClock.milliseconds() - facts.started) / 1_000
        return [
            Metric("parlance_store_bytes", .gauge, "Size of the store.", size("store.sqlite")),
            Metric("parlance_store_log_bytes", .gauge, "Size of its write-ahead log.", size("store.sqlite-wal")),
            Metric("parlance_files", .gauge, "Files that are here as a whole.", usage.wholeFiles),
            Metric("parlance_files_bytes", .gauge, "Size of these files.", Int(clamping: usage.wholeBytes)),
            Metric("parlance_file_parts", .gauge, "Files that are here in part.", usage.partFiles),
            Metric("parlance_file_parts_bytes", .gauge, "What is here of these files.", Int(clamping: usage.partBytes)),
            Metric("parlance_uptime_seconds", .gauge, "Time since the daemon started.", Int(uptime)),
            Metric(
                "parlance_build_info",
                .gauge,
                "Always 1; the label is the version.",
                [.init(1, label: "version", ParlanceVersion.text)]
            ),
            Metric(
                "parlance_resident_memory_bytes",
                .gauge,
                "Memory of the daemon.",
                resident * Int(sysconf(Int32(_SC_PAGESIZE)))
            ),
        ]
    }
}
