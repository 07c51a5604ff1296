import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The presence component, without an engine.
@Suite struct PresenceRoomTests {
    private let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private let conversation = ConversationID(value: Bytes32(hashing: [4], domain: 0))

    private func pass(_ milliseconds: Int64, _ turn: inout Turn) {
        turn.now.monotonic += milliseconds
        turn.now.wall += milliseconds
    }

    @Test func idlenessIsAnnouncedAfterTenMinutesUntilTheNextInput() throws {
        var turn = try Turn.made()
        let profile = ProfileRecord(name: "Ada")
        var presence = Presence(profile)
        pass(1_000, &turn)
        let since = turn.now
        pass(60_000, &turn)
        #expect(presence.userSeen(.idle(since: since), by: .session, &turn) == [])
        #expect(turn.deadlines[.away] == since.monotonic + Limits.awayMilliseconds)
        #expect(presence.announcement(of: profile).activity == .online)
        pass(Limits.awayMilliseconds - 60_000, &turn)
        #expect(presence.awayDue(&turn) == [.announcementChanged])
        #expect(presence.announcement(of: profile).activity == .away)
        #expect(presence.ownView.absence == Absence(since: since.wall, isLocked: false))
        #expect(presence.view.activity == .away, "the user's own group shows what others see")
        #expect(turn.deadlines[.away] == nil)
        #expect(presence.userSeen(.active, by: .session, &turn) == [.announcementChanged])
        #expect(presence.userSeen(.active, by: .session, &turn) == [])
        #expect(presence.announcement(of: profile).activity == .online)
        #expect(presence.ownView.absence == nil)
    }

    @Test func whoIsBusyIsNotAnnouncedAsAway() throws {
        var turn = try Turn.made()
        let profile = ProfileRecord(name: "Ada", activity: .busy)
        var presence = Presence(profile)
        #expect(presence.userSeen(.locked(since: turn.now), by: .session, &turn) == [])
        #expect(presence.announcement(of: profile).activity == .busy)
        #expect(presence.ownView.absence == nil, "it is what the user has set")
    }

    @Test func aStatusTextEndsWithTheStateThatItExplains() throws {
        var turn = try Turn.made()
        var presence = Presence(ProfileRecord(name: "Ada", activity: .busy, statusText: "in a meeting"))
        presence.setPresence(.busy, nil, CommandID(1), &turn)
        #expect(presence.profile.statusText == "in a meeting", "the state is the same")
        presence.setPresence(nil, "in a longer meeting", CommandID(1), &turn)
        presence.setPresence(.away, nil, CommandID(1), &turn)
        #expect(presence.profile.statusText == "")
        presence.setPresence(.busy, "in a call", CommandID(1), &turn)
        presence.setPresence(.online, nil, CommandID(2), &turn)
        #expect(presence.profile.statusText == "")
        presence.setPresence(.online, "back", CommandID(3), &turn)
        #expect(presence.profile.statusText == "back")
    }

    @Test func aPeerIsShownAsItAnnouncesWhileItIsHere() {
        var presence = Presence(ProfileRecord(name: "Ada"))
        var record = PeerRecord(id: bob)
        record.lastSeen = 7
        let said = Presence.Announcement(activity: .busy, statusText: "in a meeting")
        #expect(presence.heard(said, of: bob) == true)
        #expect(presence.heard(said, of: bob) == false, "it is told once")
        #expect(presence.view(of: record, heard: nil).activity == nil)
        #expect(presence.view(of: record, heard: nil).lastSeen == 7)
        presence.arrived(bob)
        #expect(presence.view(of: record, heard: nil).activity == .busy)
        #expect(presence.view(of: record, heard: Instant(monotonic: 5, wall: 9)).lastSeen == 9)
        #expect(presence.left(bob) == true)
        #expect(presence.left(bob) == false)
        presence.forget(bob)
        #expect(presence.view(of: record, heard: nil).statusText == "")
    }

    /// The wall clock may be set meanwhile: the order is that of the monotonic one.
    @Test func ofSeveralLinksTheLatestSignIsKept() {
        var presence = Presence(ProfileRecord(name: "Ada"))
        #expect(presence.lastHeard(of: bob) == nil)
        presence.heard(of: bob, at: Instant(monotonic: 20, wall: 100))
        presence.heard(of: bob, at: Instant(monotonic: 10, wall: 900))
        #expect(presence.lastHeard(of: bob) == Instant(monotonic: 20, wall: 100))
        presence.heard(of: bob, at: Instant(monotonic: 30, wall: 50))
        #expect(presence.lastHeard(of: bob) == Instant(monotonic: 30, wall: 50))
        presence.forget(bob)
        #expect(presence.lastHeard(of: bob) == nil)
    }

    @Test func typingIsToldOnceAndEndsByItself() throws {
        var turn = try Turn.made()
        var presence = Presence(ProfileRecord(name: "Ada"))
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
