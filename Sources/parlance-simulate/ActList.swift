/// Positions of acts in a script, as an argument: "0-41,44,50-52".
enum ActList {
    static func text(_ acts: [Int]) -> String {
        var parts: [String] = []
        var index = 0
        while index < acts.count {
            var end = index
            while end + 1 < acts.count, acts[end + 1] == acts[end] + 1 { end += 1 }
            parts.append(end == index ? "\(acts[index])" : "\(acts[index])-\(acts[end])")
            index = end + 1
        }
        return parts.joined(separator: ",")
    }

    /// `nil` if it is not such a list.
    static func acts(_ text: String) -> [Int]? {
        var acts: [Int] = []
        for part in text.split(separator: ",") {
            let ends = part.split(separator: "-").compactMap { Int($0) }
            guard let first = ends.first, let last = ends.last, ends.count <= 2, first <= last else { return nil }
            acts += first...last
        }
        return acts
    }
}
