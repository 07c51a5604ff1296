import ParlanceCore
import ParlanceRecords
import ParlanceWire

// People send files, and decide which they want.
extension Office {
    /// Sends one to three files to somebody or to a group, now and then one that was sent before.
    func sendFile(_ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        guard node != world.network.older, files.count < Self.mostFiles else { return }
        var mentions: [FileMention] = []
        for place in 0..<(random.below(4) == 0 ? 1 + Int(random.below(3)) : 1) {
            guard let file = makeFile(node, &random) else { return }
            let size = UInt64(files[file]?.count ?? 0)
            mentions.append(FileMention(file: file, name: "file \(place).bin", size: size))
        }
        let groups = world.nodes[node].disk.groups.sorted()
        let isGroup = !groups.isEmpty && random.below(2) == 0
        let place = isGroup ? groups[Int(random.below(Int64(groups.count)))] : checker.conversation(node, other)
        let text = checker.nextText(from: node)
        let command = give(.send(who: isGroup ? place.text : identity(other), text: text, files: mentions), to: node)
        checker.expectMessage(command, text: text, from: node, in: place)
    }

    private func makeFile(_ node: Int, _ random: inout SeededGenerator) -> FileID? {
        var bytes: [UInt8] = []
        let known = files.keys.sorted()
        if !known.isEmpty, random.below(5) == 0 {
            bytes = files[known[Int(random.below(Int64(known.count)))]] ?? []
        } else {
            let chunk = Int64(Limits.chunkBytes)
            let sizes = [0, 1, random.below(chunk), chunk, chunk + 1, 2 * chunk + random.below(3 * chunk)]
            let count = Int(sizes[Int(random.below(6))])
            var word = random.next()
            bytes = (0..<count).map { index in
                if index.isMultiple(of: 8) { word = word &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F }
                return UInt8(truncatingIfNeeded: word >> UInt64(8 * (index % 8)))
            }
        }
        guard let manifest = try? world.put(bytes, on: node) else { return nil }
        files[manifest.id] = bytes
        return manifest.id
    }

    /// Decides about a file that somebody has offered or that is being fetched.
    func wishFile(_ node: Int, _ random: inout SeededGenerator) {
        guard node != world.network.older else { return }
        let disk = world.nodes[node].disk
        var offers: [(place: ConversationID, mention: FileMention)] = []
        for record in disk.conversations {
            for line in disk.history(of: record.id) where line.rich?.deletion == nil {
                for mention in line.rich?.files ?? [] { offers.append((record.id, mention)) }
            }
        }
        guard !offers.isEmpty else { return }
        // Mostly one of the last.
        let back = random.below(min(Int64(offers.count), 1 + random.below(Int64(offers.count))))
        let (place, mention) = offers[offers.count - 1 - Int(back)]
        let commands: [Command] = [
            .fetch(place, mention), .fetch(place, mention), .pauseFile(mention.file), .resumeFile(mention.file),
            .resumeFile(mention.file), .cancelFile(mention.file), .retryFile(mention.file), .transfers,
        ]
        give(commands[Int(random.below(8))], to: node)
    }

    /// Files of a run: their bytes are kept.
    private static let mostFiles = 60
}
