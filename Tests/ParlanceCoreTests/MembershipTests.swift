import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire
import Testing

/// The members follow from the set of membership events, whatever the order in which they arrive.
@Suite struct MembershipTests {
    private func never(_ gain: Membership.Gain) -> Bool { false }
    private func always(_ gain: Membership.Gain) -> Bool { true }

    private func isMember(_ person: Int, _ bench: MembershipBench, _ events: [StoredEvent]) -> Bool {
        Membership(events).isMember(bench.people[person])
    }

    @Test func creatorIsTheFirstAdmin() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let again = bench.create([3], title: "Other title")
        var foreign = bench.create([3], title: "Not mine", by: 3)
        let membership = Membership([again, foreign, creation])
        #expect(Array(membership.members) == [0, 1, 2].map { bench.people[$0] }.sorted())
        #expect(membership.isAdmin(bench.people[0]) && !membership.isAdmin(bench.people[1]))
        #expect(membership.title == "Group" && membership.isValid(creation.id))
        // The group's ID is made of all bytes of its creation.
        #expect(MembershipChange(again) == nil && !membership.contains(again.id))
        #expect(membership.names[bench.people[1]] == "person 1")
        // The group's ID is made of its creator, too.
        #expect(MembershipChange(foreign) == nil && !membership.contains(foreign.id))
        foreign.body = nil
        #expect(MembershipChange(foreign) == nil)
        for title in ["", " ", "a\nb", String(repeating: "x", count: 201)] {
            var other = try MembershipBench(people: 1)
            #expect(MembershipChange(other.create([], title: title)) == nil)
        }
    }

    /// A creation that is written again makes up for no loss, so nobody takes over a group with it.
    @Test func aCreationWrittenAgainChangesNothing() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let removal = bench.change(.remove, [0], by: 1, after: [appointment])
        let again = bench.create([1, 2])
        for events in [[again, removal, appointment, creation], [creation, appointment, removal, again]] {
            let membership = Membership(events)
            #expect(!membership.isMember(bench.people[0]))
            #expect(membership.isMember(bench.people[2]))
        }
    }

    /// Of several losses, the departure shown is the last by what the authors had seen, whatever their clocks say.
    @Test func theDepartureIsTheLossThatStands() throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        bench.advance(0, by: 1_000)
        let first = bench.change(.remove, [2], by: 0, after: [appointment])
        let addition = bench.change(.add, [2], by: 0, after: [first])
        let second = bench.change(.remove, [2], by: 1, after: [addition])
        let person = bench.people[2]
        let all = [creation, appointment, first, addition, second]
        #expect(Membership(Array(all.prefix(3))).departure(of: person)?.id == first.id)
        #expect(Membership(Array(all.prefix(4))).departure(of: person) == nil)
        #expect(Membership(all).departure(of: person)?.id == second.id)
        // This removal has not seen the first one, and the addition has seen only the first one.
        let other = bench.change(.remove, [2], by: 1, after: [appointment])
        #expect(Membership([creation, appointment, first, addition, other]).departure(of: person)?.id == other.id)
        // Two additions that had seen one removal each do not help.
        let again = bench.change(.add, [2], by: 1, after: [other])
        let departure = Membership([creation, appointment, first, addition, other, again]).departure(of: person)
        #expect(departure?.id == max(first.id, other.id))
        #expect(Membership(all).departure(of: bench.people[1]) == nil)
    }

    @Test func onlyAdminsChangeTheGroup() throws {
        for action in [WireMemberAction.add, .remove, .appoint, .dismiss] {
            for (person, counts) in [(0, true), (1, false), (3, false)] {
                var bench = try MembershipBench(people: 5)
                let creation = bench.create([1, 2])
                let change = bench.change(action, [action == .add ? 4 : 2], by: person, after: [creation])
                let membership = Membership([change, creation])
                #expect(membership.isValid(change.id) == counts, "\(action) by \(person)")
                #expect(membership.isMember(bench.people[4]) == (counts && action == .add))
                #expect(membership.isMember(bench.people[2]) == !(counts && action == .remove))
                #expect(membership.isAdmin(bench.people[2]) == (counts && action == .appoint))
            }
        }
    }

    @Test func removalBeatsAConcurrentAddition() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let removal = bench.change(.remove, [2], by: 0, after: [appointment])
        let addition = bench.change(.add, [2], by: 1, after: [appointment])
        #expect(!isMember(2, bench, [creation, appointment, removal, addition]))
        // An author that has seen the removal can add the member again.
        let back = bench.change(.add, [2], by: 1, after: [removal, addition])
        let membership = Membership([back, addition, removal, appointment, creation])
        #expect(membership.isMember(bench.people[2]) && membership.hasLost(bench.people[2]))
        #expect(!membership.hasLost(bench.people[1]))
    }

    /// Of two removals and two additions that have seen one removal each, neither addition makes up for both.
    @Test func additionsMakeUpForLossesOneByOneOnlyTogether() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let one = bench.change(.remove, [2], by: 0, after: [appointment])
        let two = bench.change(.remove, [2], by: 1, after: [appointment])
        let afterOne = bench.change(.add, [2], by: 0, after: [one])
        let afterTwo = bench.change(.add, [2], by: 1, after: [two])
        var membership = Membership([creation, appointment, one, two, afterOne, afterTwo])
        let (peer, log) = (bench.people[2], bench.log(2))
        #expect(!membership.isMember(peer) && !membership.allows(.member, peer, in: log, at: 1, knows: always))
        membership.insert([bench.change(.add, [2], by: 0, after: [afterOne, afterTwo])])
        #expect(membership.isMember(peer) && membership.allows(.member, peer, in: log, at: 1, knows: always))
        #expect(!membership.allows(.member, peer, in: log, at: 1, knows: never))
    }

    @Test func membersLeaveAndNobodyElseDoes() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        bench.advance(1, by: 5)
        let leaving = bench.change(.leave, [], by: 1, after: [appointment])
        let stranger = bench.change(.leave, [], by: 3, after: [appointment])
        let gone = Membership([creation, appointment, leaving, stranger])
        let (peer, log) = (bench.people[1], bench.log(1))
        #expect(!gone.isMember(peer) && !gone.isAdmin(peer) && gone.isValid(leaving.id))
        #expect(!gone.isValid(stranger.id) && gone.everMembers.contains(peer))
        // The member's log counts up to its departure; a log of another replica counts only if a mark names it.
        #expect(gone.allows(.member, peer, in: log, at: 6, knows: never))
        #expect(!gone.allows(.member, peer, in: log, at: 7, knows: never))
        #expect(!gone.allows(.member, peer, in: bench.log(1, 9), at: 1, knows: never))
        // A member that comes back is no longer an admin.
        let back = Membership(bench.events + [bench.change(.add, [1], by: 0, after: [leaving])])
        #expect(back.isMember(peer) && !back.isAdmin(peer))
    }

    @Test func dismissedAdminStaysAMember() throws {
        var bench = try MembershipBench(people: 5)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let early = bench.change(.add, [3], by: 1, after: [appointment])
        let dismissal = bench.change(.dismiss, [1], by: 0, after: [early], marks: [bench.log(1): 1])
        let late = bench.change(.add, [4], by: 1, after: [early])
        let membership = Membership([late, dismissal, early, appointment, creation])
        #expect(membership.isMember(bench.people[1]) && !membership.isAdmin(bench.people[1]))
        #expect(membership.isMember(bench.people[3]) && !membership.isMember(bench.people[4]))
        let again = bench.change(.appoint, [1], by: 0, after: [dismissal])
        #expect(Membership(bench.events).isAdmin(bench.people[1]), "\(again.id)")
    }

    @Test func appointedStrangerMayDoNothing() throws {
        var bench = try MembershipBench(people: 5)
        let creation = bench.create([1])
        let appointment = bench.change(.appoint, [3], by: 0, after: [creation])
        let own = bench.change(.add, [3, 4], by: 3, after: [appointment])
        let membership = Membership([creation, appointment, own])
        #expect(!membership.isValid(own.id) && membership.members.count == 2)
        #expect(!membership.isAdmin(bench.people[3]))
    }

    @Test func ofTwoAdminsWhoRemoveEachOtherTheSeniorStays() throws {
        for (senior, junior) in [(0, 1), (1, 2)] {
            var bench = try MembershipBench(people: 4)
            let creation = bench.create([1, 2, 3])
            let first = bench.change(.appoint, [1], by: 0, after: [creation])
            let second = bench.change(.appoint, [2], by: 0, after: [first])
            let up = bench.change(.remove, [senior], by: junior, after: [second])
            let down = bench.change(.remove, [junior], by: senior, after: [second])
            let then = bench.change(.remove, [3], by: junior, after: [up])
            for events in [[up, then, down], [down, up, then]] {
                let membership = Membership([creation, first, second] + events)
                #expect(membership.isAdmin(bench.people[senior]) && !membership.isMember(bench.people[junior]))
                #expect(membership.isMember(bench.people[3]))
            }
        }
    }

    @Test func marksSayHowFarALogCounts() throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([1, 2])
        let marks = [bench.log(1): UInt64(4)]
        let removal = bench.change(.remove, [1], by: 0, after: [creation], marks: marks)
        let back = bench.change(.add, [1], by: 0, after: [removal])
        let (peer, log) = (bench.people[1], bench.log(1))
        let before = Membership([creation])
        let removed = Membership([creation, removal])
        let returned = Membership([creation, removal, back])
        for (sequence, counts) in [(UInt64(1), true), (4, true), (5, false)] {
            #expect(before.allows(.member, peer, in: log, at: sequence, knows: never))
            #expect(removed.allows(.member, peer, in: log, at: sequence, knows: always) == counts)
            #expect(returned.allows(.member, peer, in: log, at: sequence, knows: never) == counts)
            #expect(returned.allows(.member, peer, in: log, at: sequence, knows: always))
        }
        #expect(!removed.allows(.member, peer, in: bench.log(1, 9), at: 1, knows: always))
        #expect(removed.isSame(through: log, as: before) == 4)
        #expect(removed.isSame(through: bench.log(1, 9), as: before) == 0)
        #expect(removed.isSame(through: bench.log(2), as: before) == .max)
        #expect(before.isSame(through: log, as: Membership()) == 0)
        #expect(returned.difference(from: removed).authors == [peer])
        #expect(returned.difference(from: removed).events.map(\.id) == [back.id])
        #expect(returned.difference(from: returned) == Membership.Difference(authors: [], events: []))
    }

    @Test func groupsHaveAtMostSoManyMembers() throws {
        var bench = try MembershipBench(people: Limits.members + 3)
        let creation = bench.create(Array(1..<Limits.members))
        let over = bench.change(.add, [Limits.members, Limits.members + 1], by: 0, after: [creation])
        #expect(Membership([creation, over]).members.count == Limits.members)
        let removal = bench.change(.remove, [5], by: 0, after: [over])
        let addition = bench.change(.add, [Limits.members + 2], by: 0, after: [removal])
        let membership = Membership([creation, over, removal, addition])
        #expect(membership.isMember(bench.people[Limits.members + 2]))
        #expect(!membership.isMember(bench.people[Limits.members]) && membership.members.count == Limits.members)
        #expect(MembershipChange(bench.create(Array(1...Limits.members))) == nil)
    }

    @Test func aChangeNamesAtMostSoManyParentsAndMarks() throws {
        var bench = try MembershipBench(people: 5)
        let creation = bench.create([1, 2])
        for (count, isTaken) in [(Limits.membershipParents, true), (Limits.membershipParents + 1, false)] {
            let parents = [StoredEvent](repeating: creation, count: count)
            #expect((MembershipChange(bench.change(.add, [3], by: 0, after: parents)) != nil) == isTaken)
        }
        for (count, isTaken) in [(Limits.membershipMarks, true), (Limits.membershipMarks + 1, false)] {
            // Each person has up to 256 replicas.
            let logs = (0..<count).map { (bench.log($0 / 256, $0 % 256), UInt64(1)) }
            let removal = bench.change(
                .remove,
                [2],
                by: 0,
                after: [creation],
                marks: Dictionary(uniqueKeysWithValues: logs)
            )
            #expect((MembershipChange(removal) != nil) == isTaken)
        }
    }

    /// As many events as are held, about one member that comes and goes or about many members at once: each gain is
    /// compared with each loss.
    @Test(.timeLimit(.minutes(30)), arguments: [(1, 2 * Limits.membershipChanges), (100, 200)])
    func manyComeAndGo(who count: Int, events: Int) throws {
        var bench = try MembershipBench(people: count + 1)
        let others = Array(1...count)
        var last = bench.create(others)
        var membership = Membership()
        while bench.events.count < events {
            last = bench.change(bench.events.count % 2 == 0 ? .add : .remove, others, by: 0, after: [last])
            // All but the last event, so that the membership is evaluated twice.
            if bench.events.count == events - 1 { membership.insert(bench.events) }
        }
        #expect(membership.members.count == count + 1)
        membership.insert(bench.events)
        #expect(membership.members == [bench.people[0]] && membership.isValid(last.id))
        #expect(membership.events.count == events)
        #expect(others.allSatisfy { membership.hasLost(bench.people[$0]) })
    }

    /// Of an admin's changes, `membershipChanges` that give and as many that take count.
    @Test func anAdminsChangesCountUpToANumber() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        var last = creation
        for _ in 0..<Limits.membershipChanges { last = bench.change(.add, [3], by: 0, after: [last]) }
        let over = bench.change(.appoint, [1], by: 0, after: [last])
        let removal = bench.change(.remove, [2], by: 0, after: [last])
        let leaving = bench.change(.leave, [], by: 1, after: [creation])
        let membership = Membership(bench.events)
        #expect(membership.isValid(last.id) && !membership.isValid(over.id))
        #expect(membership.isValid(removal.id) && membership.isValid(leaving.id))
        #expect(Array(membership.members) == [0, 3].map { bench.people[$0] }.sorted())
    }

    /// A creation that is written again counts up to a limit.
    @Test func aCreationCountsUpToANumber() throws {
        var bench = try MembershipBench(people: 2)
        for _ in 0...Limits.membershipCreations { _ = bench.create([1]) }
        let membership = Membership(bench.events)
        #expect(bench.events.count { membership.isValid($0.id) } == Limits.membershipCreations)
        #expect(membership.isMember(bench.people[1]))
    }

    /// Of what a member floods a group with, a limited part is held: the same part everywhere, in whatever order it
    /// arrives.
    @Test func ofWhatDoesNotCountSoManyAreHeld() throws {
        var bench = try MembershipBench(people: 5)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        var gone = try MembershipBench(people: 5)
        let unknown = gone.create([4], title: "Nobody has it")
        for _ in 0..<(Limits.membershipVoid + 40) { _ = bench.change(.leave, [], by: 2, after: [creation]) }
        for _ in 0..<(Limits.membershipWaiting + 40) { _ = bench.change(.add, [3], by: 2, after: [unknown]) }
        // An event that can never count is not held, and lets nobody in.
        let idle = bench.change(.add, [4], by: 2, after: [creation])
        // All authors who were never members share one limit.
        for _ in 0..<4 { _ = bench.change(.leave, [], by: 4, after: [idle]) }
        let events = bench.events
        let whole = Membership(events)
        // Two events of the group, the one departure that counts, and the limits; the four departures by person 4 wait.
        let most = 2 + 1 + Limits.membershipVoid + Limits.membershipWaiting + 4
        #expect(whole.events.count == most)
        #expect(!whole.contains(idle.id) && !whole.mentions(bench.people[4]) && whole.isValid(appointment.id))
        #expect(!whole.mentions(bench.people[3]), "what waits names nobody")
        #expect(Limits.membershipEvents > most, "an invitation has room for what one author may have held")
        for seed in UInt64(1)...4 {
            var random = SeededGenerator(seed: seed)
            var rest = events.shuffled(using: &random)[...]
            var membership = Membership()
            while !rest.isEmpty {
                let portion = rest.prefix(1 + random.upTo(60))
                membership.insert(Array(portion))
                rest = rest.dropFirst(portion.count)
            }
            // Nodes whose hashes differ tell each other all events, so those that were dropped come again.
            membership.insert(events)
            expectSame(membership, whole, bench, seed)
            #expect(membership.events.count == most, "seed \(seed)")
        }
    }

    /// The events that the author of a change had seen are held even when they no longer count; otherwise the change
    /// would wait for ever.
    @Test func whatAChangeHadSeenIsHeld() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        var last = bench.change(.appoint, [1], by: 0, after: [creation])
        let removal = bench.change(.remove, [1], by: 0, after: [last])
        for _ in 0..<(Limits.membershipVoid + 40) { last = bench.change(.add, [3], by: 1, after: [last]) }
        let late = bench.change(.remove, [2], by: 0, after: [last])
        let membership = Membership(bench.events)
        #expect(membership.isValid(removal.id) && !membership.isValid(last.id) && membership.isValid(late.id))
        #expect(membership.events.count == bench.events.count)
        #expect(membership.frontier == [removal.id, late.id].sorted())
        #expect(membership.frontierForLeaving == membership.frontier)
    }

    @Test func whatFollowsTheUnknownWaits() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1])
        let first = bench.change(.add, [2], by: 0, after: [creation])
        let second = bench.change(.add, [3], by: 0, after: [first])
        var membership = Membership([second, creation])
        #expect(!membership.isValid(second.id) && membership.contains(second.id))
        #expect(membership.frontier == [creation.id])
        #expect(membership.insert([first, second]) == [first])
        #expect(membership.isValid(second.id) && membership.members.count == 4)
        #expect(membership.frontier == [second.id])
        #expect(membership.hash == Membership([creation, first, second]).hash)
    }

    static let seeds = (0..<8).map { _ in UInt64.random(in: 0...UInt64.max) }

    @Test(arguments: seeds) func everyOrderOfArrivalGivesTheSame(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var bench = try MembershipBench(people: 6)
        _ = bench.create([1, 2, 3])
        let actions: [WireMemberAction] = [.add, .remove, .leave, .appoint, .appoint, .dismiss]
        for _ in 0..<40 {
            let action = actions[random.upTo(actions.count)]
            let held = bench.events.filter { _ in random.upTo(3) > 0 }
            let known = Membership(held).frontier
            let parents = bench.events.filter { known.contains($0.id) }
            let marks = random.upTo(2) == 0 ? [bench.log(random.upTo(6)): UInt64(random.upTo(9))] : [:]
            let who = action == .leave ? [] : [random.upTo(6)]
            _ = bench.change(action, who, by: random.upTo(4), after: parents, marks: marks)
        }
        let all = Membership(bench.events)
        #expect(bench.events.contains { all.isValid($0.id) && $0.header.kind == .members }, "seed \(seed)")
        for _ in 0..<10 {
            var events = bench.events
            for index in events.indices.reversed() { events.swapAt(index, random.upTo(index + 1)) }
            var membership = Membership()
            while !events.isEmpty {
                let count = min(events.count, random.upTo(6) + 1)
                membership.insert(Array(events.prefix(count)))
                events.removeFirst(count)
            }
            expectSame(membership, all, bench, seed)
        }
    }

    private func expectSame(_ a: Membership, _ b: Membership, _ bench: MembershipBench, _ seed: UInt64) {
        #expect(a.members == b.members && a.everMembers == b.everMembers && a.hash == b.hash, "seed \(seed)")
        #expect(a.title == b.title && a.names == b.names && a.frontier == b.frontier, "seed \(seed)")
        for event in bench.events { #expect(a.isValid(event.id) == b.isValid(event.id), "seed \(seed)") }
        #expect(b.difference(from: a) == Membership.Difference(authors: [], events: []), "seed \(seed)")
        for person in bench.people.indices {
            #expect(a.isAdmin(bench.people[person]) == b.isAdmin(bench.people[person]), "seed \(seed)")
        }
    }
}

extension SeededGenerator {
    fileprivate mutating func upTo(_ bound: Int) -> Int { Int(below(Int64(bound))) }
}
