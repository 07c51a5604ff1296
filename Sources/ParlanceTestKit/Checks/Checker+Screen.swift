import ParlanceRecords
import ParlanceWire

// Checks that a screen which keeps a conversation open and follows all notices always shows what the store would show.
extension Checker {
    /// A node starts: a screen that opens a conversation reads it from the store.
    func openScreens(of node: Int) {
        watches[node].screens = [:]
        for record in world.nodes[node].disk.conversations {
            watches[node].screens[record.id] = world.nodes[node].disk.lines(of: record.id)
        }
    }

    func noteShown(_ message: ShownMessage, isNew: Bool, _ node: Int) {
        let before = watches[node].screens[message.conversation]?[message.id]
        // The branches of a log of somebody hostile are told anew when it forks once more.
        if isNew, before != nil, !isByHostile(message) {
            return violate("\(name(node)) tells of \"\(message.text.prefix(40))\" as if it were new")
        }
        watches[node].screens[message.conversation, default: [:]][message.id] = message
    }

    func noteGone(_ id: EventID, _ node: Int) {
        for (place, lines) in watches[node].screens where lines[id] != nil { watches[node].screens[place]?[id] = nil }
    }

    /// Only whoever wrote a message is told that it does not count, and sees it further.
    func noteVoid(_ message: ShownMessage, _ node: Int) {
        if !message.isVoid || message.log.author != world.nodes[node].identity {
            violate("\(name(node)) tells that \(message.id) does not count, which is not its own or counts")
        }
        noteGone(message.id, node)
    }

    /// Messages that were shown and are old disappear, and nothing else.
    func noteRemoved(_ ids: [EventID], from record: ConversationRecord, _ node: Int) {
        for id in ids {
            guard watches[node].screens[record.id]?.removeValue(forKey: id) != nil else {
                return violate("\(name(node)) tells that an old message is gone which it has not shown")
            }
            if !watches[node].floors.below.contains(id) {
                violate("\(name(node)) tells that an old message is gone, and nothing has removed it")
            }
        }
    }

    func checkScreen(of node: Int) {
        guard knowsItsDisk(node) else { return }
        let disk = world.nodes[node].disk
        for place in disk.conversations.map(\.id) {
            let lines = disk.lines(of: place)
            let seen = watches[node].screens[place] ?? [:]
            guard seen != lines else { continue }
            // No screen shows a group that its user has deleted: a change of what comes into it is not told.
            if isDeletedGroup(place, node) {
                watches[node].screens[place] = lines
                continue
            }
            let ids = Set(seen.keys).union(lines.keys).filter { seen[$0] != lines[$0] }
            guard let id = ids.min() else { continue }
            let texts = [seen[id], lines[id]].map { $0.map { "\($0)" } ?? "nothing" }
            return violate("\(name(node)) has told of \(texts[0]), and shows \(texts[1])")
        }
    }
}
