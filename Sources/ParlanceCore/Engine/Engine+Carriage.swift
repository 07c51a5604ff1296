import ParlanceRecords
import ParlanceWire

// The files that go with the parcels for a peer (carry.md, "Packing files").
extension Engine {
    mutating func answerCarriage(for peer: PeerID, _ id: CommandID) {
        guard !refusesCarrying(for: peer, id) else { return }
        couriers.renewDailyPrekey(&turn)
        var view = CarriageView(peer: peer, conversations: [], reached: [:])
        if let theirs = contacts[peer]?.usablePrekeys(at: turn.now)?.daily,
            let own = couriers.prekeys(for: peer, turn.now)?.daily.pair
        {
            view.secret = SealedFileSecret(own, theirs, from: identity, to: peer)
        }
        for step in steps(for: peer) {
            view.conversations.insert(step.conversation)
            if let log = step.log { view.reached[LogKey(step.conversation, log)] = step.done }
        }
        turn.whenDurable(.answer(id, .carriage(view)))
    }

    /// Refuses a command about carrying for somebody with whom nothing is exchanged.
    ///
    /// - Returns: whether it was refused.
    mutating func refusesCarrying(for peer: PeerID, _ id: CommandID) -> Bool {
        guard !people.exchanges(with: peer) else { return false }
        let named = named(peer)
        turn.refuse(id, .contact(contacts.isAccepted(peer) ? .carriesToLeftOut(named) : .carriesToStranger(named)))
        return true
    }
}
