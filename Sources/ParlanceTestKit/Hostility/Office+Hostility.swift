import ParlanceCore
import ParlanceHistory
import ParlanceWire

// What the owners of hostile nodes do, and what the others can still do after it.
extension Office {
    func misbehave(_ node: Int, _ other: Int, salt: UInt64) {
        guard let owner = hostile[node], world.nodes[node].isUp, !world.nodes[node].isStopping else { return }
        let mischief = Mischief(salt: salt)
        var random = SeededGenerator(seed: salt)
        owner.random = SeededGenerator(seed: random.next())
        // To all that it is linked with, or to one of them.
        let linked = world.nodes.indices.filter { $0 != node && world.hasLink(from: node, to: $0) }
        let one = linked.contains(other) ? other : linked.first ?? node
        let targets = random.below(3) == 0 ? linked : [one]
        var sent = 0
        let before = owner.groups
        for target in targets where target != node {
            let frames = owner.frames(mischief, at: target)
            for frame in frames { world.inject(frame, from: node, to: target) }
            sent += frames.count
        }
        guard sent > 0 else { return }
        checker.groupsMade += owner.groups - before
        let what = mischief.rawValue
        happened("\(world.nodes[node].name) sends \(sent) frames of its own: \(what)", kind: "hostile \(what)")
    }

    /// In every group that still has an honest admin, it gives the group a new title, removes those who are hostile, and
    /// adds somebody who is not in it (groups.md, "What is held": void changes take nothing from
    /// the admins).
    func changeGroups() {
        let honest = world.nodes.indices.filter { checker.isHonest($0) && world.nodes[$0].isUp }
        for group in Set(honest.flatMap { world.nodes[$0].disk.groups }).sorted() {
            guard checker.violation == nil, let admin = honest.first(where: { isAdmin($0, of: group) }),
                let membership = world.nodes[admin].disk.memberships[group]
            else { continue }
            let title = "still ours \(admin)"
            change(group, .rename(title), "give a title", by: admin)
            checker.lastTitles[group] = (title, admin)
            let guests = script.hostile.sorted().filter { membership.isMember(world.nodes[$0].identity) }
            if !guests.isEmpty { change(group, .remove(guests.map { identity($0) }), "remove", by: admin) }
            let newcomer = honest.first { other in
                other != admin && !membership.everMembers.contains(world.nodes[other].identity)
                    && checker.isMutual(admin, other)
            }
            if let newcomer { change(group, .add([identity(newcomer)]), "add", by: admin) }
            coverage.count("group changed at the end")
        }
        rest(Self.convergence)
        checker.checkChanged()
    }

    private func isAdmin(_ node: Int, of group: ConversationID) -> Bool {
        world.nodes[node].disk.memberships[group]?.isAdmin(world.nodes[node].identity) == true
            && !checker.isDeletedGroup(group, node)
    }

    private func change(_ group: ConversationID, _ change: GroupChange, _ what: String, by admin: Int) {
        let command = give(.changeGroup(who: group.text, change), to: admin)
        checker.expectations[command] = .change(what, in: group, by: admin)
    }
}

extension HostileMember {
    /// The frames of one mischief for one peer; none if there is nothing to do it with.
    func frames(_ mischief: Mischief, at target: Int) -> [WireFrame] {
        let kinds: [WireFrame.OneOf_Kind] =
            switch mischief {
            case .voidChanges, .voidChangesByInvitation, .removalOfAll, .changesThatWait, .departures, .madeUpGroup:
                framesOfGroups(mischief, at: target)
            case .madeUpLogs, .logsOfMadeUpPeople, .madeUpSummary, .repeatedSummary, .repeatedEntries, .falseClock,
                .falseHoldings:
                framesOfClocks(mischief, at: target)
            case .repeatedWants, .repeatedBodyRequests, .unaskedBodies: framesOfRequests(mischief, at: target)
            case .falseReceipts, .receiptsOfMadeUpCopies, .receiptsOfOthers: framesOfReceipts(mischief, at: target)
            case .deposits, .depositsForMadeUpPeople, .falseAnswersOfCouriers, .falsePrekeys, .falseEnvelopes:
                framesOfCouriers(mischief, at: target)
            case .unsignedAddresses, .staleAddresses, .addressesOfMadeUpPeople, .oldKey, .nextKey, .farKey:
                framesOfWorkspaces(mischief, at: target)
            case .voidCharterChanges, .charterChangesThatWait, .forgedCharterChanges, .oddCharterEvents,
                .repeatedCharterEvents, .endlessCharter, .madeUpCharters:
                framesOfCharters(mischief, at: target)
            case .contactRequests, .falseContactAnswers, .falsePicture, .unaskedPicture, .names:
                framesOfPeople(mischief, at: target)
            case .mentionsOfNoFile, .falseFileOffers, .fileRequests, .unaskedPieces: framesOfFiles(mischief, at: target)
            case .behind, .full, .refusals, .typing, .dialBacks, .secondHello: framesAboutItself(mischief, at: target)
            default: framesOfEvents(mischief, at: target)
            }
        return kinds.map { kind in
            var frame = WireFrame()
            frame.kind = kind
            return frame
        }
    }
}

extension SimulatedWorld {
    /// The open end of a node's first link with another.
    private func openEnd(from node: Int, to other: Int) -> (pipe: Pipe, end: Int)? {
        for link in pipes.keys.sorted() {
            guard let pipe = pipes[link], let end = pipe.ends.firstIndex(where: { $0.link == link }) else { continue }
            let own = pipe.ends[end]
            if own.node == node, pipe.ends[1 - end].node == other, own.isOpen, !own.isGone, !own.isShut,
                own.life == nodes[node].life, !pipe.isSilent
            {
                return (pipe, end)
            }
        }
        return nil
    }

    func hasLink(from node: Int, to other: Int) -> Bool { openEnd(from: node, to: other) != nil }

    /// Sends a frame that the node's engine knows nothing of.
    func inject(_ frame: WireFrame, from node: Int, to other: Int) {
        guard let (pipe, end) = openEnd(from: node, to: other) else { return }
        carry(frame.encodedBytes(), over: pipe, to: 1 - end)
    }
}
