/// Finds a number in the output of another program, such as "THR tox_msgs n=20000 msgps=2900".
enum PrintedFigure {
    /// The number after `name=` in the first line that begins with `line` and contains it.
    static func value(_ name: String, in line: String, of text: String) -> Double? {
        for candidate in text.split(separator: "\n") where candidate.hasPrefix(line) {
            let word = candidate.split(separator: " ").first { $0.hasPrefix("\(name)=") }
            if let word { return Double(word.dropFirst(name.count + 1)) }
        }
        return nil
    }
}
