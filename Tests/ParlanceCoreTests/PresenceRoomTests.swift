import ParlanceWire
import Testing

@testable import ParlanceCore

/// The presence component, without an engine.
@Suite struct PresenceRoomTests {
    private let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private let conversation = ConversationID(value: Bytes32(hashing: [4], domain: 0))

    private func pass(_ milliseconds: Int64, _ turn: inout Turn) {
        turn.now.monotonic += milliseconds
    }

    @Test func nobodyAtTheNodeForAWhileIsAnnouncedUntilTheNextCommand() throws {
        var turn = try Turn.made()
        let profile = ProfileRecord(name: "Ada")
        var presence = Presence(profile, &turn)
        pass(Limits.awayMilliseconds - 1, &turn)
        #expect(presence.awayDue(&turn) == [])
        #expect(turn.deadlines[.away] == turn.now.monotonic + 1)
        pass(1, &turn)
        #expect(presence.awayDue(&turn) == [.announcementChanged])
        #expect(presence.announcement(of: profile).activity == .away)
        #expect(presence.noteActivity(turn.now) == [.announcementChanged])
        #expect(presence.noteActivity(turn.now) == [])
        #expect(presence.announcement(of: profile).activity == .online)
    }

    @Test func whoIsBusyIsNotAnnouncedAsAway() throws {
        var turn = try Turn.made()
        let profile = ProfileRecord(name: "Ada", activity: .busy)
        var presence = Presence(profile, &turn)
        pass(Limits.awayMilliseconds, &turn)
        #expect(presence.awayDue(&turn) == [])
        #expect(presence.announcement(of: profile).activity == .busy)
    }

    @Test func aPeerIsShownAsItAnnouncesWhileItIsHere() throws {
        var turn = try Turn.made()
        var presence = Presence(ProfileRecord(name: "Ada"), &turn)
        var record = PeerRecord(id: bob)
        record.lastSeen = 7
        let said = Presence.Announcement(activity: .busy, statusText: "in a meeting")
        #expect(presence.heard(said, of: bob) == true)
        #expect(presence.heard(said, of: bob) == false, "it is told once")
        #expect(presence.view(of: record, turn.now).activity == nil)
        #expect(presence.view(of: record, turn.now).lastSeen == 7)
        presence.arrived(bob)
        #expect(presence.view(of: record, turn.now).activity == .busy)
        #expect(presence.view(of: record, turn.now).lastSeen == turn.now.wall)
        #expect(presence.left(bob) == true)
        #expect(presence.left(bob) == false)
        presence.forget(bob)
        #expect(presence.view(of: record, turn.now).statusText == "")
    }

    @Test func typingIsToldOnceAndEndsByItself() throws {
        var turn = try Turn.made()
        var presence = Presence(ProfileRecord(name: "Ada"), &turn)
        presence.typing(bob, in: conversation, &turn)
        presence.typing(bob, in: conversation, &turn)
        #expect(turn.takeEffects() == [.notify(.typing(bob, conversation, active: true))])
        #expect(turn.deadlines[.typing(bob)] == turn.now.monotonic + Limits.typingShownMilliseconds)
        presence.typingEnded(bob, &turn)
        #expect(turn.takeEffects() == [.notify(.typing(bob, conversation, active: false))])
        #expect(turn.deadlines[.typing(bob)] == nil)
        #expect(!presence.isTyping(bob, in: conversation))
    }
}
