import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords

// How far a message of this user has come, and why it waits: both follow from the thresholds.
extension DeliveryView {
    /// The status of a message of this user; `nil` if it has no recipients, as in a group without other members.
    ///
    /// - Parameter isCutOff: whether this computer has no network. Then nothing is being sent but within the computer,
    /// though a link counts as up until it has been silent for too long.
    func status(of message: ShownMessage, isCutOff: Bool) -> MessageStatus? {
        status(of: message, reach(of: message.sequence, in: message.log), isCutOff: isCutOff)
    }

    func status(of message: ShownMessage, _ reach: Reach, isCutOff: Bool) -> MessageStatus? {
        guard let log = logs.first(where: { $0.log == message.log }) else { return nil }
        return message.isVoid ? .failed : status(of: message.sequence, in: log, reach, isCutOff: isCutOff)
    }

    /// The status of a message of a local log at a sequence; `nil` if it has no recipients.
    func status(of sequence: UInt64, in log: LogDelivery, isCutOff: Bool) -> MessageStatus? {
        status(of: sequence, in: log, reach(of: sequence, in: log.log), isCutOff: isCutOff)
    }

    private func status(
        of sequence: UInt64,
        in log: LogDelivery,
        _ reach: Reach,
        isCutOff: Bool
    ) -> MessageStatus? {
        guard !reach.recipients.isEmpty else { return isStranded(sequence, in: log.log) ? .failed : nil }
        if reach.read.count == reach.recipients.count { return .read }
        if reach.delivered.count == reach.recipients.count { return .delivered }
        if sequence <= log.refusedThrough { return .failed }
        if !reach.delivered.isEmpty { return .sent }
        if sequence <= log.carriedThrough { return .sent }
        if isRefused(by: reach) { return .failed }
        let isSent = !isCutOff && sequence <= log.sendingThrough
        return isSent || isNext(among: reach, isCutOff: isCutOff) ? .sending : .staged
    }

    /// Whether all recipients of a message that nobody has refuse what the user writes. Whether this message was offered to
    /// them makes no difference that anybody could see: they would refuse it too.
    private func isRefused(by reach: Reach) -> Bool {
        recipients.allSatisfy { $0.reason?.isRefusal == true || !reach.recipients.contains($0.peer) }
    }

    /// Whether a link is up on which somebody who lacks a message gets it next: then it does not wait.
    private func isNext(among reach: Reach, isCutOff: Bool) -> Bool {
        recipients.contains { recipient in
            recipient.reason == .onItsWay && (!isCutOff || recipient.isLinkedWithinComputer)
                && reach.recipients.contains(recipient.peer) && !reach.delivered.contains(recipient.peer)
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

    /// See `Place.why`; the message counts.
    func why(_ message: ShownMessage, cutOff: Phrase?, name: (PeerID) -> String) -> Phrase? {
        let waiting = lacking(message)
        let hasFailed = status(of: message, isCutOff: cutOff != nil) == .failed
        guard !waiting.isEmpty else {
            return hasFailed
                ? Phrase("all its recipients have left the group") : nil
        }
        if hasFailed, waiting.count == 1, let first = waiting.first {
            return WaitReason.refusal(first.reason, by: name(first.peer), name: name)
        }
        var kinds: [(reason: WaitReason?, names: [String])] = []
        var unreached = 0
        let own = waiting.contains(where: \.needsNetwork) ? cutOff : nil
        for recipient in waiting {
            // One cause, whoever they are and whatever was tried before: it is said once, in front.
            let reason = recipient.reason
            if own != nil, recipient.needsNetwork {
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

extension DeliveryView.Recipient {
    /// Whether nothing is known of why it lacks a message but whether it is reached, over a network: without one that
    /// says nothing of it.
    var needsNetwork: Bool { !isLinkedWithinComputer && reason?.isOfTheWay == true }
}

extension Place {
    /// Why a message waits, has failed or counts for nobody, in one sentence for people; `nil` if none of these.
    ///
    /// - Parameter cutOff: why this computer has no network, so that nobody can be reached (`MachineState`).
    func why(_ message: ShownMessage, cutOff: Phrase?, name: (PeerID) -> String) -> Phrase? {
        message.isVoid ? whyVoid(message) : delivery.why(message, cutOff: cutOff, name: name)
    }

    /// Why a message of the user counts for nobody (`ShownMessage.isVoid`).
    func whyVoid(_ message: ShownMessage) -> Phrase {
        guard case .group(let view) = self, let departure = view.departure else { return .countsForNobody }
        return departure.by == message.log.author
            ? Phrase("you left the group before others received it")
            : Phrase("an admin removed you from the group before receiving it")
    }
}

extension Phrase {
    /// Why a message of the user counts for nobody, where nothing is known of how the membership ended.
    static let countsForNobody = Phrase("you were no longer a member of the group when others received it")
}

extension WaitReason {
    /// Says that a recipient refused a message, and when it is sent; after an exclusion, or a block of the user's own, only
    /// that.
    static func refusal(_ reason: WaitReason?, by who: String, name: (PeerID) -> String) -> Phrase {
        switch reason {
        case .leftOut, .excluded, .blocked: sentence(reason, [who], isOffline: false, name: name)
        default: sentence(.refused, [who], isOffline: false, name: name)
        }
    }

    /// Whether nothing is known of somebody but whether they are reached: without a network that says nothing of them,
    /// and nothing is on its way.
    var isOfTheWay: Bool {
        switch self {
        case .peerOffline, .notLinked, .held, .onItsWay: true
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
        case .notLinked:
            return isOne ? Phrase("\(who) is not connected yet") : Phrase("\(who) are not connected yet")
        case .unreachable(let cause): return Phrase.joined(names.map { cause.text($0) }, by: "; ")
        case .refused:
            // Only one person can refuse so: in a group others hand on what somebody does not take from this node.
            return Phrase("\(who) does not take your messages; this one is sent if \(who) takes them again")
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
