import ParlanceWords
import Testing

@testable import ParlanceControl

/// Which events interrupt the user.
@Suite struct AttentionTests {
    private static let noon = ControlTime(milliseconds: 1_700_000_000_000 / 86_400_000 * 86_400_000 + 43_200_000)

    private static func clock(_ milliseconds: Int64 = 0) -> LocalClock {
        LocalClock(now: ControlTime(milliseconds: noon.milliseconds + milliseconds)) { _ in 0 }
    }

    static func message(_ id: String = "m", in conversation: String = "c", group: String? = nil) -> MessageInfo {
        var message = Sample.message("text \(id)", at: noon)
        (message.id, message.sender, message.conversation, message.group) = (id, "b", conversation, group)
        message.senderTrust = .accepted
        return message
    }

    private static func told(_ change: (inout MessageInfo) -> Void) -> MessageEvent {
        var message = message()
        change(&message)
        return MessageEvent(message)
    }

    private static let direct = told { _ in }
    private static let group = told { $0.group = "Crew" }
    private static let mention = told {
        $0.group = "Crew"
        $0.mentionsMe = true
    }
    private static let request = RequestEvent(peer: "e", name: "Eve", preview: "Hi", time: noon)

    @Test func anOccasionIsWhatConcernsTheUser() {
        let found: [((any ControlEvent), Occasion?)] = [
            (Self.direct, .direct), (Self.group, .group), (Self.mention, .mention), (Self.request, .request),
            (Self.told { $0.mentionsMe = true }, .mention),
            (PresenceEvent(peer: "b", displayName: "Bob", presence: .away), .presence),
            (Self.told { $0.mine = true }, nil), (Self.told { $0.blocked = true }, nil),
            (Self.told { $0.senderTrust = .blocked }, nil), (Self.told { $0.note = NoteInfo(.left) }, nil),
            (Self.told { $0.deleted = DeletionInfo(by: Person(id: "b", displayName: "Bob"), time: Self.noon) }, nil),
            (ChangedEvent(Self.message()), nil), (NoteEvent(Self.message()), nil), (WithdrawnEvent(id: "m"), nil),
        ]
        for (event, occasion) in found { #expect(Occasion(event) == occasion, "\(event)") }
        var blocked = PresenceEvent(peer: "b", displayName: "Bob", presence: .away)
        blocked.trust = .blocked
        #expect(Occasion(blocked) == nil)
    }

    @Test(
        arguments: [
            (.none, []), (.mention, [.mention]), (.direct, [.mention, .direct, .request]),
            (.all, [.mention, .direct, .group, .request]),
        ] as [(NotifyLevel, Set<Occasion>)]
    )
    func aLevelWants(_ level: NotifyLevel, _ wanted: Set<Occasion>) {
        for (event, occasion) in [
            (Self.mention, .mention), (Self.direct, .direct), (Self.group, .group), (Self.request, .request),
        ] as [(any ControlEvent, Occasion)] {
            var attention = Attention(.init(level: level))
            let verdict = attention.judge(event, at: Self.clock())
            #expect(verdict == (wanted.contains(occasion) ? .notify(occasion) : .silent(.level)), "\(occasion)")
        }
    }

    @Test func presenceNeverInterrupts() {
        var attention = Attention(.init(level: .all))
        let event = PresenceEvent(peer: "b", displayName: "Bob", presence: .online)
        #expect(attention.judge(event, at: Self.clock()) == .silent(.noConcern))
    }

    @Test func theFirstReasonForSilenceIsGiven() throws {
        let quiet = try #require(QuietHours("11:00-13:00"))
        var attention = Attention(.init(level: .mention, quietHours: quiet))
        attention.isBusy = true
        attention.shows("c", face: 1)
        let muted = Self.told { $0.muted = true }
        #expect(attention.judge(muted, at: Self.clock()) == .silent(.level))
        attention.rules.level = .all
        #expect(attention.judge(muted, at: Self.clock()) == .silent(.muted))
        #expect(attention.judge(Self.mention, at: Self.clock()) == .silent(.busy))
        attention.isBusy = false
        #expect(attention.judge(Self.mention, at: Self.clock()) == .silent(.quietHours))
        #expect(attention.judge(Self.mention, at: Self.clock(3_600_000)) == .silent(.shown))
        attention.shows(nil, face: 1)
        #expect(attention.judge(Self.mention, at: Self.clock(3_600_000)) == .notify(.mention))
    }

    @Test func aConversationIsShownAsLongAsOneFaceShowsIt() {
        var attention = Attention(.init(level: .all))
        attention.shows("c", face: 1)
        attention.shows("c", face: 2)
        attention.shows("d", face: 1)
        #expect(attention.judge(Self.direct, at: Self.clock()) == .silent(.shown))
        attention.shows(nil, face: 2)
        #expect(attention.judge(Self.direct, at: Self.clock()) == .notify(.direct))
        #expect(attention.judge(MessageEvent(Self.message(in: "d")), at: Self.clock()) == .silent(.shown))
    }

    @Test func requestsInterruptOnceAMinute() {
        var attention = Attention(.init(level: .direct))
        var notified: [Int64] = []
        for second in stride(from: Int64(0), to: 300, by: 10) {
            let verdict = attention.judge(Self.request, at: Self.clock(second * 1_000))
            if verdict == .notify(.request) { notified.append(second) } else { #expect(verdict == .silent(.tooMany)) }
        }
        #expect(notified == [0, 60, 120, 180, 240])
        #expect(attention.judge(Self.request, at: Self.clock(-86_400_000)) == .notify(.request))
        #expect(attention.judge(Self.direct, at: Self.clock(-86_400_000)) == .notify(.direct))
    }

    @Test func quietHoursAreAPartOfTheDay() throws {
        let night = try #require(QuietHours("22:00-7:00"))
        #expect(night.text == "22:00-07:00")
        let quiet = (0..<24).filter { night.contains(minute: $0 * 60) }
        #expect(quiet == [0, 1, 2, 3, 4, 5, 6, 22, 23])
        #expect(night.contains(minute: 6 * 60 + 59) && !night.contains(minute: 21 * 60 + 59))
        let lunch = try #require(QuietHours("12:00-13:30"))
        #expect((0..<1_440).filter { lunch.contains(minute: $0) } == Array(720..<810))
        for wrong in [
            "", "22:00", "22:00-", "-07:00", "24:00-07:00", "22:60-07:00", "22-7", "22:0-7:00", "22:00-07:00-08:00",
            "+2:00-07:00", "٢٢:00-07:00", "07:00-7:00", "22:00 - 07:00", "022:00-07:00",
        ] {
            #expect(QuietHours(wrong) == nil, "\(wrong)")
        }
    }

    @Test func theMinuteOfTheDayIsThatOfTheZone() {
        let west = LocalClock(now: Self.noon) { _ in -13 * 3_600 }
        #expect(west.minute(Self.noon) == 23 * 60)
        #expect(west.minute(ControlTime(milliseconds: -60_000)) == 10 * 60 + 59)
    }
}
