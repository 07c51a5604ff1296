import ParlanceRecords
import ParlanceWire

// The files that go with the parcels for a peer (carry.md, "Packing files").
extension Engine {
    mutating func answerCarriage(for peer: PeerID, _ id: CommandID) {
        guard contacts.isAccepted(peer) else {
            return turn.refuse(id, .contact(.carriesToStranger(named(peer))))
        }
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
}
