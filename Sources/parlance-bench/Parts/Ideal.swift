import Foundation

/// The smallest program that does the same durable work: the upper bound, measured in the same run.
struct Ideal {
    private static let seconds = 300

    private let program: String?
    private let folder: String

    init(_ bench: Bench) {
        program = bench.peer("ideal")
        folder = "\(bench.folder)/ideal"
    }

    /// Milliseconds of one message at a time; `nil` if the program failed or is not there.
    func latency(_ count: Int) -> (p50: Double, p99: Double)? {
        guard let text = output(["lat", "\(count)", "1", "1"]),
            let p50 = PrintedFigure.value("p50_us", in: "LAT ideal_sqlite_ack_rtt", of: text),
            let p99 = PrintedFigure.value("p99_us", in: "LAT ideal_sqlite_ack_rtt", of: text)
        else { return nil }
        return (p50 / 1000, p99 / 1000)
    }

    /// Messages a second in a stream; `nil` if the program failed or is not there.
    func throughput(_ count: Int) -> Double? {
        output(["thr", "\(count)", "1000", "250"]).flatMap { PrintedFigure.value("msgps", in: "THR", of: $0) }
    }

    private func output(_ arguments: [String]) -> String? {
        guard let program else { return nil }
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            return try Program.output(of: [program, "sqlite"] + arguments + [folder], in: folder, within: Self.seconds)
        } catch {
            Progress.note("\(error); left out of this round.")
            return nil
        }
    }
}
