import FoundationEssentials
package import ParlanceRecords
package import ParlanceWire

/// What an author wrote in a message or an edit.
package struct MessageText: Equatable, Sendable {
    /// Blank only with files.
    package var text: String
    /// The peers that it mentions.
    package var mentions: [PeerID]
    /// Empty in an edit: a message keeps its files.
    package var files: [FileMention]

    package init(_ text: String, mentions: [PeerID] = [], files: [FileMention] = []) {
        self.text = text
        self.mentions = mentions
        self.files = files
    }

    /// What stands for the message where there is little room: its text, or the name of its first file.
    package var preview: String { text.isBlank ? files.first.map { SafeFileName($0.name).text } ?? "" : text }

    /// What search finds it by: its text, and the names of its files.
    package var searched: String {
        ([text] + files.map { SafeFileName($0.name).text }).filter { !$0.isBlank }.joined(separator: "\n")
    }

    /// The body of an event.
    package var body: [UInt8] {
        guard !mentions.isEmpty || !files.isEmpty else { return PlainText.write(text) }
        var body = WireMessageBody()
        body.text = text
        body.mentions = mentions.map { Data($0.bytes) }
        body.files = files.map(\.wire)
        return body.encodedBytes()
    }
}

extension ShownMessage {
    /// What stands for it where there is little room; empty for a note, and for what is deleted.
    package var preview: String {
        guard case .rich(let rich) = content, rich.deletion == nil else { return text }
        return MessageText(rich.text, files: rich.files).preview
    }
}
