extension Metric {
    package init(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        self.init(name, kind, help, [Sample(value)])
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
