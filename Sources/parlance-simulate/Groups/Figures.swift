/// Measured values, printed as one JSON object in the order of their names.
struct Figures {
    private let values: [String: Double]

    init(_ values: [String: Double]) {
        self.values = values
    }

    var json: String {
        let members = values.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }
        return "{\(members.joined(separator: ","))}"
    }
}
