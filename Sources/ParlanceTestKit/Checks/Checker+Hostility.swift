import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// What the checkers do not expect of a hostile member, and what they expect of the others in spite of it.
//
// `isHonest` leaves a hostile node out of a check, as it leaves out the garbler. Each exception has its rule:
// - What a node knows of a hostile peer's receipts, holdings and presence is what that peer says (sync.md, "Watermarks":
//   a watermark says only what its member claims). What is known of honest peers is still checked, whoever passed it on.
// - What a hostile courier says that it holds may be nowhere (couriers.md, "Depositing": a message that a courier holds is
//   sent, never delivered). That honest couriers hold what they say is still checked.
// - A hostile author's own messages may be void, forked, missing or twice, and have any text (events.md, "Void events",
//   "Forks", "Full"); what everybody computes from them must be the same, which `PlainHistory` and `check` examine.
// - A hostile author's changes of a group may be void (groups.md, "What is held"); all nodes must find the same ones void.
// - A hostile peer's name and addresses are its own words (contacts.md, "Names"; workspaces.md, "Addresses").
// - What a hostile node's own engine shows, sends and stores is not examined: its owner has made it untrue.
extension Checker {
    /// Whether a node and its owner keep to the protocol.
    func isHonest(_ node: Int) -> Bool { node != garbler && !hostile.contains(node) }

    var isAllHonest: Bool { garbler == nil && hostile.isEmpty }

    /// Whether the input, effect or batch that is being examined is a hostile node's.
    var isOfHostile: Bool { subject.map { hostile.contains($0) } ?? false }

    func isByHostile(_ message: ShownMessage) -> Bool {
        indexes[message.log.author].map { hostile.contains($0) } ?? false
    }

    // What hostile members cost in the memory of others.

    /// The most logs that hostile authors have somewhere: so many copies, or branches, of each are known in a conversation
    /// (sync.md, "Clock").
    func hostileLogs(_ groups: Int) -> Int { hostile.count * (1 + groups) * Limits.clockEntriesPerAuthor }

    /// The members of a node's groups whom admins have made up (limits.md: `members` of a group).
    func madeUpMembers(of node: Int) -> Int {
        guard !hostile.isEmpty else { return 0 }
        let members = Set(world.nodes[node].disk.memberships.values.flatMap(\.everMembers))
        // Those of a change that is on its way to the disk are in memory already.
        return members.count { indexes[$0] == nil } + Limits.members
    }

    // What a hostile author costs on the disk of others (sync.md, "Full").

    struct TakenPlace: Hashable {
        var conversation: ConversationID
        var author: PeerID
    }

    /// The day of all authors begins at a node: at its start, and when its user allows more.
    func begunDay(at node: Int) { watches[node].taken = [:] }

    func noteTaken(_ batch: PersistBatch, _ node: Int) {
        guard !hostile.contains(node), let most = world.nodes[node].authorDayBytes else { return }
        for event in batch.events {
            guard let author = indexes[event.header.log.author], hostile.contains(author) else { continue }
            let place = TakenPlace(conversation: event.header.conversation, author: event.header.log.author)
            watches[node].taken[place, default: 0] += event.byteCount
        }
        // Whatever is on the way to the disk when the quota is used up is taken: from each member, a window of it.
        let onTheWay = world.nodes.count * Limits.windowBytes
        guard let (place, bytes) = watches[node].taken.first(where: { $0.value > Int(most) + onTheWay }) else { return }
        violate("\(name(node)) takes \(bytes) bytes of \(place.author) in a day, of at most \(most)")
    }

    /// A picture that is kept is signed by the person whom it shows (contacts.md, "Pictures").
    func checkPictures(_ batch: PersistBatch, _ node: Int) {
        guard !hostile.isEmpty else { return }
        for record in batch.pictures {
            guard let picture = record.picture, !picture.isSigned(by: record.peer) else { continue }
            return violate("\(name(node)) keeps a picture that \(record.peer) has not signed")
        }
    }

    /// Whether an event stands in a branch beyond those of a log that are synced, or in a branch of one: no event names it
    /// (events.md, "Forks"). Two branches come by accident, so many only from somebody hostile.
    func isDisplaced(_ id: EventID, of plain: PlainHistory, _ node: Int) -> Bool {
        plain.place(of: id).map { isDisplaced(plain.logs[$0], in: plain.conversation, node) } ?? false
    }

    func isDisplaced(_ log: LogID, in conversation: ConversationID, _ node: Int) -> Bool {
        let all = world.nodes[node].disk.branches.filter { $0.conversation == conversation }
        var log = log
        while let branch = all.first(where: { $0.log == log }) {
            let smaller = all.count { $0.isRival(of: branch) && $0.log < log }
            if smaller >= Limits.branchesPerLog { return true }
            log = branch.parent
        }
        return false
    }

    // In the end.

    /// The group is called what its admin has called it at the end, and nobody hostile is in it.
    func checkChanged() {
        for (group, last) in lastTitles.sorted(by: { $0.key < $1.key }) {
            let disk = world.nodes[last.admin].disk
            let title = disk.label(of: group).title
            // What was given up has no effect on the order, so what an admin had seen may stand later.
            if title != last.title, disk.givenUp[group] == nil,
                !isUnseen(title, before: last.title, in: group, last.admin)
            {
                return violate(
                    "\(name(last.admin)) calls \(group) \(last.title), and it is \(title)"
                )
            }
            for node in hostile.sorted() where disk.memberships[group]?.isMember(world.nodes[node].identity) == true {
                return violate("\(name(last.admin)) has removed \(name(node)) from \(group), and it is a member")
            }
        }
    }

    /// Whether an event that the admin had not seen gives the group this title: what comes later may stand later.
    private func isUnseen(_ title: String, before last: String, in group: ConversationID, _ admin: Int) -> Bool {
        let plain = plainHistory(of: group, at: admin)
        func events(saying text: String) -> [EventID] {
            plain.events.filter { event in
                event.header.kind == .title && event.body.flatMap { WireTitleBody(decoding: $0)?.title } == text
            }
            .map(\.id)
        }
        let past = events(saying: last).reduce(into: Set<EventID>()) { $0.formUnion(plain.past(of: $1) ?? []) }
        return events(saying: title).contains { !past.contains($0) }
    }
}
