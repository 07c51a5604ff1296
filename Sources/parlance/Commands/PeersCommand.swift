import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance peers [--watch]`
struct PeersCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "peers",
        abstract: "Show who is here, and who is known.",
        discussion: """
            'not verified' is accepted, and the safety number was not compared: parlance verify WHO. \
            'nearby' was seen on the network, 'connected' has an encrypted link to you. Where there is no link, the \
            last column says why. The presence of somebody whom you have not accepted is known while you are \
            connected, and otherwise shown as '-'. 'was online' means that the link ended within the last 5 seconds. \
            SEEN says when something last came from them, at least every 30 seconds while they are connected: if it \
            was longer ago, they may have gone without a word.

            Below the table it says what hinders finding and reaching anybody: nodes that are in sight and do not answer, \
            a firewall, mDNS that does not work.

            Example: parlance peers --watch
            """
    )

    @Flag(help: "Go on and print what changes, until interrupted.")
    var watch = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        // Subscribe first, so that no change after the list is missed.
        let filter = SubscriptionFilter(events: [PeerInfo.kind, PresenceEvent.kind, DiscoveryInfo.kind])
        let events = watch ? try await session.client.events(filter) : nil
        try await session.show(PeersOperation()) { reply in
            let problems = ProblemText(reply.problems ?? [], clock: session.clock, style: session.style).lines
            guard !reply.peers.isEmpty else {
                let nobody = say("Nobody is here yet.")
                return problems.isEmpty
                    ? [nobody + " " + say("'parlance status' says whether the network is being searched.")]
                    : [nobody] + problems
            }
            var table = TextTable(
                ["NAME", "ID", "TRUST", "LINK", "PRESENCE", "SEEN", "UNREAD", "NOTE"],
                wrapsLast: true
            )
            for peer in reply.peers { table.add(row(peer, session)) }
            return session.lines(table) + problems
        }
        if let events { try await EventPrinter(session: session).follow(events) }
    }

    private func row(_ peer: PeerInfo, _ session: Session) -> [TextTable.Cell] {
        let link = peer.connected ? say("connected") : peer.nearby ? say("nearby") : "-"
        let next = peer.nextTry.map { say("next try \(session.clock.relative($0))") }
        let warning = peer.warning.map { say("warning: \($0)") }
        let notes = [warning, peer.statusText.map { say("\"\($0)\"", hint: "quote") }, peer.note.map(say), next]
            .compactMap { $0 }
        return [
            TextTable.Cell(peer.shownName, .name),
            TextTable.Cell(PeerIDText.short(peer.id), .faint),
            TextTable.Cell(say(NameText.words(peer.trust)), NameText.role(peer.trust)),
            TextTable.Cell(link, peer.connected ? .good : .faint),
            peer.presence.map { session.presence($0, isConnected: peer.connected) }
                ?? TextTable.Cell("-", .faint),
            TextTable.Cell(peer.lastSeen.map(session.clock.past) ?? "", .faint),
            TextTable.Cell(peer.unread.flatMap { $0 > 0 ? "\($0)" : nil } ?? "", .warning),
            TextTable.Cell(notes.joined(separator: "; ")),
        ]
    }
}
