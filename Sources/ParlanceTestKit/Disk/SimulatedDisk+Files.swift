import ParlanceCore
import ParlanceRecords
package import ParlanceWire

// The files that shown messages name.
extension SimulatedDisk {
    package func names(_ file: FileID, in conversation: ConversationID) -> Bool {
        history(of: conversation).contains { line in
            guard case .rich(let rich) = line.content, rich.deletion == nil else { return false }
            return rich.files.contains { $0.file == file }
        }
    }

    /// Files that others have sent and about which nothing was decided, the newest first.
    var offers: [FileOffer] {
        var found: [(line: ShownMessage, place: Int, offer: FileOffer)] = []
        for conversation in conversations.map(\.id) {
            for line in history(of: conversation) where line.log.author != identity {
                guard case .rich(let rich) = line.content, rich.deletion == nil else { continue }
                for (place, mention) in rich.files.enumerated() where transfers[mention.file] == nil {
                    let offer = FileOffer(
                        conversation: conversation,
                        file: mention.file,
                        size: mention.size,
                        sender: line.log.author
                    )
                    found.append((line, place, offer))
                }
            }
        }
        let sorted = found.sorted { a, b in
            (a.line.effective, a.line.id) == (b.line.effective, b.line.id)
                ? a.place < b.place : (a.line.effective, a.line.id) > (b.line.effective, b.line.id)
        }
        return Array(sorted.map(\.offer).prefix(Limits.offersAtStart))
    }
}
