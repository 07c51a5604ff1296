import ParlanceControl
import ParlanceTexts

/// What a person who watches was last told of each peer. One change is one line: a change that the line does not name is no
/// news, nor is what follows from the end of a link.
struct ToldPeers {
    private var known: [String: PeerInfo] = [:]
    /// Those whose links have ended, until they come again. Their presence ends, dials fail, their announcement ends.
    private var left: Set<String> = []

    /// Whether the presence of somebody is a line of its own: not when it ends, since the line about the link says that.
    func isNews(_ event: PresenceEvent) -> Bool { event.presence != .offline }

    mutating func isNews(_ peer: PeerInfo) -> Bool {
        let before = known.updateValue(peer, forKey: peer.id)
        if peer.connected || before?.nearby == false && peer.nearby {
            left.remove(peer.id)
        } else if left.contains(peer.id), let before {
            return (peer.shownName, peer.trust, peer.warning) != (before.shownName, before.trust, before.warning)
        } else if before?.connected ?? (peer.note != nil) {
            left.insert(peer.id)
        }
        return before?.sentence != peer.sentence
    }
}
