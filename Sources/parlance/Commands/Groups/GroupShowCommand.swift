import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance group show GROUP`
struct GroupShowCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the members and admins of a group, and who has received everything.",
        discussion: """
            ROLE says who is an admin, who is asked and joins only after accepting you or another member, and who is \
            excluded from the workspace, and so can neither connect nor join.

            HAS counts the events of the group that a member is known to have: what it tells while it is connected, \
            in a large group some minutes late; while it is away, what it told last.

            Example: parlance group show Crew
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.", completion: Completions.group)
    var group: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(GroupShowOperation(group: group)) { group in
            return lines(group, session)
        }
    }

    private func lines(_ group: GroupInfo, _ session: Session) -> [String] {
        let style = session.style
        let id = style(.faint, "(\(VisibleText.line(String(group.id.prefix(12)))))")
        var lines = ["\(style(.strong, VisibleText.line(NameText.plain(group.title)))) \(id)"]
        if let topic = group.topic { lines.append("  \(NameText.plain(topic))") }
        if let lifetime = DisappearText.words(group.disappear) { lines.append("  \(lifetime)") }
        if !group.isMember {
            let text = group.ended.map {
                say(
                    "You are not a member any more: \(VisibleText.line(say($0.sentence))), \(session.clock.short($0.time))."
                )
            }
            lines.append(style(.warning, text ?? say("You are not a member any more.")))
        }
        var table = TextTable(["NAME", "ID", "ROLE", "TRUST", "LINK", "PRESENCE", "SEEN", "HAS"], wrapsLast: true)
        for member in group.members { table.add(row(member, of: group, session)) }
        return lines + session.lines(table)
    }

    private func row(_ member: MemberInfo, of group: GroupInfo, _ session: Session) -> [TextTable.Cell] {
        let isMe = member.me == true
        return [
            TextTable.Cell(
                isMe ? say("\(NameText.plain(member.displayName)) (you)") : member.person.shownName,
                isMe ? .plain : .name
            ),
            TextTable.Cell(PeerIDText.short(member.id), .faint),
            TextTable.Cell(role(member), member.leftOut == true ? .warning : .plain),
            TextTable.Cell(
                member.trust.map { say(NameText.words($0)) } ?? "",
                member.trust.map(NameText.role) ?? .plain
            ),
            TextTable.Cell(isMe ? "" : member.connected ? say("connected") : "-", member.connected ? .good : .faint),
            session.presence(member.presence, isConnected: member.connected),
            TextTable.Cell(member.lastSeen.map(session.clock.past) ?? "", .faint),
            TextTable.Cell(has(member, of: group), member.lacks == 0 ? .good : .warning),
        ]
    }

    private func role(_ member: MemberInfo) -> String {
        var roles = member.admin ? [say("admin")] : []
        if member.leftOut == true {
            roles.append(say("excluded", hint: "member"))
        } else if member.asked == true {
            roles.append(say("asked", hint: "member"))
        }
        return roles.joined(separator: ", ")
    }

    /// What a member is known to hold. It may have more: members tell some at once, and the others with a heartbeat
    /// (sync.md, "Have"), and while a member is away its last clock counts.
    private func has(_ member: MemberInfo, of group: GroupInfo) -> String {
        let (lacks, all) = (member.lacks, group.events)
        if lacks == 0 { return say("everything") }
        return lacks >= all ? say("not known") : say("at least \(all - lacks) of \(all)")
    }
}
