import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire
import Testing

/// What ended a membership for which several changes stand.
@Suite struct MembershipDepartureTests {
    /// Whoever left has left for good, also if admins who had not heard of it removed them: then the removal counts, and
    /// the departure as soon as the removal does not.
    @Test func whoLeftAndWasRemovedHasLeft() throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([1, 2])
        let removals = (0..<8).map { _ in bench.change(.remove, [2], by: 0, after: [creation]) }
        let left = bench.change(.leave, [], by: 2, after: [creation])
        // The order of evaluation among changes that have not seen each other is that of their IDs.
        #expect(removals.contains { $0.id > left.id } && removals.contains { $0.id < left.id })
        let person = bench.people[2]
        for removal in removals {
            let membership = Membership([creation, removal, left])
            #expect(membership.end(of: person)?.id == left.id)
            #expect(membership.departure(of: person)?.id == removal.id)
        }
        // An addition that had seen it makes up for it, and then a removal counts again.
        let addition = bench.change(.add, [2], by: 0, after: [left])
        #expect(Membership([creation, left, addition]).end(of: person) == nil)
        #expect(Membership([creation, left, addition, removals[0]]).end(of: person)?.id == removals[0].id)
    }

    /// Whoever was removed is told no later change than it needs, though somebody has added it who had lost the right.
    @Test func whatCameLaterIsNotToldIfTheRemovalSuffices() throws {
        var bench = try MembershipBench(people: 3)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        let removal = bench.change(.remove, [2], by: 0, after: [appointment])
        let dismissal = bench.change(.dismiss, [1], by: 0, after: [removal])
        let addition = bench.change(.add, [2], by: 1, after: [appointment])
        let membership = Membership([creation, appointment, removal, dismissal, addition])
        let person = bench.people[2]
        #expect(!membership.isMember(person) && !membership.isValid(addition.id))
        #expect(Set(membership.farewell(to: person).map(\.id)) == Set([creation, appointment, removal].map(\.id)))
    }
}
