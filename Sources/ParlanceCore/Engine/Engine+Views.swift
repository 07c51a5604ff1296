import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Views of peers, groups and waiting messages.
extension Engine {
    mutating func tellPeer(_ id: PeerID) {
        keptApart.remove(id)
        guard contacts[id] != nil else { return }
        let view = view(of: id)
        if view.isLeftOut || view.membership?.excludedBy != nil { keptApart.insert(id) }
        turn.emit(.notify(.peer(view)))
    }

    func view(of id: PeerID) -> PeerView { view(of: id, over: mainLink(of: id)) }

    /// - Parameter link: the main link with the peer; `nil` if there is none, or it is about to end.
    func view(of id: PeerID, over link: Link?) -> PeerView {
        let record = contacts[id] ?? PeerRecord(id: id)
        let conversation = ConversationID(direct: identity, id)
        let ways = dialing.targets(of: id)
        let delivery = deliveryView(of: conversation)
        let trouble = trouble(with: id)
        return PeerView(
            record: record,
            displayName: contacts.displayName(of: record),
            nearby: ways.contains(where: \.isSighted),
            connected: link != nil,
            isLinkedWithinComputer: link?.isWithinComputer == true,
            isWelcome: people.isWelcome(id),
            presence: presence.view(of: record, heard: lastHeard(of: id)),
            picture: pictures[id],
            endpoints: link.map { [$0.remote] } ?? ways.flatMap(\.endpoints),
            typing: presence.isTyping(id, in: conversation),
            conversation: conversation,
            delivery: delivery,
            overdue: overdueLogs(of: conversation),
            lifetime: lifetimeView(of: conversation),
            trouble: trouble,
            nextTry: link == nil ? nextTry(of: id) : nil,
            fullUntil: fullUntil(id),
            awaitsAnswer: awaitsAnswer(record, delivery, trouble),
            isLeftOut: people.isRemoved(id),
            membership: membership(beside: id),
            outpacesUs: backlogs.isHere(of: id),
            outpacedByUs: backlogs.isThere(at: id)
        )
    }

    /// See `PeerView.membership`.
    private func membership(beside peer: PeerID) -> PeerView.Membership? {
        workspace.current.map { current in
            PeerView.Membership(
                workspace: current.shownName,
                hasCharter: current.charter != nil,
                isAdmin: current.charter?.isAdmin(identity) == true,
                excludedBy: excluder(for: peer).map { contacts.displayName(of: contacts[$0] ?? PeerRecord(id: $0)) }
            )
        }
    }

    /// Those whom the workspace keeps apart from the user.
    func findKeptApart() -> Set<PeerID> {
        let isExcluded = ownExcluder != nil
        return Set(contacts.ids.filter { people.isRemoved($0) || isExcluded && refusesTheExcluded($0) })
    }

    /// Tells of everybody whom the workspace keeps apart from the user now, or of whom that was told: what is said of them
    /// has changed.
    mutating func tellKeptApart() {
        for id in keptApart.union(findKeptApart()).sorted() { tellPeer(id) }
    }

    /// See `PeerView.awaitsAnswer`.
    private func awaitsAnswer(_ record: PeerRecord, _ delivery: DeliveryView, _ trouble: LinkTrouble?) -> Bool {
        record.isAccepted && !hasAcceptedUser(record) && record.answerGiven == nil
            // Members accept each other, and tell so a moment after they have linked.
            && (workspace.current == nil
                || links.main(of: record.id) != nil && hasPending(delivery.conversation, for: record.id))
            && delivery.logs.allSatisfy { log in
                log.refusedThrough == 0 && log.progress.allSatisfy { $0.delivered.sequence == 0 }
            }
            && delivery.reason?.isRefusal != true
            && ![.blocked, .otherWorkspace].contains(trouble?.cause)
    }

    /// When this node next dials a peer, in monotonic milliseconds; `nil` if it does not.
    private func nextTry(of id: PeerID) -> Int64? {
        guard people.isWelcome(id), !people.isRemoved(id) else { return nil }
        // Whatever shows another workspace now is not dialled.
        let tried = dialing.targets(of: id).filter { $0.attempt == nil && $0.shares(workspace.current) }
        return tried.map { max($0.nextTry, turn.now.monotonic) }.min()
    }

    /// Whether a peer has not received all our messages in a conversation.
    func hasPending(_ id: ConversationID, for peer: PeerID) -> Bool {
        guard let conversation = conversations[id] else { return false }
        return conversation.logs(of: identity).contains { log in
            let reached = conversation.reached(log, by: peer, at: .delivered).sequence
            return conversation.durableThrough(log)
                > max(reached, log == ownLog ? conversation.group?.joined[peer] ?? 0 : 0)
        }
    }

    /// The thresholds from which every status of our messages is derived.
    func deliveryView(of id: ConversationID) -> DeliveryView {
        guard let conversation = conversations[id] else { return DeliveryView(conversation: id) }
        let recipients = conversation.recipients(identity)
        var view = DeliveryView(conversation: id)
        let present = Set(recipients)
        let former = (conversation.group?.joined ?? [:]).filter { !present.contains($0.key) }
        view.logs = conversation.logs(of: identity).map { log in
            DeliveryView.LogDelivery(
                log: log,
                isWritten: log == ownLog,
                sendingThrough: recipients.reduce(0) { max($0, sendingThrough(log, to: $1, in: conversation)) },
                refusedThrough: log == ownLog ? refusedThrough(by: recipients, in: conversation) : 0,
                carriedThrough: log == ownLog ? carriedThrough(in: conversation) : 0,
                progress: recipients.map { conversation.marks.progress(of: $0, in: log) },
                formerAfter: former.isEmpty ? nil : log == ownLog ? former.values.min() : 0,
                formerThrough: former.keys.map { conversation.reached(log, by: $0, at: .delivered).sequence }.max() ?? 0
            )
        }
        let own = conversation.logs[ownLog]?.durable.position.sequence ?? 0
        for peer in recipients {
            let after = conversation.group?.joined[peer] ?? 0
            let has = max(conversation.reached(ownLog, by: peer, at: .delivered).sequence, after)
            let waits = has < own
            let reason = waits ? waitReason(id, peer) : nil
            var recipient = DeliveryView.Recipient(peer: peer, after: after, reason: reason)
            recipient.isLinkedWithinComputer = waits && mainLink(of: peer)?.isWithinComputer == true
            recipient.isRetryFutile = isRetryFutile(reason, peer)
            view.recipients.append(recipient)
            guard waits else { continue }
            view.reason = view.reason ?? reason
            let goesOn = mainLink(of: peer).map { $0.sessions[id]?.fullUntil } ?? nextTry(of: peer)
            guard let next = goesOn else { continue }
            view.nextTry = min(view.nextTry ?? next, next)
        }
        return view
    }

    /// The last sequence that is sent or may be sent at any moment: a pending read counts through the end of the log.
    private func sendingThrough(_ log: LogID, to peer: PeerID, in conversation: Conversation) -> UInt64 {
        guard let window = mainLink(of: peer)?.sessions[conversation.id]?.window, let sent = window.sentThrough(log)
        else { return 0 }
        return window.isReading(log) ? conversation.logs[log]?.durable.position.sequence ?? sent : sent
    }

    /// Only a person can refuse messages. In a group, some member always accepts what others pass on.
    private func refusedThrough(by recipients: [PeerID], in conversation: Conversation) -> UInt64 {
        guard case .direct(let peer) = conversation.record.kind else { return 0 }
        return contacts[peer]?.refusedThrough ?? 0
    }

    private func carriedThrough(in conversation: Conversation) -> UInt64 {
        guard case .direct(let peer) = conversation.record.kind else { return 0 }
        return deposits(for: peer).map(\.through).max() ?? 0
    }

    /// Whether a peer has accepted this user, as far as it has shown: it has answered a request, or has sent prekeys, which
    /// it sends only to peers that it has accepted (couriers.md, "Prekeys").
    private func hasAcceptedUser(_ record: PeerRecord) -> Bool {
        record.answerReceived != nil || record.prekeys != nil
    }

    private func waitReason(_ id: ConversationID, _ peer: PeerID) -> WaitReason {
        if conversations[id]?.group == nil, let refused = contacts[peer]?.refusedThrough,
            refused >= conversations[id]?.durableThrough(ownLog) ?? 0
        {
            if contacts.isBlocked(peer) { return .blocked(isInGroup: false) }
            return people.isRemoved(peer) ? .leftOut : ownExclusion(for: peer) ?? .refused
        }
        guard let link = mainLink(of: peer) else {
            if contacts.isBlocked(peer) { return .blocked(isInGroup: conversations[id]?.group != nil) }
            if people.isRemoved(peer) { return .leftOut }
            let trouble = trouble(with: peer)
            if trouble?.cause == .blocked, let exclusion = ownExclusion(for: peer) { return exclusion }
            if conversations[id]?.group == nil, trouble?.cause.isAbsence != false {
                let written = conversations[id]?.durableThrough(ownLog) ?? 0
                let holders = deposits(for: peer).filter { $0.through >= written }.compactMap { PeerID($0.courier) }
                if !holders.isEmpty { return .held(holders.sorted()) }
            }
            // What was written after a refusal is tried again later, and most likely refused too.
            if conversations[id]?.group == nil, contacts[peer]?.refusedThrough != nil || trouble?.cause == .blocked {
                return ownExclusion(for: peer) ?? .refused
            }
            // In another workspace nobody is asked.
            if trouble?.cause == .otherWorkspace { return .unreachable(.otherWorkspace) }
            if contacts.wasAsked(peer), mustAccept(peer, in: id) { return .waitsForAcceptance }
            let ways = dialing.targets(of: peer)
            guard let cause = trouble?.cause else {
                return ways.contains { $0.shares(workspace.current) } ? .notLinked : .peerOffline
            }
            return ways.contains(where: \.isSighted) || !cause.isAbsence ? .unreachable(cause) : .peerOffline
        }
        if link.isStalled { return .unreachable(.unanswered) }
        // Such a link is up only until the peer has said why it ends.
        if link.sessions[id]?.isListed != true, let exclusion = ownExclusion(for: peer) { return exclusion }
        if link.sessions[id]?.fullUntil != nil { return .quotaUsed }
        // Written after a refusal. The peer most likely ends the link for it; if not, its `Summary` ends the refusal.
        if conversations[id]?.group == nil, contacts[peer]?.refusedThrough != nil {
            return ownExclusion(for: peer) ?? .refused
        }
        if link.sessions[id]?.isListed == true || !link.summaryReceived { return .onItsWay }
        let record = contacts[peer] ?? PeerRecord(id: peer)
        let hasAnswered = record.answerReceived != nil
        // Whoever has asked the user, and got an answer, is asked only if it has forgotten that.
        let isAsked = hasAnswered || record.answerGiven != nil ? contacts.wasAsked(peer) : !hasAcceptedUser(record)
        if isAsked, mustAccept(peer, in: id) { return .waitsForAcceptance }
        // It has accepted the user, or is a member of the workspace, and opens the conversation once it has heard of it.
        if !hasAnswered, conversations[id]?.group == nil { return .onItsWay }
        return conversations[id]?.group == nil || held(by: peer, in: id) > 0 ? .notTaken : .notJoined
    }

    /// Why a member of the workspace refuses this user: an admin has excluded it. `nil` if none has, or if the peer may have
    /// reasons of its own.
    private func ownExclusion(for peer: PeerID) -> WaitReason? {
        excluder(for: peer).map { .excluded(by: $0) }
    }

    /// The admin who has excluded this user from the workspace; `nil` if none has.
    private var ownExcluder: PeerID? { workspace.current?.charter?.excluder(of: identity) }

    /// The admin who has excluded this user, for a peer that refuses it because of that.
    private func excluder(for peer: PeerID) -> PeerID? {
        guard let by = ownExcluder, refusesTheExcluded(peer) else { return nil }
        return by
    }

    /// Whether a peer refuses this user, who is excluded, because of that: a member, as far as is known here. Whoever was
    /// accepted without an answer to a request may be one, too, and so is whoever refused the user on a link with a key of
    /// the workspace.
    private func refusesTheExcluded(_ peer: PeerID) -> Bool {
        if workspace.hasShownMembership(peer, links, people) { return true }
        guard let record = contacts[peer] else { return false }
        if record.isAccepted { return record.answerReceived == nil && record.answerGiven == nil }
        guard let trouble = trouble(with: peer), trouble.cause == .blocked else { return false }
        return trouble.workspaceTag != nil && workspace.takes(trouble.workspaceTag)
    }

    /// Whether another try at once certainly brings nothing to a peer that lacks messages for some reason.
    private func isRetryFutile(_ reason: WaitReason?, _ peer: PeerID) -> Bool {
        switch reason {
        // What shows another workspace is not dialled.
        case .blocked, .leftOut, .quotaUsed, .unreachable(.otherWorkspace): true
        // While there is no link, the peer may have accepted in the meantime.
        case .waitsForAcceptance: mainLink(of: peer) != nil
        // There is nothing to dial.
        case .peerOffline: dialing.targets(of: peer).isEmpty
        default: false
        }
    }

    /// Whether a peer gets a conversation only after it has accepted this user. In a group this holds only for a peer that
    /// this user has invited and that has not joined yet: members of a group need not accept each other.
    private func mustAccept(_ peer: PeerID, in id: ConversationID) -> Bool {
        conversations[id]?.group == nil || contacts.isAccepted(peer) && held(by: peer, in: id) == 0
    }

    func groupView(of id: ConversationID) -> GroupView {
        let conversation = conversations[id]
        let membership = conversation?.group?.membership ?? Membership()
        let logs = conversation?.logs ?? [:]
        let events = logs.values.reduce(0) { $0 + $1.durable.position.sequence }
        return GroupView(
            conversation: id,
            title: conversation?.group?.title ?? "",
            createdAs: membership.title,
            topic: conversation?.group?.label.topic ?? "",
            members: membership.members.map { member($0, of: id, membership, events) },
            isMember: membership.isMember(identity),
            isAdmin: membership.isAdmin(identity),
            departure: membership.end(of: identity).map {
                GroupView.Departure(by: $0.log.author, time: $0.time.shown(at: turn.now.wall))
            },
            departures: membership.departures,
            delivery: deliveryView(of: id),
            lifetime: lifetimeView(of: id),
            overdue: overdueLogs(of: id),
            doubtfulAfter: doubtfulLogs(of: conversation),
            events: events
        )
    }

    /// Our logs that may contain void events, since the user was not a member for a time, each with the last sequence
    /// before these.
    private func doubtfulLogs(of conversation: Conversation?) -> [LogID: UInt64] {
        guard let conversation, let membership = conversation.group?.membership, membership.hasLost(identity) else {
            return [:]
        }
        let own = conversation.logs(of: identity)
        return Dictionary(uniqueKeysWithValues: own.map { ($0, membership.firstMark(of: $0)) })
    }

    private func member(
        _ id: PeerID,
        of conversation: ConversationID,
        _ membership: Membership,
        _ events: UInt64
    ) -> GroupView.Member {
        let record = contacts[id] ?? PeerRecord(id: id)
        let link = mainLink(of: id)
        let isMe = id == identity
        let holds = isMe ? events : held(by: id, in: conversation)
        return GroupView.Member(
            peer: id,
            displayName: isMe ? presence.profile.name : contacts.displayName(of: record),
            isAdmin: membership.isAdmin(id),
            connected: isMe || link != nil,
            presence: isMe ? presence.view : presence.view(of: record, heard: lastHeard(of: id)),
            typing: presence.isTyping(id, in: conversation),
            isAsked: !isMe && holds == 0 && contacts.isAccepted(id) && !isMutual(record, over: link),
            isLeftOut: !isMe && people.isRemoved(id),
            holds: holds
        )
    }

    /// Whether a peer that this user has accepted has accepted this user too, as far as can be told: on a link, it lists
    /// the conversation with this user.
    private func isMutual(_ record: PeerRecord, over link: Link?) -> Bool {
        let direct = ConversationID(direct: identity, record.id)
        if let link, link.summaryReceived { return link.sessions[direct]?.isListed == true }
        return hasAcceptedUser(record) || record.answerGiven != nil || workspace.current != nil
            || held(by: record.id, in: direct) > 0
    }

    /// How many of the events held here a peer is known to hold (`known`).
    private func held(by peer: PeerID, in id: ConversationID) -> UInt64 {
        guard let conversation = conversations[id] else { return 0 }
        let told = told(by: peer, in: id)
        return conversation.logs.reduce(0) { total, log in
            let through = log.value.durable.position.sequence
            return total + min(through, known(log.key, to: peer, told, in: conversation))
        }
    }

    /// What a peer has told that it holds of a conversation: on the present link, otherwise on the last one.
    func told(by peer: PeerID, in id: ConversationID) -> ToldClock {
        if let clock = mainLink(of: peer)?.sessions[id]?.theirs { return .present(clock) }
        return .last(lastClocks[peer, id])
    }

    /// The last sequence of a log that a peer is known to hold: by what it told (`told(by:in:)`) or by its receipts.
    func known(_ log: LogID, to peer: PeerID, _ told: ToldClock, in conversation: Conversation) -> UInt64 {
        guard log.author != peer else { return conversation.logs[log]?.durable.position.sequence ?? 0 }
        return max(told[log], conversation.reached(log, by: peer, at: .delivered).sequence)
    }
}

extension Marks {
    /// How far a member has received and read a log.
    fileprivate func progress(of member: PeerID, in log: LogID) -> DeliveryView.LogDelivery.Progress {
        var progress = DeliveryView.LogDelivery.Progress(delivered: .start, read: .start)
        for mark in of(log, by: member) {
            if isBetter(mark, than: progress.delivered, progress.deliveredAt, progress.deliveredVia) {
                progress.delivered = mark.position
                progress.deliveredAt = mark.learnt
                progress.deliveredVia = mark.via
            }
            if mark.key.level == .read && isBetter(mark, than: progress.read, progress.readAt, progress.readVia) {
                progress.read = mark.position
                progress.readAt = mark.learnt
                progress.readVia = mark.via
            }
        }
        return progress
    }

    /// Among copies of a member that have got equally far, the first to report counts.
    private func isBetter(_ mark: WatermarkRecord, than position: LogPosition, _ time: Int64?, _ via: PeerID?) -> Bool {
        guard mark.position.sequence == position.sequence, let time else {
            return mark.position.sequence > position.sequence
        }
        guard mark.learnt == time else { return mark.learnt < time }
        return via.map { other in mark.via.map { $0 < other } ?? true } ?? false
    }
}
