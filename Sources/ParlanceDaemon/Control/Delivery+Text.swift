import ParlanceControl
import ParlanceCore
import ParlanceWire

// How far an own message has come, and why it waits: both follow from the thresholds.
extension DeliveryView {
    /// The status of an own message; `nil` if it is for nobody, such as in a group one was alone in.
    func status(of message: ShownMessage) -> MessageStatus? {
        status(of: message, reach(of: message.sequence, in: message.log))
    }

    func status(of message: ShownMessage, _ reach: Reach) -> MessageStatus? {
        guard let log = logs.first(where: { $0.log == message.log }) else { return nil }
        if message.isVoid { return .failed }
        guard !reach.recipients.isEmpty else {
            return isStranded(message.sequence, in: message.log) ? .failed : nil
        }
        if reach.read.count == reach.recipients.count { return .read }
        if reach.delivered.count == reach.recipients.count { return .delivered }
        if message.sequence <= log.refusedThrough { return .failed }
        if !reach.delivered.isEmpty { return .sent }
        if message.sequence <= log.carriedThrough { return .sent }
        return message.sequence <= log.sendingThrough ? .sending : .staged
    }

    /// Who of the recipients of an own message has not got it.
    func lacking(_ message: ShownMessage) -> [Recipient] {
        let reach = reach(of: message.sequence, in: message.log)
        let lacking = Set(reach.recipients).subtracting(reach.delivered)
        return recipients.filter { lacking.contains($0.peer) }
    }

    /// The last sequence of an own log that nobody waits for; `nil` if it is for nobody.
    func settledThrough(_ log: LogDelivery) -> UInt64? {
        recipients.isEmpty ? nil : reachedByAll(log, .delivered).sequence
    }

    /// Why a message waits, in one sentence for people; `nil` if it does not.
    func why(_ message: ShownMessage, name: (PeerID) -> String) -> String? {
        if message.isVoid {
            return "you were not a member of the group when you wrote it, or had not learnt yet that you were one again"
        }
        let waiting = lacking(message)
        guard !waiting.isEmpty else {
            return status(of: message) == .failed ? "nobody that it was for is in the group with you any more" : nil
        }
        if status(of: message) == .failed, let peer = waiting.first?.peer {
            return WaitReason.refusal(by: name(peer))
        }
        var kinds: [(reason: WaitReason?, names: [String])] = []
        for recipient in waiting {
            if let index = kinds.firstIndex(where: { $0.reason == recipient.reason }) {
                kinds[index].names.append(name(recipient.peer))
            } else {
                kinds.append((recipient.reason, [name(recipient.peer)]))
            }
        }
        let sentences = kinds.map { WaitReason.sentence($0.reason, $0.names, name: name) }
        return sentences.joined(separator: "; ")
    }
}

extension WaitReason {
    /// What somebody does who has refused a message, and what can be done.
    static func refusal(by name: String) -> String {
        "\(LinkTrouble.Cause.blocked.text(name)); to try again: parlance outbox retry ID"
    }

    /// Why something waits for people, all for the same reason.
    static func sentence(_ reason: WaitReason?, _ names: [String], name: (PeerID) -> String) -> String {
        let who = PeopleText.list(names)
        let isOne = names.count == 1
        switch reason {
        case .waitsForAcceptance:
            return isOne ? "\(who) has been asked and has not accepted yet" : "\(who) have not accepted yet"
        case .blocked: return "you have blocked \(who)"
        case .leftOut: return "\(who) \(isOne ? "was" : "were") left out of the workspace"
        case .peerOffline: return "\(who) \(isOne ? "is" : "are") offline"
        case .unreachable(let cause): return names.map { cause.text($0) }.joined(separator: "; ")
        case .refused: return "\(who) \(isOne ? "does" : "do") not take your messages"
        case .held(let couriers):
            let holders = PeopleText.list(couriers.map(name))
            return
                "\(who) \(isOne ? "is" : "are") offline; \(holders) \(couriers.count == 1 ? "holds" : "hold") it for them"
        case .onItsWay: return "on its way to \(who)"
        case .notTaken: return "\(who) \(isOne ? "does" : "do") not take messages from you at present"
        case nil: return "\(who) \(isOne ? "has" : "have") not got it yet"
        }
    }
}
