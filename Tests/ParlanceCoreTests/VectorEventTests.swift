import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

/// Tests hashes, signatures, clocks and runs against golden files.
@Suite struct VectorEventTests {
    struct Header: Decodable, Sendable, CustomTestStringConvertible {
        var name, header, id: String
        var testDescription: String { name }
    }

    struct Body: Decodable, Sendable, CustomTestStringConvertible {
        struct Piece: Decodable, Sendable {
            var hex: String
            var times: Int
        }
        var name, sequence, time, verdict: String
        var kindNumber: Int
        var hash: String?
        var body: [Piece]?
        /// Who wrote the message that the header names as its target: the author itself, or somebody else.
        var target: String?
        /// The author's rights; those of a member if absent.
        var rights: String?
        var testDescription: String { name }
    }

    struct Clock: Decodable, Sendable, CustomTestStringConvertible {
        struct Entry: Decodable, Sendable {
            var author, replica, sequence, head, completeThrough: String
            var missing: [String]
        }
        var name, hash: String
        var entries: [Entry]
        var testDescription: String { name }
    }

    struct Run: Decodable, Sendable, CustomTestStringConvertible {
        var name, conversation, author, replica, heldSequence, heldHead, outcome: String
        var events, new: [String]
        var testDescription: String { name }
    }

    struct Effective: Decodable, Sendable, CustomTestStringConvertible {
        var name, time, effective: String
        var earlier: [String]
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("header", as: Header.self)) func eventID(_ vector: Header) throws {
        #expect(EventID(hashing: try hex(vector.header)) == (try event(vector.id)))
    }

    @Test(arguments: try VectorFiles.vectors("body", as: Body.self)) func body(_ vector: Body) throws {
        let bytes = try vector.body?.flatMap { piece in
            let one = try hex(piece.hex)
            return (0..<piece.times).flatMap { _ in one }
        }
        if let bytes, let expected = vector.hash { #expect(Bytes32(hashingBody: bytes).bytes == (try hex(expected))) }
        let hash = try vector.hash.map { try #require(Bytes32(hex($0))) } ?? Bytes32(hashingBody: [1])
        let before = EventID(value: .zero)
        let target = try vector.target.map { whose in
            let author = whose == "own" ? PeerID(value: .zero) : try EngineBench.peer(1)
            let log = LogID(author: author, replica: EngineBench.replica(whose == "own" ? 0 : 1))
            return EventReference(log: log, sequence: 1, id: before)
        }
        let header = EventHeader(
            conversation: ConversationID(value: .zero),
            log: LogID(author: PeerID(value: .zero), replica: EngineBench.replica(0)),
            sequence: try number(vector.sequence),
            previous: before,
            time: EventTime(raw: try number(vector.time)),
            dependencies: [],
            kind: EventKind(number: vector.kindNumber),
            bodyHash: hash,
            target: target
        )
        let body = bytes ?? header.untravelledBody
        let event = StoredEvent(id: before, header: header, headerBytes: [], body: body, signature: nil)
        let predecessor = Projector.Applied(id: before, time: EventTime(raw: 99), effective: 99)
        var rights = Projector.Rights(isMember: vector.rights != "none", isAdmin: vector.rights == "admin")
        if vector.rights == "direct" { rights = .direct }
        #expect(text(of: Projector.judge(event, after: predecessor, rights: rights)) == vector.verdict)
    }

    private func text(of verdict: Projector.Verdict) -> String {
        switch verdict {
        case .message(let message) where message.files.isEmpty: "message \(message.text.utf8.count)"
        case .message(let message): "message \(message.text.utf8.count) files \(message.files.count)"
        case .withdraw(let sequence): "withdraw \(sequence)"
        case .nothing: "nothing"
        case .edit(let edit): "edit \(edit.text.utf8.count)"
        case .delete: "delete"
        case .reaction(let emoji, let removed): "reaction \(removed ? "removed" : "added") \(emoji)"
        case .note(.renamed(let title)): "renamed \(title)"
        case .note(.topic(let topic)): "topic \(topic)"
        case .note(.lifetime(let seconds)): "lifetime \(seconds)"
        case .note: "another note"
        case .void(let reason): "void \(reason.rawValue)"
        }
    }

    @Test(arguments: try VectorFiles.vectors("clock", as: Clock.self)) func clock(_ vector: Clock) throws {
        var clock = ParlanceCore.Clock()
        for entry in vector.entries {
            let position = LogPosition(sequence: try number(entry.sequence), head: try event(entry.head))
            let value = ParlanceCore.Clock.Entry(position: position, missing: try entry.missing.map(number))
            clock.entries[try log(entry.author, entry.replica)] = value
            #expect(value.completeThrough() == (try number(entry.completeThrough)))
        }
        #expect(clock.hash == (try hex(vector.hash)))
        #expect(try ParlanceCore.Clock(decoding: clock.wire).hash == clock.hash)
    }

    @Test(arguments: try VectorFiles.vectors("run", as: Run.self)) func run(_ vector: Run) throws {
        let held = LogPosition(
            sequence: try number(vector.heldSequence),
            head: vector.heldHead.isEmpty ? LogPosition.start.head : try event(vector.heldHead)
        )
        let events = try vector.events.map { try #require(WireEvent(decoding: hex($0))) }
        for (wire, bytes) in zip(events, vector.events) { #expect(wire.encodedBytes() == (try hex(bytes))) }
        let log = try log(vector.author, vector.replica)
        let conversation = try conversation(vector.conversation)
        var outcome = "valid"
        var new: [StoredEvent] = []
        do throws(RunVerifier.Failure) {
            let received = events.map { ReceivedEvent($0) }
            new = try RunVerifier.verify(received, of: log, in: conversation, after: held)
        } catch {
            outcome = Self.name(of: error)
        }
        #expect(outcome == vector.outcome)
        #expect(try new.map(\.id) == vector.new.map(event))
    }

    private static func name(of failure: RunVerifier.Failure) -> String {
        switch failure {
        case .breach(.eventSignature), .breach(.eventsUnsigned): "bad signature"
        case .breach: "malformed"
        case .gap: "gap"
        case .doesNotChain: "does not chain"
        }
    }

    @Test(arguments: try VectorFiles.vectors("effective-time", as: Effective.self))
    func effectiveTime(_ vector: Effective) throws {
        let time = EventTime(raw: try number(vector.time))
        #expect(try Projector.effective(time: time, after: vector.earlier.map(number)) == number(vector.effective))
    }
}
