import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// Every role and every kind of event, in every order of arrival: the result is always the one that the rules allow.
@Suite struct RoleTests {
    enum Role: CaseIterable {
        case creator, appointed, dismissed, member, addedLater, removedLater, backAgain, stranger
    }

    enum Act: CaseIterable {
        case message, editOwn, editOther, deleteOwn, deleteOther, react, title, topic, lifetime, add, remove, appoint,
            withdraw
    }

    /// Whether the act has an effect.
    private static func isAllowed(_ role: Role, _ act: Act) -> Bool {
        // An author needs no right to withdraw its own message, member or not.
        if act == .withdraw { return true }
        switch role {
        // An author needs no right to delete its own message either.
        case .removedLater: return act == .deleteOwn
        case .stranger: return false
        case .creator, .appointed: return act != .editOther
        case .dismissed, .member, .addedLater, .backAgain:
            return ![.editOther, .deleteOther, .lifetime, .add, .remove, .appoint].contains(act)
        }
    }

    @Test(arguments: Role.allCases) func oneResultInEveryOrder(role: Role) throws {
        for act in Act.allCases {
            let scene = try Scene(role, act)
            for order in scene.orders {
                let party = try Party(seed: scene.seed)
                for event in order { try party.test.persist([event]) }
                #expect(try scene.hasEffect(party) == Self.isAllowed(role, act), "\(role) \(act)")
                let before = try party.history()
                try party.test.store.rebuildProjections()
                #expect(try party.history() == before, "\(role) \(act)")
            }
        }
    }
}

/// One act in a group: the events of each log.
private struct Scene {
    let seed: UInt64 = 301
    private let role: RoleTests.Role
    private let act: RoleTests.Act
    private var party: Party
    private let actor: PeerID
    private let own: EventReference
    private let foreign: EventReference
    private var log: LogWriter

    init(_ role: RoleTests.Role, _ act: RoleTests.Act) throws {
        self.role = role
        self.act = act
        party = try Party(seed: seed)
        let creation = party.creation
        foreign = party.eve.say("Eve's", after: [creation.reference]).reference
        log =
            switch role {
            case .creator: party.ada
            case .addedLater, .stranger: party.zoe
            default: party.bob
            }
        actor = log.log.author
        own = log.say("own", after: role == .creator ? [] : [creation.reference]).reference
        var known = role == .creator ? log.reference.map { [$0] } ?? [] : [creation.reference]
        if let last = Self.prepare(role, actor, log.log, &party) { known = [last.reference] }
        known = known.filter { $0.log != log.log }
        // The member who is removed or added later does not know that yet; the others have seen everything.
        let seen = role == .removedLater || role == .addedLater ? [] : known
        let parents = Self.parents(role, party)
        Self.perform(act, &log, own: own, foreign: foreign, seen + [foreign], parents, party)
        if role == .creator { party.ada = log }
    }

    /// The creator's change of the actor's role.
    private static func prepare(_ role: RoleTests.Role, _ actor: PeerID, _ log: LogID, _ party: inout Party)
        -> StoredEvent?
    {
        let first = [party.creation.id]
        switch role {
        case .creator, .member, .stranger: return nil
        case .appointed: return party.ada.change(.appoint, [actor], known: first)
        case .dismissed:
            let appointed = party.ada.change(.appoint, [actor], known: first)
            return party.ada.change(.dismiss, [actor], known: [appointed.id], marks: [log: 1])
        case .addedLater: return party.ada.change(.add, [actor], known: first)
        case .removedLater: return party.ada.change(.remove, [actor], known: first, marks: [log: 1])
        case .backAgain:
            let removal = party.ada.change(.remove, [actor], known: first, marks: [log: 1])
            return party.ada.change(.add, [actor], known: [removal.id])
        }
    }

    private static func parents(_ role: RoleTests.Role, _ party: Party) -> [EventID] {
        let last = party.ada.events.last { $0.header.kind.isMembership }?.id ?? party.creation.id
        return [role == .removedLater ? party.creation.id : last]
    }

    private static func perform(
        _ act: RoleTests.Act,
        _ log: inout LogWriter,
        own: EventReference,
        foreign: EventReference,
        _ after: [EventReference],
        _ parents: [EventID],
        _ party: Party
    ) {
        let eve = party.eve.log.author
        switch act {
        case .message: log.say("new", after: after)
        case .editOwn: log.edit(own, "edited", after: after)
        case .editOther: log.edit(foreign, "edited", after: after)
        case .deleteOwn: log.delete(own, after: after)
        case .deleteOther: log.delete(foreign, after: after)
        case .react: log.react(to: foreign, "👍", after: after)
        case .title: log.rename("Title", after: after)
        case .topic: log.topic("Topic", after: after)
        case .lifetime: log.lifetime(86_400, after: after)
        case .add: log.change(.add, [PeerID(value: Bytes32.zero)], known: parents, after: after)
        case .remove: log.change(.remove, [eve], known: parents, marks: [party.eve.log: 9], after: after)
        case .appoint: log.change(.appoint, [eve], known: parents, after: after)
        case .withdraw: log.withdraw(own.sequence, after: after)
        }
    }

    /// The logs one after another in every order, and then alternately.
    var orders: [[StoredEvent]] {
        let founder = party.ada.events
        let actor = role == .creator ? [] : log.events
        let other = party.eve.events
        let turns = (0..<4).flatMap { index in
            [actor, other, founder].compactMap { $0.indices.contains(index) ? $0[index] : nil }
        }
        return [
            founder + actor + other, founder + other + actor, actor + founder + other, actor + other + founder,
            other + founder + actor, other + actor + founder, turns,
        ]
    }

    func hasEffect(_ party: Party) throws -> Bool {
        let lines = try party.lines()
        let acted = try #require(log.events.last)
        let membership = Membership(try party.test.store.snapshot().membership)
        switch act {
        case .message: return lines.contains("new")
        case .editOwn, .editOther: return lines.contains("edited")
        case .deleteOwn, .deleteOther: return lines.contains("(deleted)")
        case .react: return lines.contains("Eve's 👍1")
        case .title: return lines.contains("* title Title")
        case .topic: return lines.contains("* topic Topic")
        case .lifetime:
            let terms = try party.test.store.snapshot().lifetimes.first { $0.conversation == party.group }
            let isSet = terms?.agreed(isGroup: true) != nil
            #expect(isSet == lines.contains("* lifetime 86400"), "\(role) \(act)")
            return isSet
        case .add, .remove, .appoint:
            let isShown = try party.message(acted) != nil
            #expect(isShown == membership.isValid(acted.id), "\(role) \(act)")
            return isShown
        case .withdraw: return !lines.contains("own")
        }
    }
}
