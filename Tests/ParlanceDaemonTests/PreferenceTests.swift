import ParlanceCore
import ParlanceRecords
import ParlanceWaiting
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// What clients learn of the user's settings for conversations.
@Suite struct PreferenceEventTests {
    private static let me = PeerID([UInt8](repeating: 1, count: 32))!
    private static let bob = PeerID([UInt8](repeating: 2, count: 32))!
    private static let record = ConversationRecord(id: ConversationID(direct: me, bob), kind: .direct(bob))

    private static func hub(_ preferences: [ConversationID: Preference] = [:]) -> EventHub {
        EventHub(Directory(identity: me, profile: ProfileRecord(name: "Ada"), preferences: preferences))
    }

    private func message(_ number: UInt8, by author: PeerID, mentioning peers: [PeerID] = []) -> ShownMessage {
        var rich = RichMessage(text: "hello")
        rich.mentions = peers
        return ShownMessage(
            id: EventID(value: Bytes32(hashing: [number], domain: 0)),
            conversation: Self.record.id,
            log: LogID(author: author, replica: ReplicaID([UInt8](repeating: 1, count: 16))!),
            sequence: UInt64(number),
            time: WrittenTime(EventTime(raw: 0)),
            effective: 0,
            content: .rich(rich)
        )
    }

    @Test(
        arguments: [(.always, true), (.until(.max), true), (.until(0), nil), (nil, nil)]
            as [(Preference.Mute?, Bool?)]
    )
    func aMessageOfAMutedConversationSaysSo(_ mute: Preference.Mute?, _ isMuted: Bool?) {
        var preference = Preference()
        preference.mute = mute
        let hub = Self.hub([Self.record.id: preference])
        let told = Mutex<[Bool?]>([])
        _ = hub.subscribe(SubscriptionFilter()) { event in
            if let event = event as? MessageEvent { told.withLock { $0.append(event.message.muted) } }
        }
        hub.publish(.message(message(1, by: Self.bob)))
        hub.publish(.message(message(2, by: Self.bob, mentioning: [Self.me])))
        hub.publish(.message(message(3, by: Self.me)))
        #expect(told.withLock { $0 } == [isMuted, nil, nil])
    }

    @Test func aChangeIsToldOnce() {
        let hub = Self.hub()
        let told = Mutex<[PreferenceInfo]>([])
        _ = hub.subscribe(SubscriptionFilter()) { event in
            if let event = event as? PreferenceInfo { told.withLock { $0.append(event) } }
        }
        var pinned = Preference()
        pinned.isPinned = true
        for preference in [Preference(), pinned, pinned, Preference()] {
            hub.publish(.preference(Self.record, preference))
        }
        #expect(told.withLock { $0.map(\.pinned) } == [true, false])
    }
}

extension ProgramTests {
    /// Pinned and muted conversations.
    @Suite struct PreferenceTests {
        @Test func pinnedConversationsComeFirstAlsoAfterARestart() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                func titles() async throws -> [String] {
                    try await crew.ada.ask(ConversationsOperation()).conversations.map(\.title)
                }
                try await crew.ada.send("hello", to: "Bob")
                try await crew.ada.send("good morning", to: "Crew")
                #expect(try await titles().first == "Crew")
                let pinned = try await crew.ada.parlance("pin", "Bob")
                #expect(pinned.output == "Bob is pinned: it comes first in 'parlance conversations'.\n", "\(pinned)")
                #expect(try await titles().first == "Bob")
                try await crew.ada.kill()
                try await crew.ada.start()
                #expect(try await titles().first == "Bob")
                #expect(try await crew.ada.parlance("conversations").output.contains("pinned"))
                #expect(try await crew.ada.ask(UnpinOperation(who: "Bob")).pinned == false)
                #expect(try await titles().first == "Crew")
            }
        }

        @Test func aMutedGroupIsQuietExceptForMentions() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let watcher = try await Watcher(crew.bob)
                let muted = try await crew.bob.ask(MuteOperation(who: "Crew", seconds: 3_600))
                #expect(muted.muted && muted.mutedUntil != nil)
                try await watcher.sees("preference") { $0["title"]?.text == "Crew" && $0["muted"] == .bool(true) }
                let before = try await crew.bob.groups().first?.unread ?? 0
                let (quiet, loud) = (
                    try await crew.ada.send("good morning", to: "Crew").id,
                    try await crew.ada.send("@Bob, lunch?", to: "Crew").id
                )
                let told = try await watcher.sees("message") { $0["id"]?.text == quiet }
                #expect(told["muted"] == .bool(true))
                let mention = try await watcher.sees("message") { $0["id"]?.text == loud }
                #expect(mention["muted"] == nil)
                let listed = try #require(try await crew.bob.groups().first)
                #expect(listed.unread == before + 2 && listed.muted == true && listed.mutedUntil == muted.mutedUntil)
                #expect(try await crew.bob.parlance("conversations").output.contains("muted until "))
                #expect(try await crew.bob.ask(UnmuteOperation(who: "Crew")).muted == false)
                Refusal.given("1 second to 365 days").check(
                    try await crew.bob.parlance("mute", "Crew", "--for", "53w"),
                    of: "a mute of more than a year"
                )
                #expect(try await crew.bob.groups().first?.muted == nil)
            }
        }

        @Test func aConversationHasQuietHours() async throws {
            try await Lab.run { lab in
                let ada = try await Pair.meeting(in: lab).ada
                let set = try await ada.parlance("mute", "Bob", "--daily", "00:00-23:59")
                #expect(set.output.contains("each day at 00:00-23:59"))
                #expect(try await ada.parlance("conversations").output.contains("quiet at 00:00-23:59"))
                #expect(try await ada.conversation(with: "Bob")?.quiet == "00:00-23:59")
                for hours in ["22:00", "24:00-07:00", "07:00-07:00"] {
                    Refusal.given("is not a part of a day").check(
                        try await ada.parlance("mute", "Bob", "--daily", hours),
                        of: hours
                    )
                }
                #expect(try await ada.parlance("mute", "Bob", "--daily", "1:00-2:00", "--for", "1h").code == 64)
                #expect(try await ada.ask(UnmuteOperation(who: "Bob")).quiet == nil)
            }
        }

        @Test func howLongMessagesAreKeptIsSetAndShown() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let unsure = try await pair.ada.parlance("retain", "Bob", "90d")
                #expect(unsure.code == 64 && unsure.errors.contains("parlance retain Bob 90d --yes"))
                #expect(try await pair.ada.parlance("retain", "Bob").output.contains("Messages of Bob are kept."))
                #expect(try await pair.ada.parlance("retain", "Bob", "30m").code == 64)
                Refusal.given("Nobody here is called").check(
                    try await pair.ada.parlance("retain", "Zed", "90d"),
                    of: "somebody unknown"
                )
                #expect(
                    RetainOperation.lengths.lowerBound == Int(Limits.leastRetentionMilliseconds / 1_000)
                        && RetainOperation.lengths.upperBound == Int(Limits.retentionMilliseconds / 1_000)
                )
                let set = try await pair.ada.parlance("retain", "Bob", "90d", "--yes")
                #expect(set.code == 0 && set.output.contains("after 90 days"))
                #expect(try await pair.ada.parlance("conversations").output.contains("keeps 90 days"))
                #expect(try await pair.ada.conversation(with: "Bob")?.retain == 90 * 86_400)
                #expect(try await pair.ada.parlance("retain", "Bob", "--json").output.contains("\"retain\":7776000"))
                // What is younger stays, over a restart too.
                let before = try await pair.ada.texts(with: "Bob")
                try await pair.ada.kill()
                try await pair.ada.start()
                #expect(try await pair.ada.texts(with: "Bob") == before && !before.isEmpty)
                #expect(try await pair.ada.conversation(with: "Bob")?.retain == 90 * 86_400)
                #expect(try await pair.ada.ask(RetainOperation(who: "Bob")).retain == nil)
            }
        }

        @Test func messagesDisappearOnceBothWantIt() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.ada.parlance("disappear", "Bob").output == "Messages of Bob do not disappear.\n")
                let wanted = try await pair.ada.parlance("disappear", "Bob", "7d")
                #expect(wanted.output.contains("it counts once Bob wants it too."))
                try await eventually("Bob reads what Ada wants") {
                    try await pair.bob.parlance("history", "Ada").output
                        .contains("Ada wants messages to disappear after 7 days")
                }
                let asked = try await pair.bob.parlance("disappear", "Ada").output
                #expect(asked.contains("To agree: parlance disappear Ada 7d"))
                #expect(try await pair.bob.conversation(with: "Ada")?.disappear?.after == nil)
                let agreed = try await pair.bob.parlance("disappear", "Ada", "30d")
                #expect(
                    agreed.output.contains("You want that after 30 days, Ada after 7 days: the longer time counts.")
                )
                #expect(agreed.output.contains("From this computer none goes before"))
                try await eventually("Ada learns it") {
                    try await pair.ada.conversation(with: "Bob")?.disappear?.after == 30 * 86_400
                }
                #expect(
                    try await pair.ada.parlance("conversations").output.contains("messages disappear after 30 days")
                )
                // It is known after a restart.
                try await pair.ada.kill()
                try await pair.ada.start()
                #expect(try await pair.ada.conversation(with: "Bob")?.disappear?.after == 30 * 86_400)
                let json = try await pair.ada.parlance("disappear", "Bob", "--json").output
                #expect(json.contains("\"you\":604800") && json.contains("\"others\":2592000"))
                await #expect(throws: ControlFailure.self) {
                    try await pair.ada.ask(DisappearOperation(who: "Bob", seconds: 60))
                }
                #expect(try await pair.ada.parlance("disappear", "Bob", "30m").code == 64)
                let ended = try await pair.ada.parlance("disappear", "Bob", "off").output
                #expect(ended.contains("Messages of Bob do not disappear. Bob wants that after 30 days."))
                #expect(try await pair.ada.conversation(with: "Bob")?.disappear?.after == nil)
            }
        }

        @Test func whatCannotBePinnedOrMutedIsRefused() async throws {
            try await Lab.run { lab in
                let node = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort())
                try await node.start()
                Refusal.given("Nobody here is called").check(
                    try await node.parlance("pin", "Bob"),
                    of: "pinning nobody"
                )
            }
        }
    }
}
