import ParlanceControl

/// Says when people who were added to a group join it.
enum JoinText {
    /// Lines with unescaped names, so apply `VisibleText` before showing them.
    static func lines(_ members: [MemberInfo]) -> [String] {
        let asked = members.filter { $0.asked == true }
        let others = members.filter { $0.asked != true }
        var lines: [String] = []
        if let who = who(others.filter(\.connected)) {
            lines.append("\(who.names) \(who.isOne ? "joins" : "join") at once.")
        }
        if let who = who(others.filter { !$0.connected }) {
            lines.append("\(who.names) \(who.isOne ? "joins" : "join") when connected.")
        }
        if let who = who(asked) {
            lines.append(
                who.isOne
                    ? "\(who.names) is asked first, and joins after accepting you."
                    : "\(who.names) are asked first, and join after accepting you."
            )
        }
        return lines
    }

    /// - Returns: `nil` for nobody.
    private static func who(_ members: [MemberInfo]) -> (names: String, isOne: Bool)? {
        members.isEmpty ? nil : (PeopleText.list(members.map(\.person)), members.count == 1)
    }
}
