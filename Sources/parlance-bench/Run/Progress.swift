import Foundation

/// Reports progress on standard error.
struct Progress {
    private static let every = Duration.seconds(5)

    private let total: Int
    private let unit: String
    private var told = ContinuousClock.now
    private var count = 0

    /// - Parameter unit: what is counted, in the plural.
    init(of total: Int, _ unit: String) {
        self.total = total
        self.unit = unit
    }

    /// Reports how many are done, if the last report is some seconds old.
    mutating func reached(_ done: Int) {
        // Reading the clock costs more than a comparison, so skip small steps.
        guard done - count >= max(1, total / 1_000) else { return }
        count = done
        let now = ContinuousClock.now
        guard now - told >= Self.every else { return }
        told = now
        Self.note("  \(Table.number(Double(done))) of \(Table.number(Double(total))) \(unit)")
    }

    /// One plain line.
    static func note(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
}
