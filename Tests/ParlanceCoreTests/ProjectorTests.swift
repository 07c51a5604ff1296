import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire
import Testing

/// What people see of an event. Single bodies are tested by `protocol/vectors/events/bodies.json`.
@Suite struct ProjectorTests {
    private let remote: RemotePeer
    private let ada: PeerID

    init() throws {
        remote = try RemotePeer()
        ada = try EngineBench.peer(1)
    }

    private func applied(_ event: StoredEvent, effective: UInt64 = 0) -> Projector.Applied {
        Projector.Applied(id: event.id, time: event.header.time, effective: effective)
    }

    @Test func aTimeMustBeAfterThePredecessors() {
        var remote = remote
        let first = remote.write("first", to: ada, time: 1_000)
        let same = remote.write("same", to: ada, time: 1_000)
        let earlier = remote.write("earlier", to: ada, time: 999)
        let later = remote.write("later", to: ada, time: 1_001)
        #expect(Projector.judge(first, after: nil) == .message(MessageText("first")))
        #expect(Projector.judge(same, after: applied(first)) == .void(.timeNotAfterPredecessor))
        #expect(Projector.judge(earlier, after: applied(same)) == .void(.timeNotAfterPredecessor))
        #expect(Projector.judge(later, after: applied(earlier)) == .message(MessageText("later")))
    }

    /// The rule about time comes before all others, so that every reader gives the same reason.
    @Test func aLateEventIsVoidWhateverItsKind() {
        for kind in [EventKind.message, .withdraw, .link, .unknown(99)] {
            var remote = remote
            let first = remote.write("first", to: ada, time: 1_000)
            let late = remote.write("", to: ada, kind: kind, time: 1_000)
            #expect(Projector.judge(late, after: applied(first)) == .void(.timeNotAfterPredecessor))
        }
    }

    @Test func anAuthorAtTheEndOfTimeIsVoidFromThereOn() {
        var remote = remote
        let last = remote.write("last", to: ada, time: .max)
        let beyond = remote.write("beyond", to: ada, time: .max)
        #expect(Projector.judge(last, after: nil) == .message(MessageText("last")))
        #expect(Projector.judge(beyond, after: applied(last)) == .void(.timeNotAfterPredecessor))
    }

    @Test func effectiveTimesNeverGoOverTheGreatest() {
        let latest = UInt64(Int64.max)
        #expect(Projector.latest == latest)
        #expect(Projector.effective(time: EventTime(raw: .max), after: []) == Projector.latestOwn)
        #expect(
            Projector.effective(time: EventTime(raw: .max), after: [Projector.latestOwn]) == Projector.latestOwn + 1
        )
        #expect(Projector.effective(time: EventTime(raw: 0), after: [latest, 3]) == latest)
        #expect(Projector.effective(time: EventTime(raw: 0), after: [latest - 1]) == latest)
        #expect(Projector.effective(time: EventTime(raw: 0), after: [UInt64.max]) == latest)
    }

    /// Whatever clocks say, an event is ordered after everything that it follows, and the order of its references does
    /// not matter.
    @Test func anAnswerNeverStandsAboveItsQuestion() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let time = EventTime(raw: random.next() >> UInt64(random.below(64)))
            let earlier = (0..<random.below(5)).map { _ in random.next() >> UInt64(1 + random.below(63)) }
            let effective = Projector.effective(time: time, after: earlier)
            #expect(earlier.allSatisfy { $0 < effective || $0 == Projector.latest }, "seed \(seed)")
            #expect(effective >= min(time.raw, Projector.latestOwn), "seed \(seed)")
            #expect(effective == Projector.effective(time: time, after: earlier.reversed()), "seed \(seed)")
        }
    }

    private func event(_ kind: EventKind, _ body: [UInt8]?, target: EventReference? = nil) -> StoredEvent {
        let header = EventHeader(
            conversation: ConversationID(value: .zero),
            log: LogID(author: ada, replica: EngineBench.replica(1)),
            sequence: 2,
            previous: EventID(value: .zero),
            time: EventTime(raw: 1),
            dependencies: [],
            kind: kind,
            bodyHash: Bytes32(hashingBody: body ?? []),
            target: target
        )
        return StoredEvent(id: EventID(value: .zero), header: header, headerBytes: [], body: body, signature: nil)
    }

    private func text(_ text: String, mentions: [[UInt8]] = []) -> [UInt8] {
        var body = WireMessageBody()
        body.text = text
        body.mentions = mentions.map { Data($0) }
        return body.encodedBytes()
    }

    private var own: EventReference {
        EventReference(log: LogID(author: ada, replica: EngineBench.replica(9)), sequence: 1, id: EventID(value: .zero))
    }

    private var foreign: EventReference {
        EventReference(log: LogID(author: remote.identity, replica: EngineBench.replica(9)), sequence: 1, id: own.id)
    }

    @Test func rightsDecideWhatIsAboutOthers() {
        let member = Projector.Rights(isMember: true, isAdmin: false)
        let admin = Projector.Rights(isMember: true, isAdmin: true)
        let nobody = Projector.Rights(isMember: false, isAdmin: true)
        func judge(_ kind: EventKind, _ target: EventReference?, _ rights: Projector.Rights) -> Projector.Verdict {
            let body = kind == .delete ? [] : text("text")
            return Projector.judge(event(kind, body, target: target), after: nil, rights: rights)
        }
        let edit = Projector.Verdict.edit(MessageText("text"))
        #expect(judge(.edit, own, member) == edit)
        #expect(judge(.edit, foreign, admin) == .void(.notTheAuthor))
        #expect(judge(.edit, nil, member) == .void(.noTarget))
        #expect(judge(.delete, own, member) == .delete)
        #expect(judge(.delete, foreign, member) == .void(.notTheAuthor))
        #expect(judge(.delete, foreign, admin) == .delete)
        for kind in [EventKind.message, .edit, .reaction, .title, .topic, .lifetime] {
            #expect(judge(kind, own, nobody) == .void(.notMember))
        }
        #expect(judge(.delete, foreign, nobody) == .void(.notMember))
        #expect(judge(.delete, nil, nobody) == .void(.notMember))
        // Authors need no right to take back what they wrote.
        #expect(judge(.delete, own, nobody) == .delete)
        for kind in [EventKind.link, .unknown(99)] { #expect(judge(kind, nil, nobody) == .nothing) }
    }

    @Test func reactionsAndLabelsAreShortAndOnOneLine() {
        func reaction(_ emoji: String) -> Projector.Verdict {
            var body = WireReactionBody()
            body.emoji = emoji
            return Projector.judge(event(.reaction, body.encodedBytes(), target: foreign), after: nil)
        }
        #expect(reaction("👍") == .reaction(emoji: "👍", removed: false))
        for emoji in ["", " ", "a\nb", String(repeating: "x", count: Limits.emojiBytes + 1)] {
            #expect(reaction(emoji) == .void(.malformedBody))
        }
        let member = Projector.Rights(isMember: true, isAdmin: false)
        var label = WireTitleBody()
        label.title = "Cake"
        let direct = Projector.judge(event(.title, label.encodedBytes()), after: nil)
        #expect(direct == .void(.invalidChange), "two people have no title")
        func title(_ text: String) -> Projector.Verdict {
            var body = WireTitleBody()
            body.title = text
            return Projector.judge(event(.title, body.encodedBytes()), after: nil, rights: member)
        }
        func topic(_ text: String) -> Projector.Verdict {
            var body = WireTopicBody()
            body.topic = text
            return Projector.judge(event(.topic, body.encodedBytes()), after: nil, rights: member)
        }
        #expect(title("Cake") == .note(.renamed("Cake")) && topic("") == .note(.topic("")))
        let longest = String(repeating: "x", count: Limits.titleBytes)
        #expect(title(longest) == .note(.renamed(longest)) && topic(longest) == .note(.topic(longest)))
        #expect(title(longest + "x") == .void(.malformedBody) && topic(longest + "x") == .void(.malformedBody))
        #expect(title("") == .void(.malformedBody) && topic("a\u{7}") == .void(.malformedBody))
    }

    @Test func aLifetimeIsByAnAdminOrBetweenTwoAndWithinLimits() {
        func lifetime(_ seconds: UInt64, _ rights: Projector.Rights) -> Projector.Verdict {
            var body = WireLifetimeBody()
            body.seconds = seconds
            return Projector.judge(event(.lifetime, body.encodedBytes()), after: nil, rights: rights)
        }
        let member = Projector.Rights(isMember: true, isAdmin: false)
        let admin = Projector.Rights(isMember: true, isAdmin: true)
        #expect(lifetime(86_400, member) == .void(.notAdmin) && lifetime(0, member) == .void(.notAdmin))
        for rights in [admin, .direct] {
            for seconds in [0, Limits.leastLifetimeSeconds, Limits.lifetimeSeconds] {
                #expect(lifetime(seconds, rights) == .note(.lifetime(seconds: seconds)))
            }
            for seconds in [1, Limits.leastLifetimeSeconds - 1, Limits.lifetimeSeconds + 1, .max] {
                #expect(lifetime(seconds, rights) == .void(.malformedBody))
            }
        }
        #expect(Projector.judge(event(.lifetime, [0xFF]), after: nil) == .void(.malformedBody))
        #expect(Projector.judge(event(.lifetime, nil), after: nil) == .void(.malformedBody))
    }

    /// Padded with a field that a later version may have (number 100, of bytes).
    @Test func bodiesHaveAtMostSoManyBytes() {
        let start = text("hi")
        for (size, isTaken) in [(Limits.bodyBytes, true), (Limits.bodyBytes + 1, false)] {
            let content = size - start.count - 5
            let count = [UInt8(content & 0x7F) | 0x80, UInt8(content >> 7 & 0x7F) | 0x80, UInt8(content >> 14)]
            let body = start + [0xA2, 0x06] + count + [UInt8](repeating: 0, count: content)
            #expect(body.count == size)
            let verdict = Projector.judge(event(.message, body), after: nil)
            #expect(verdict == (isTaken ? .message(MessageText("hi")) : .void(.bodyTooLarge)))
        }
    }

    @Test func mentionsAreWhoIsNamed() {
        let verdict = Projector.judge(event(.message, text("hi", mentions: [ada.bytes, [1]])), after: nil)
        #expect(verdict == .message(MessageText("hi", mentions: [ada])))
        let many = [[UInt8]](repeating: ada.bytes, count: Limits.mentions + 1)
        #expect(Projector.judge(event(.message, text("hi", mentions: many)), after: nil) == .void(.malformedBody))
    }

    @Test func filesAreNamedWithinTheLimits() throws {
        let file = FileMention(
            file: FileID(value: Bytes32(hashing: [1], domain: Domain.branch)),
            name: "../a\u{202E}.pdf",
            size: Limits.fileBytes,
            isFolder: true,
            width: 3,
            height: .max
        )
        func verdict(_ text: String, _ files: [WireFileMention], _ kind: EventKind = .message) -> Projector.Verdict {
            var body = WireMessageBody()
            body.text = text
            body.files = files
            return Projector.judge(event(kind, body.encodedBytes()), after: nil)
        }
        #expect(verdict("", [file.wire]) == .message(MessageText("", files: [file])))
        #expect(verdict("see", [file.wire, file.wire]) == .message(MessageText("see", files: [file, file])))
        #expect(verdict(" ", []) == .void(.blankText))
        let many = [WireFileMention](repeating: file.wire, count: Limits.filesPerMessage)
        #expect(
            verdict("", many) == .message(MessageText("", files: [FileMention](repeating: file, count: many.count)))
        )
        #expect(verdict("", many + [file.wire]) == .void(.malformedBody))
        #expect(verdict(String(repeating: "x", count: Limits.textBytes + 1), [file.wire]) == .void(.textTooLarge))
        let faults: [(inout WireFileMention) -> Void] = [
            { $0.file = Data([1]) }, { $0.file = Data() }, { $0.name = "" },
            { $0.name = String(repeating: "n", count: Limits.fileMentionNameBytes + 1) },
            { $0.size = Limits.fileBytes + 1 },
        ]
        for fault in faults {
            var wire = file.wire
            fault(&wire)
            #expect(verdict("text", [file.wire, wire]) == .void(.malformedBody))
        }
        var longest = file
        longest.name = String(repeating: "n", count: Limits.fileMentionNameBytes)
        #expect(verdict("", [longest.wire]) == .message(MessageText("", files: [longest])))
    }

    @Test func membershipEventsCountIfTheMembershipSaysSo() throws {
        var bench = try MembershipBench(people: 2)
        let creation = bench.create([1])
        let note = GroupNote.created(title: "Group", members: [bench.people[1]])
        #expect(Projector.judge(creation, after: nil, isValidChange: true) == .note(note))
        #expect(Projector.judge(creation, after: nil) == .void(.invalidChange))
        #expect(Projector.judge(event(.members, [1]), after: nil, isValidChange: true) == .void(.malformedBody))
    }

    @Test func blankIsWhatHasNothingToRead() {
        for text in ["", " ", "\t\r\n", "\u{a0}\u{2003}\u{3000}\u{2028}"] {
            #expect(text.isBlank, "\(text.debugDescription)")
        }
        for text in ["a", " a ", "\u{200b}", "\u{1f642}", "\u{0}"] {
            #expect(!text.isBlank, "\(text.debugDescription)")
        }
    }
}
