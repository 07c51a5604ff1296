import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// Says when people who were added to a group join it.
enum JoinText {
    /// Lines with unescaped names, so apply `VisibleText` before showing them.
    static func lines(_ members: [MemberInfo]) -> [String] {
        let admitted = members.filter { $0.leftOut != true }
        let asked = admitted.filter { $0.asked == true }
        let others = admitted.filter { $0.asked != true }
        var lines: [String] = []
        if let who = who(others.filter(\.connected)) {
            lines.append(
                who.isOne ? say("\(who.names) joins at once.") : say("\(who.names) join at once.")
            )
        }
        if let who = who(others.filter { !$0.connected }) {
            lines.append(
                who.isOne ? say("\(who.names) joins when connected.") : say("\(who.names) join when connected.")
            )
        }
        if let who = who(asked) {
            lines.append(
                who.isOne
                    ? say("\(who.names) is asked first, and joins after accepting you or another member.")
                    : say("\(who.names) are asked first, and join after accepting you or another member.")
            )
        }
        if let who = who(members.filter { $0.leftOut == true }) {
            lines.append(
                who.isOne
                    ? say("\(who.names) is excluded from the workspace, and can neither connect nor join.")
                    : say("\(who.names) are excluded from the workspace, and can neither connect nor join.")
            )
        }
        return lines
    }

    /// - Returns: `nil` for nobody.
    private static func who(_ members: [MemberInfo]) -> (names: Phrase, isOne: Bool)? {
        members.isEmpty ? nil : (PeopleText.list(members.map(\.person)), members.count == 1)
    }
}
