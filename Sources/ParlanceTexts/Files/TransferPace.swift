/// How fast bytes come, from what was seen over the last seconds.
package struct TransferPace: Equatable, Sendable {
    private var samples: [Sample] = []

    private struct Sample: Equatable {
        var time: Int64
        var bytes: UInt64
    }

    /// Milliseconds that the rate looks back: one slow second does not decide, and an hour ago does not either.
    static let window: Int64 = 5_000
    /// Milliseconds between two samples that are kept.
    private static let step: Int64 = 100
    /// Milliseconds that must have been seen before anything is said.
    private static let least: Int64 = 500

    package init() {}

    /// So many bytes are there at a time in milliseconds. A clock or a number that goes back begins anew.
    package mutating func saw(_ bytes: UInt64, at time: Int64) {
        if let last = samples.last {
            if time < last.time || bytes < last.bytes { samples = [] }
            if time - last.time < Self.step, samples.count > 1 { samples.removeLast() }
        }
        samples.append(Sample(time: time, bytes: bytes))
        while samples.count > 2, let second = samples.dropFirst().first, time - second.time >= Self.window {
            samples.removeFirst()
        }
    }

    /// Bytes a second; nil if it is not known yet.
    package var rate: UInt64? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= Self.least else {
            return nil
        }
        let (bytes, milliseconds) = (last.bytes - first.bytes, UInt64(last.time - first.time))
        let (product, overflows) = bytes.multipliedReportingOverflow(by: 1_000)
        guard overflows else { return product / milliseconds }
        let (rate, isTooLarge) = (bytes / milliseconds).multipliedReportingOverflow(by: 1_000)
        return isTooLarge ? .max : rate
    }
}
