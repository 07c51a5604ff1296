import ParlanceCore
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
}
