import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The user's own settings for conversations.
@Suite struct PreferenceTests {
    private let crew = ConversationRecord(id: ConversationID(value: Bytes32(hashing: [4], domain: 0)), kind: .group)

    @Test func settingsAreChangedOneByOne() throws {
        var turn = try Turn.made()
        var preferences = Preferences([:])
        preferences.apply(.pin(true), to: crew, CommandID(1), &turn)
        preferences.apply(.mute(milliseconds: nil), to: crew, CommandID(2), &turn)
        #expect(preferences[crew.id].isPinned && preferences[crew.id].mute == .always)
        preferences.apply(.pin(false), to: crew, CommandID(3), &turn)
        #expect(!preferences[crew.id].isPinned && preferences[crew.id].mute == .always)
        preferences.apply(.unmute, to: crew, CommandID(4), &turn)
        #expect(preferences == Preferences([:]), "nothing is kept that is as in a new conversation")
        #expect(turn.batch.rows.preferences.map(\.preference.isPinned) == [true, true, false, false])
    }

    @Test func aPartOfEachDayIsQuiet() throws {
        var turn = try Turn.made()
        var preferences = Preferences([:])
        let night = try #require(DayPart(start: 22 * 60, end: 7 * 60))
        preferences.apply(.quiet(night), to: crew, CommandID(1), &turn)
        let preference = preferences[crew.id]
        #expect(
            [21 * 60 + 59, 22 * 60, 0, 7 * 60 - 1, 7 * 60].map { preference.isQuiet(at: 0, minute: $0) }
                == [false, true, true, true, false]
        )
        #expect(!preference.isMuted(at: 0))
        preferences.apply(.unmute, to: crew, CommandID(2), &turn)
        #expect(preferences == Preferences([:]))
        let noon = try #require(DayPart(start: 12 * 60, end: 13 * 60))
        #expect(noon.contains(minute: 12 * 60) && !noon.contains(minute: 13 * 60) && !noon.contains(minute: 0))
        #expect(
            DayPart(start: 5, end: 5) == nil && DayPart(start: -1, end: 5) == nil
                && DayPart(start: 0, end: 1_440) == nil
        )
    }

    @Test func aMuteEndsWithoutAnythingThatRuns() throws {
        var turn = try Turn.made()
        var preferences = Preferences([:])
        preferences.apply(.mute(milliseconds: 60_000), to: crew, CommandID(1), &turn)
        let preference = preferences[crew.id]
        #expect(preference.isMuted(at: turn.now.wall + 59_999))
        #expect(!preference.isMuted(at: turn.now.wall + 60_000))
        #expect(turn.deadlines.next == nil)
    }

    @Test(arguments: [Int64.min, 0, Limits.muteMilliseconds + 1, .max])
    func aMuteOfAnImpossibleLengthIsRefused(milliseconds: Int64) throws {
        var turn = try Turn.made()
        var preferences = Preferences([:])
        preferences.apply(.mute(milliseconds: milliseconds), to: crew, CommandID(1), &turn)
        #expect(turn.takeEffects() == [.answer(CommandID(1), .failure(.muteLength))])
        #expect(preferences == Preferences([:]) && turn.batch.isEmpty)
        preferences.apply(.mute(milliseconds: Limits.muteMilliseconds), to: crew, CommandID(2), &turn)
        #expect(preferences[crew.id].mute == .until(turn.now.wall + Limits.muteMilliseconds))
    }

    @Test func aMuteThatHasEndedIsNotKept() throws {
        var turn = try Turn.made()
        var preferences = Preferences([:])
        preferences.apply(.mute(milliseconds: 60_000), to: crew, CommandID(1), &turn)
        turn.now.wall += 60_000
        preferences.apply(.pin(true), to: crew, CommandID(2), &turn)
        #expect(preferences[crew.id].mute == nil)
        preferences.apply(.pin(false), to: crew, CommandID(3), &turn)
        #expect(preferences == Preferences([:]))
    }

    /// A stranger has no conversation, so nothing would show the setting.
    @Test func aStrangerCannotBePinned() throws {
        let dan = try RemotePeer(4, replica: 0x44)
        var bench = try EngineBench(peers: [dan.record(.unknown, name: "Dan")])
        let named = Refusal.Named(id: dan.identity, name: "Dan")
        let answer = try bench.ask(.setPreference(who: "Dan", .pin(true)))
        #expect(answer == .failure(.contact(.noConversation(named))))
    }

    @Test func settingsAreReadAtTheNextStart() throws {
        let (world, group) = try GroupTests.world(2)
        world.give(.setPreference(who: "Bridge", .pin(true)), to: 0)
        world.give(.setPreference(who: world.nodes[1].identity.text, .mute(milliseconds: nil)), to: 0)
        world.run(for: 1_000)
        let kept = world.nodes[0].engine?.kept.preferences
        #expect(kept?.count == 2 && kept?.first { $0.conversation == group }?.preference.isPinned == true)
        world.crash(0)
        world.start(0)
        world.run(for: 1_000)
        #expect(world.nodes[0].engine?.kept.preferences == kept)
    }
}
