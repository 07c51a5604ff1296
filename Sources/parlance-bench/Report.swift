import ArgumentParser
import ParlanceControl

/// Why a measurement could not be made.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// A measurement as a command: what it throws is told in words.
protocol Measurement: AsyncParsableCommand {
    func measure() async throws
}

extension Measurement {
    func run() async throws {
        do {
            try await measure()
        } catch let failure as ControlFailure {
            throw BenchError("\(failure.message) \(failure.advice)")
        }
    }
}

/// Measured values, printed as one JSON object.
struct Report {
    private let values: [String: Double]

    init(_ values: [String: Double]) {
        self.values = values
    }

    /// Writes the values, by name, to standard output.
    func print() {
        let members = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        Swift.print("{\(members.joined(separator: ","))}")
    }
}

extension [Double] {
    /// The value below which the given share of a sorted, non-empty list lies, by nearest rank.
    func percentile(_ percent: Int) -> Double {
        self[Swift.min(count - 1, count * percent / 100)]
    }
}

extension Duration {
    /// The length in seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
    /// The length in milliseconds.
    var milliseconds: Double { seconds * 1000 }
}
