/// What an event means, in one sentence for people.
package enum EventText {
    /// The sentence; it holds names of others as they are, so make it visible text before showing it.
    package static func sentence(_ event: ControlEvent) -> String {
        switch event {
        case .message(let message):
            "\(message.mine ? "You" : message.senderName): \(message.text)"
        case .status(let status):
            "your messages to \(status.title) are \(status.status.rawValue), up to \(status.through.prefix(12))"
        case .failed(let failed):
            "your messages to \(failed.title) failed: \(failed.why)"
        case .peer(let peer):
            peerSentence(peer)
        case .presence(let presence):
            "\(presence.displayName) is \(presence.presence.rawValue)"
                + (presence.statusText.map { " (\($0))" } ?? "")
        case .typing(let typing):
            "\(typing.displayName) \(typing.active ? "is typing" : "has stopped typing")"
        case .request(let request):
            "\(request.name) (\(PeerIDText.short(request.peer))) asks to talk: \(request.preview)"
        case .discovery(let discovery):
            discoverySentence(discovery)
        case .stopping(let stopping):
            stopping.why
        case .lagged(let lagged):
            "\(lagged.dropped) events were lost, because they were not read fast enough"
        }
    }

    private static func peerSentence(_ peer: PeerInfo) -> String {
        let link = peer.connected ? "connected" : peer.nearby ? "nearby" : "gone"
        return "\(peer.displayName) (\(PeerIDText.short(peer.id))) is \(link), \(peer.trust.rawValue)"
            + (peer.note.map { ": \($0)" } ?? "")
    }

    private static func discoverySentence(_ discovery: DiscoveryInfo) -> String {
        let parts = [discovery.message, discovery.advice].compactMap { $0 }
        return "discovery is \(discovery.state.rawValue)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: " "))
    }
}
