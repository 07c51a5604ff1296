import Foundation
import ParlanceTestKit

/// Several processes that each play their share of the seeds. If a process dies, the seed that it had begun caused a
/// trap.
final class Gang {
    private final class Worker {
        let process = Process()
        let output = Pipe()
        var pending = ""
        var seed: UInt64?
        var isDone = false
    }

    private let choice: Choice
    private let jobs: UInt64
    private let isTerse: Bool
    private let stopsAtFirst: Bool
    private(set) var hashes: [UInt64: UInt64] = [:]
    private(set) var failures: [UInt64: String] = [:]
    private(set) var frames = 0
    let coverage = Coverage()
    private let start = Date()

    init(choice: Choice, jobs: UInt64, isTerse: Bool, stopsAtFirst: Bool) {
        self.choice = choice
        self.jobs = jobs
        self.isTerse = isTerse
        self.stopsAtFirst = stopsAtFirst
    }

    func play(from: UInt64, seeds: UInt64, step: UInt64 = 1) throws {
        let workers = try (0..<jobs).filter { $0 * step < seeds }.map { number in
            try launch(from: from + number * step, seeds: seeds - number * step, step: jobs * step)
        }
        defer { for worker in workers where worker.process.isRunning { worker.process.terminate() } }
        while workers.contains(where: { !$0.isDone }) {
            listen(to: workers.filter { !$0.isDone })
            if stopsAtFirst && !failures.isEmpty && isFirst(workers) { return }
        }
    }

    /// Whether no worker can still find an earlier seed that fails.
    private func isFirst(_ workers: [Worker]) -> Bool {
        guard let first = failures.keys.min() else { return false }
        return workers.allSatisfy { $0.isDone || ($0.seed ?? 0) >= first }
    }

    private func launch(from: UInt64, seeds: UInt64, step: UInt64) throws -> Worker {
        let worker = Worker()
        worker.process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        worker.process.arguments =
            ["work", "--from", "\(from)", "--seeds", "\(seeds)", "--step", "\(step)"] + choice.arguments
        worker.process.standardOutput = worker.output
        // `play` explains a trap, so no backtrace is needed here.
        worker.process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) {
            $1
        }
        try worker.process.run()
        return worker
    }

    private func listen(to workers: [Worker]) {
        var polls = workers.map {
            pollfd(fd: $0.output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
        }
        guard poll(&polls, nfds_t(polls.count), 1_000) > 0 else { return }
        for (worker, poll) in zip(workers, polls) where poll.revents != 0 {
            let data = worker.output.fileHandleForReading.availableData
            if data.isEmpty { finish(worker) } else { take(data, from: worker) }
        }
    }

    private func finish(_ worker: Worker) {
        worker.isDone = true
        worker.process.waitUntilExit()
        guard worker.process.terminationStatus != 0 || worker.process.terminationReason != .exit else { return }
        failures[worker.seed ?? 0] = "the process died with \(worker.process.terminationStatus): a trap"
    }

    private func take(_ data: Data, from worker: Worker) {
        worker.pending += String(decoding: data, as: UTF8.self)
        while let end = worker.pending.firstIndex(of: "\n") {
            let line = worker.pending[..<end]
            worker.pending = String(worker.pending[worker.pending.index(after: end)...])
            take(line.split(separator: " ", maxSplits: 2).map(String.init), worker)
        }
    }

    private func take(_ words: [String], _ worker: Worker) {
        guard words.count >= 2, let number = UInt64(words[1]) else { return }
        switch words[0] {
        case "begin": worker.seed = number
        case "at": if !isTerse { tell("seed \(number): \(words.count > 2 ? words[2] : ""), \(seconds) s") }
        case "fail": failures[number] = words.count > 2 ? words[2] : ""
        case "done":
            let rest = words.count > 2 ? words[2].split(separator: " ").compactMap { UInt64($0) } : []
            hashes[number] = rest.first
            frames += rest.count > 1 ? Int(rest[1]) : 0
            tellProgress()
        case "cover": coverage.count(words.count > 2 ? words[2] : "", Int(number))
        default: break
        }
    }

    private func tellProgress() {
        guard !isTerse, hashes.count % 50 == 0 else { return }
        let rate = Double(hashes.count) / max(0.001, Date().timeIntervalSince(start))
        tell("\(hashes.count) seeds whole, \(String(format: "%.1f", rate)) a second")
    }

    private var seconds: Int { Int(Date().timeIntervalSince(start)) }

    private func tell(_ line: String) {
        print(line)
        fflush(nil)
    }
}
