import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A member that was removed is told so, whatever it holds itself.
@Suite struct FarewellTests {
    /// Person 2 was removed, and person 1 added it again while being dismissed, so the addition does not count. Person
    /// 2 holds the addition nevertheless, because person 1 has told it.
    @Test func whoHoldsAnAdditionThatDoesNotCountIsToldWhy() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2, 3])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let removal = bench.change(.remove, [2], by: 0, after: [appointment])
        let addition = bench.change(.add, [2], by: 1, after: [removal])
        let dismissal = bench.change(.dismiss, [1], by: 0, after: [removal])
        let membership = Membership([creation, appointment, removal, addition, dismissal])
        let person = bench.people[2]
        #expect(!membership.isMember(person))
        var held = Membership([creation, appointment, removal, addition])
        #expect(held.isMember(person))
        held.insert(membership.farewell(to: person))
        #expect(!held.isMember(person))
    }

    @Test func whoWasRemovedLearnsNothingThatCameLater() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let removal = bench.change(.remove, [2], by: 0, after: [creation])
        let later = bench.change(.add, [3], by: 0, after: [removal])
        let told = Membership([creation, removal, later]).farewell(to: bench.people[2])
        #expect(told.map(\.id) == [creation.id, removal.id])
    }

    /// Person 1 was removed, and added person 2 before it heard of that.
    @Test func whoseAdditionDoesNotCountLearnsWhyAndNothingThatCameLater() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let removal = bench.change(.remove, [1], by: 0, after: [appointment])
        let addition = bench.change(.add, [2], by: 1, after: [appointment])
        let later = bench.change(.add, [3], by: 0, after: [removal])
        let membership = Membership([creation, appointment, removal, addition, later])
        let person = bench.people[2]
        #expect(!membership.isMember(person) && Membership([creation, appointment, addition]).isMember(person))
        #expect(membership.farewell(to: person).map(\.id) == [creation.id, appointment.id, removal.id])
    }

    /// Where nothing less suffices, a former member is told all events that count or could, and none that waits for another.
    @Test func whatWaitsIsNotTold() throws {
        var bench = try MembershipBench(people: 5)
        let creation = bench.create([1, 2, 3])
        let appointment = bench.change(.appoint, [3], by: 0, after: [creation])
        let removal = bench.change(.remove, [2], by: 0, after: [appointment])
        let dismissal = bench.change(.dismiss, [3], by: 0, after: [removal])
        // Person 3 appoints while being dismissed, so person 1 is no admin and has lost nothing.
        let other = bench.change(.appoint, [1], by: 3, after: [removal])
        let addition = bench.change(.add, [2], by: 1, after: [other])
        let unknown = bench.change(.add, [4], by: 0, after: [dismissal])
        let waiting = bench.change(.remove, [4], by: 0, after: [unknown])
        let counted = [creation, appointment, removal, dismissal, other, addition]
        let membership = Membership(counted + [waiting])
        let person = bench.people[2]
        #expect(!membership.isMember(person) && membership.contains(waiting.id))
        #expect(Set(membership.farewell(to: person).map(\.id)) == Set(counted.map(\.id)))
        var held = Membership([creation, appointment, removal, other, addition])
        #expect(held.isMember(person))
        held.insert(membership.farewell(to: person))
        #expect(!held.isMember(person))
    }

    @Test func whoWasAddedBySomebodyRemovedIsTold() throws {
        var (ada, eve) = try (RemotePeer(2), RemotePeer(3))
        var bench = try EngineBench(peers: [ada.record(name: "Ada"), eve.record(name: "Eve")])
        let nonce = [UInt8](repeating: 7, count: 16)
        let (creation, who) = (Command.createGroup(title: "Crew", who: ["Ada"], nonce: nonce), "Crew")
        guard case .success(.group(let view)) = try bench.ask(creation) else {
            throw EngineBench.Unexpected(what: "no group")
        }
        let group = view.conversation
        _ = try bench.ask(.changeGroup(who: who, .appoint(["Ada"]))).get()
        let appointment = try #require(bench.disk.memberships[group]?.events.last)
        _ = try bench.ask(.changeGroup(who: who, .remove(["Ada"]))).get()
        let removal = try #require(bench.disk.memberships[group]?.events.last)
        let addition = ada.change(.add, [eve.identity], after: [appointment], in: group)
        for link: UInt64 in 1...2 {
            bench.opened(link, with: eve)
            bench.received(eve.hello(), on: link)
            bench.received(eve.summary(of: [(group, Clock())]), on: link)
            if link == 1 { bench.received(eve.invite(group, [addition]), on: link) }
            let told = bench.takeFrames(on: link).compactMap(\.asInvite).flatMap(\.events).map(ReceivedEvent.init)
            #expect(told.contains { $0.id == removal.id } == (link == 2))
            bench.feed(.linkClosed(LinkID(link), .closed))
        }
    }
}
