import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords

// How far a message of this user has come, and why it waits: both follow from the thresholds.
extension DeliveryView {
    /// The status of a message of this user; `nil` if it has no recipients, as in a group without other members.
    func status(of message: ShownMessage) -> MessageStatus? {
        status(of: message, reach(of: message.sequence, in: message.log))
    }

    func status(of message: ShownMessage, _ reach: Reach) -> MessageStatus? {
        guard let log = logs.first(where: { $0.log == message.log }) else { return nil }
        return message.isVoid ? .failed : status(of: message.sequence, in: log, reach)
    }

    /// The status of a message of a local log at a sequence; `nil` if it has no recipients.
    func status(of sequence: UInt64, in log: LogDelivery) -> MessageStatus? {
        status(of: sequence, in: log, reach(of: sequence, in: log.log))
    }

    private func status(of sequence: UInt64, in log: LogDelivery, _ reach: Reach) -> MessageStatus? {
        guard !reach.recipients.isEmpty else { return isStranded(sequence, in: log.log) ? .failed : nil }
        if reach.read.count == reach.recipients.count { return .read }
        if reach.delivered.count == reach.recipients.count { return .delivered }
        if sequence <= log.refusedThrough { return .failed }
        if !reach.delivered.isEmpty { return .sent }
        if sequence <= log.carriedThrough { return .sent }
        return sequence <= log.sendingThrough || isNext(among: reach) ? .sending : .staged
    }

    /// Whether a link is up on which somebody who lacks a message gets it next: then it does not wait.
    private func isNext(among reach: Reach) -> Bool {
        recipients.contains { recipient in
            recipient.reason == .onItsWay && reach.recipients.contains(recipient.peer)
                && !reach.delivered.contains(recipient.peer)
        }
    }

    /// The sequences of a local log after which the status of messages can be another one, in order.
    func thresholds(of log: LogDelivery) -> [UInt64] {
        let own = [log.sendingThrough, log.refusedThrough, log.carriedThrough, log.formerAfter ?? 0, log.formerThrough]
        return Set(own + log.progress.map(\.delivered.sequence) + recipients.map(\.after)).sorted()
    }

    /// The recipients that do not have a message yet.
    func lacking(_ message: ShownMessage) -> [Recipient] {
        let reach = reach(of: message.sequence, in: message.log)
        let lacking = Set(reach.recipients).subtracting(reach.delivered)
        return recipients.filter { lacking.contains($0.peer) }
    }

    /// The last sequence number of a local log that every recipient has; `nil` if there are no recipients.
    func settledThrough(_ log: LogDelivery) -> UInt64? {
        recipients.isEmpty ? nil : reachedByAll(log, .delivered).sequence
    }

    /// People of whom a sentence says at which address and why they were not reached; `info` has a table of all.
    private static let causesNamed = 2

    /// Why a message waits or has failed, in one sentence for people; `nil` if neither.
    ///
    /// - Parameter cutOff: why this computer has no network, so that nobody can be reached (`MachineState`).
    func why(_ message: ShownMessage, cutOff: Phrase?, name: (PeerID) -> String) -> Phrase? {
        if message.isVoid { return .countsForNobody }
        let waiting = lacking(message)
        guard !waiting.isEmpty else {
            return status(of: message) == .failed
                ? Phrase("all its recipients have left the group") : nil
        }
        if status(of: message) == .failed, let first = waiting.first {
            return WaitReason.refusal(first.reason, by: name(first.peer), name: name)
        }
        var kinds: [(reason: WaitReason?, names: [String])] = []
        var unreached = 0
        let own = waiting.contains { $0.reason?.isOfTheWay == true } ? cutOff : nil
        for recipient in waiting {
            // One cause, whoever they are and whatever was tried before: it is said once, in front.
            let reason = recipient.reason
            if own != nil, reason?.isOfTheWay == true {
                guard case .held = reason else { continue }
            }
            // Each has an address and a cause of its own.
            if case .unreachable = reason {
                unreached += 1
                guard unreached <= Self.causesNamed else { continue }
            }
            if let index = kinds.firstIndex(where: { $0.reason == reason }) {
                kinds[index].names.append(name(recipient.peer))
            } else {
                kinds.append((reason, [name(recipient.peer)]))
            }
        }
        var sentences = [own].compactMap(\.self)
        sentences += kinds.map { WaitReason.sentence($0.reason, $0.names, isOffline: own != nil, name: name) }
        let others = unreached - Self.causesNamed
        if others > 0 {
            sentences.append(others == 1 ? Phrase("1 more was not reached") : Phrase("\(others) more were not reached"))
        }
        return Phrase.joined(sentences, by: "; ")
    }
}

extension Phrase {
    /// Why a message of the user counts for nobody (`ShownMessage.isVoid`).
    static let countsForNobody = Phrase("an admin removed you from the group before receiving it")
}

extension WaitReason {
    /// Says that a recipient refused a message, and when it is tried again; after an exclusion, only that.
    static func refusal(_ reason: WaitReason?, by who: String, name: (PeerID) -> String) -> Phrase {
        switch reason {
        case .leftOut, .excluded: sentence(reason, [who], isOffline: false, name: name)
        default: Phrase("\(LinkTrouble.Cause.blocked.text(who)); it is sent if \(who) takes them again")
        }
    }

    /// Whether nothing is known of somebody but whether they are reached: without a network that says nothing of them,
    /// and nothing is on its way.
    var isOfTheWay: Bool {
        switch self {
        case .peerOffline, .held, .onItsWay: true
        case .unreachable(let cause): Diagnosis.ofTheWay.contains(cause.code)
        default: false
        }
    }

    /// Says why something waits for people, all for the same reason.
    ///
    /// - Parameter isOffline: whether this computer has no network, which is said apart.
    static func sentence(
        _ reason: WaitReason?,
        _ names: [String],
        isOffline: Bool,
        name: (PeerID) -> String
    ) -> Phrase {
        let who = PeopleText.list(names)
        let isOne = names.count == 1
        switch reason {
        case .waitsForAcceptance:
            return isOne
                ? Phrase("\(who) has been asked and has not accepted yet") : Phrase("\(who) have not accepted yet")
        case .blocked(let isInGroup):
            return isInGroup
                ? Phrase("you have blocked \(who); other members may pass it on") : Phrase("you have blocked \(who)")
        case .leftOut:
            return isOne
                ? Phrase("\(who) is excluded from the workspace")
                : Phrase("\(who) are excluded from the workspace")
        case .excluded(let by):
            return isOne
                ? Phrase("\(name(by)) has excluded you from the workspace, so \(who) takes nothing from you")
                : Phrase("\(name(by)) has excluded you from the workspace, so \(who) take nothing from you")
        case .peerOffline: return isOne ? Phrase("\(who) is offline") : Phrase("\(who) are offline")
        case .unreachable(let cause): return Phrase.joined(names.map { cause.text($0) }, by: "; ")
        case .refused:
            // What has failed says `refusal(_:by:name:)`: this has not been refused itself.
            return isOne
                ? Phrase("\(who) does not take your messages; it is tried again")
                : Phrase("\(who) do not take your messages; it is tried again")
        case .held(let couriers):
            let offline = isOne ? Phrase("\(who) is offline") : Phrase("\(who) are offline")
            let holders = PeopleText.list(couriers.map(name))
            if isOffline {
                return couriers.count == 1
                    ? Phrase("\(holders) holds it for \(who)") : Phrase("\(holders) hold it for \(who)")
            }
            return couriers.count == 1
                ? Phrase("\(offline); \(holders) holds it for them") : Phrase("\(offline); \(holders) hold it for them")
        case .onItsWay: return Phrase("on its way to \(who)")
        case .notTaken:
            return isOne
                ? Phrase("\(who) is not taking messages from you at the moment")
                : Phrase("\(who) are not taking messages from you at the moment")
        case .quotaUsed:
            return isOne
                ? Phrase("\(who) takes no more messages from you for now: you have reached the daily limit there")
                : Phrase("\(who) take no more messages from you for now: you have reached the daily limit there")
        case .notJoined:
            return isOne
                ? Phrase("\(who) has not joined the group yet") : Phrase("\(who) have not joined the group yet")
        case nil: return isOne ? Phrase("\(who) has not got it yet") : Phrase("\(who) have not got it yet")
        }
    }
}
