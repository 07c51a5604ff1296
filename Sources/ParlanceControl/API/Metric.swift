/// A figure of a node for monitoring, by the conventions of Prometheus (prometheus.io/docs/practices/naming).
package struct Metric: Codable, Equatable, Sendable {
    package var name: String
    package var kind: Kind
    /// One sentence for people.
    package var help: String
    package var samples: [Sample]

    package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        self.name = name
        self.kind = kind
        self.help = help
        self.samples = samples
    }

    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        self.init(name, kind, help, [Sample(value)])
    }

    package enum Kind: String, Codable, JSONWord, Sendable {
        /// Counts since the daemon started, and never falls.
        case counter
        /// What holds now.
        case gauge
    }

    /// One value, with a label if the metric has several.
    package struct Sample: Codable, Equatable, Sendable {
        package var label: String?
        package var labelValue: String?
        package var value: Int

        package init(_ value: Int, label: String? = nil, _ labelValue: String? = nil) {
            self.value = value
            self.label = label
            self.labelValue = labelValue
        }
    }

    /// The lines of the text format of Prometheus (prometheus.io/docs/instrumenting/exposition_formats).
    package var prometheusLines: [String] {
        let help = help.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return ["# HELP \(name) \(help)", "# TYPE \(name) \(kind.rawValue)"]
            + samples.map { "\(name)\($0.prometheusLabels) \($0.value)" }
    }
}

extension Metric.Sample {
    fileprivate var prometheusLabels: String {
        guard let label, let labelValue else { return "" }
        let value = labelValue.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
        return "{\(label)=\"\(value)\"}"
    }
}
