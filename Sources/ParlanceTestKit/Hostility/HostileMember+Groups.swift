import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Changes of groups, and clocks.
extension HostileMember {
    func framesOfGroups(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        if mischief == .madeUpGroup { return makeGroup() }
        let aim = aim(at: target, inGroup: true)
        guard let membership = aim.membership,
            let creation = membership.events.first(where: { $0.header.kind == .create })
        else { return [] }
        let key = LogKey(aim.place, copy(0))
        // An admin's changes are not void.
        let count = membership.isAdmin(identity) ? 2 : 32 + random.below(96)
        switch mischief {
        case .voidChanges:
            // Those of one that was an admin once are held by others (groups.md, "What is held").
            let after = random.below(2) == 0 ? [creation.id] : membership.frontier
            for _ in 0..<count { write(.members, change(.add, [nobody()], after: after), in: key) }
        case .voidChangesByInvitation:
            for _ in 0..<count {
                write(.members, change(.appoint, [identity], after: [creation.id]), in: key)
            }
            return [invitation((chains[key] ?? []).filter { $0.header.kind == .members }.suffix(128), to: aim.place)]
        case .removalOfAll:
            // As an admin it could; it is to be one that cannot.
            guard !membership.isAdmin(identity) else { return [] }
            let all = membership.members.filter { $0 != identity }
            guard !all.isEmpty else { return [] }
            write(.members, change(.remove, Array(all), after: membership.frontier), in: key)
            write(.members, change(.dismiss, Array(all), after: [creation.id]), in: key)
        case .changesThatWait:
            let unknown = EventID(bytes(Bytes32.count)) ?? creation.id
            for _ in 0..<(1 + random.below(64)) {
                write(.members, change(.add, [nobody()], after: [unknown]), in: LogKey(aim.place, copy(Self.waiting)))
            }
            return runs(of: LogKey(aim.place, copy(Self.waiting)), for: target)
        default:
            // A departure always counts, so most of them are those of one that is a member no more.
            guard !membership.isMember(identity) || random.below(4) == 0 else { return [] }
            for _ in 0..<(1 + random.below(40)) { write(.members, change(.leave, [], after: [creation.id]), in: key) }
        }
        return runs(of: key, for: target)
    }

    private func change(_ action: WireMemberAction, _ who: [PeerID], after: [EventID]) -> [UInt8] {
        WireMembersBody(action, who, after: after.prefix(Limits.membershipParents)).encodedBytes()
    }

    /// A group of everybody and of people who do not exist.
    private func makeGroup() -> [WireFrame.OneOf_Kind] {
        guard groups < Self.mostGroups else { return [] }
        groups += 1
        var body = WireCreateBody()
        body.nonce = Data(bytes(ReplicaID.count))
        body.title = "made up \(groups)"
        let others = world.nodes.filter { $0.number != node }.map(\.identity) + (0..<20).map { _ in nobody() }
        body.members = others.map { peer in
            var member = WireMember()
            member.id = Data(peer.bytes)
            return member
        }
        let encoded = body.encodedBytes()
        let place = ConversationID(creator: identity, creation: encoded)
        let created = write(.create, encoded, in: LogKey(place, copy(0)))
        return [invitation([created], to: place)]
    }

    // Clocks.

    func framesOfClocks(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let aim = aim(at: target, inGroup: false)
        let disk = world.nodes[target].disk
        switch mischief {
        case .madeUpLogs: return [have(aim.place, (0..<400).map { _ in entry(log(of: identity)) })]
        case .logsOfMadeUpPeople: return [have(aim.place, (0..<400).map { _ in entry(log(of: nobody())) })]
        case .madeUpSummary, .repeatedSummary:
            var summary = WireSummary()
            let place = Data(mischief == .repeatedSummary ? aim.place.bytes : bytes(32))
            summary.entries = (0..<200).map { _ in
                var entry = WireSummary.Entry()
                entry.conversation = mischief == .repeatedSummary ? place : Data(bytes(32))
                entry.clockHash = Data(bytes(8))
                entry.membershipHash = aim.membership == nil ? Data() : Data(bytes(8))
                return entry
            }
            return [.summary(summary)]
        case .repeatedEntries:
            guard let log = pick(disk.logs(of: aim.place).sorted()) else { return [] }
            let position = disk.position(of: LogKey(aim.place, log))
            guard position.sequence > 0 else { return [] }
            return [have(aim.place, (0..<300).map { _ in entry(log, position) })]
        case .falseClock:
            // It claims what nobody has.
            let logs = disk.logs(of: aim.place).sorted()
            return logs.isEmpty ? [] : [have(aim.place, logs.map { entry($0) })]
        default:
            // It claims to hold all that others have written, whether or not it does.
            let logs = disk.logs(of: aim.place).sorted()
            let entries = logs.map { entry($0, disk.position(of: LogKey(aim.place, $0))) }.filter { $0.sequence > 0 }
            return entries.isEmpty ? [] : [have(aim.place, entries)]
        }
    }

    private func log(of author: PeerID) -> LogID {
        LogID(author: author, replica: ReplicaID(bytes(ReplicaID.count)) ?? own.replica)
    }

    private func entry(_ log: LogID, _ position: LogPosition? = nil) -> WireClockEntry {
        var entry = WireClockEntry()
        entry.log = log.wire
        entry.sequence = position?.sequence ?? 1 + UInt64(random.below(1_000_000))
        entry.head = Data(position?.head.bytes ?? bytes(32))
        return entry
    }

    private func have(_ place: ConversationID, _ entries: [WireClockEntry]) -> WireFrame.OneOf_Kind {
        var frame = WireHave()
        frame.conversation = Data(place.bytes)
        frame.entries = entries
        return .have(frame)
    }

    // Requests.

    func framesOfRequests(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let aim = aim(at: target, inGroup: false)
        let log = pick(world.nodes[target].disk.logs(of: aim.place).sorted()) ?? log(of: nobody())
        switch mischief {
        case .repeatedWants:
            var want = WireWant()
            want.conversation = Data(aim.place.bytes)
            want.log = log.wire
            want.after = UInt64(random.below(3))
            return Array(repeating: .want(want), count: 50)
        case .repeatedBodyRequests:
            var wanted = WireBodiesWanted()
            wanted.conversation = Data(aim.place.bytes)
            wanted.log = log.wire
            wanted.sequences = (0..<64).map { UInt64($0 % 4 + 1) }
            return Array(repeating: .bodiesWanted(wanted), count: 20)
        default:
            var bodies = WireBodies()
            bodies.conversation = Data(aim.place.bytes)
            bodies.log = log.wire
            bodies.entries = (1...20).map { number in
                var entry = WireBodies.Entry()
                entry.sequence = UInt64(number)
                entry.body = Data(text(nextText()))
                return entry
            }
            return [.bodies(bodies)]
        }
    }
}
