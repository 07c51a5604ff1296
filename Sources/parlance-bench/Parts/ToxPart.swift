/// Another messenger on the same machine: two Tox instances on loopback.
enum ToxPart: Part {
    static let name = "tox"
    static let about = "messages a second of two Tox instances, and a file"

    private static let seconds = 200
    private static let fileMegabytes = 20

    static func measure(_ bench: Bench) throws {
        guard let program = bench.peer("tox_bench") else { return }
        for round in 1...bench.amounts.toxRounds {
            Progress.note("Tox, \(round) of \(bench.amounts.toxRounds) (connecting takes it 10 s)")
            do {
                let text = try Program.output(
                    of: [program, "api", "t", "0", "20000", "0", "0"],
                    in: bench.folder,
                    within: seconds
                )
                bench.results.add("tox_messages_per_second", PrintedFigure.value("msgps", in: "THR tox_msgs", of: text))
                let file = try Program.output(
                    of: [program, "api", "f", "0", "0", "\(fileMegabytes)", "0"],
                    in: bench.folder,
                    within: seconds
                )
                bench.results.add("tox_file_mb_per_second", PrintedFigure.value("MBps", in: "THR tox_file", of: file))
            } catch {
                return Progress.note("\(error); Tox is left out.")
            }
        }
    }
}
