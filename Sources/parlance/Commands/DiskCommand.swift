import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance disk`
struct DiskCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "disk",
        abstract: "Show what takes room on this computer: conversations, files, the index for searching.",
        discussion: """
            The conversations that take the most come first. To make room: parlance conversation clear WHO, or keep \
            messages for a limited time with parlance retain.

            Example: parlance disk
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(DiskOperation()) { disk in
            var table = TextTable(["NAME", "MESSAGES", "HISTORY", "FILES", "SIZE", "SETTING"])
            for entry in disk.conversations { table.add(row(entry)) }
            return (disk.conversations.isEmpty ? [] : session.lines(table) + [""]) + totals(disk)
        }
    }

    private func row(_ entry: DiskEntry) -> [TextTable.Cell] {
        [
            TextTable.Cell(NameText.marked(entry.title, entry.trust), .name),
            TextTable.Cell("\(entry.messages)"),
            TextTable.Cell(FileText.size(entry.messageBytes)),
            TextTable.Cell(entry.files > 0 ? "\(entry.files)" : "", .faint),
            TextTable.Cell(entry.fileBytes > 0 ? FileText.size(entry.fileBytes) : ""),
            TextTable.Cell(entry.hidden == true ? say("hidden") : "", .faint),
        ]
    }

    private func totals(_ disk: DiskReply) -> [String] {
        var lines = [
            say("Files: \(FileText.size(disk.files))"),
            say("Files that are being fetched: \(FileText.size(disk.unfinished))"),
            say("Messages kept for others: \(disk.envelopeCount) (\(FileText.size(disk.envelopes)))"),
        ]
        if disk.search > 0 { lines.append(say("The index for searching: \(FileText.size(disk.search))")) }
        lines += [
            say("Pictures of people: \(FileText.size(disk.pictures))"),
            say(
                "The database: \(FileText.size(disk.store)), of which \(FileText.size(disk.storeFree)) are free for new messages"
            ),
        ]
        if let reserve = disk.reserve {
            lines.append(say("Kept so that room can be made when the disk is full: \(FileText.size(reserve))"))
        }
        if let free = disk.free { lines.append(say("Free on the disk: \(FileText.size(free))")) }
        return lines
    }
}
