import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

extension ProgramTests {
    /// A message that names an event which never arrived is shown all the same, with a mark.
    @Suite struct HistoryWaitTests {
        @Test func aMessageThatLacksSomethingIsShownAndMarked() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let own = try #require(PeerID(text: try await pair.ada.status().peerID))
                let bob = try #require(try await pair.ada.peer("Bob").flatMap { PeerID(text: $0.id) })
                try await pair.bob.kill()
                try await pair.ada.end(SIGTERM)
                let conversation = ConversationID(direct: own, bob)
                let question = try Self.event("question", by: bob, copy: 0x71, in: conversation)
                let answer = try Self.event("answer", by: bob, copy: 0x72, in: conversation, after: question)
                try Self.persist(answer, in: pair.ada, own)

                // The message waited before the daemon started, so it is shown at once.
                try await pair.ada.start()
                let shown = try await pair.ada.history(with: "Bob", page: 1)
                #expect(shown.map(\.text) == ["first contact", "answer"])
                #expect(shown.map(\.waits) == [nil, true])
                let printed = try await pair.ada.parlance("history", "Bob").output
                #expect(printed.contains("answer (waits for an earlier message)"), "\(printed)")
                #expect(try await pair.ada.peer("Bob")?.unread == 0)
                Refusal.given("That message waits for an earlier one").check(
                    try await pair.ada.parlance("reply", answer.id.text, "to what?"),
                    of: "answering what waits"
                )

                try await pair.ada.end(SIGTERM)
                try Self.persist(question, in: pair.ada, own)
                try await pair.ada.start()
                let whole = try await pair.ada.history(with: "Bob", page: 1)
                #expect(whole.map(\.text) == ["first contact", "question", "answer"])
                #expect(whole.allSatisfy { $0.waits == nil })
            }
        }

        /// A message of another replica of Bob's, as it would have arrived.
        private static func event(
            _ text: String,
            by author: PeerID,
            copy: UInt8,
            in conversation: ConversationID,
            after: StoredEvent? = nil
        ) throws -> StoredEvent {
            var body = WireMessageBody()
            body.text = text
            let replica = try #require(ReplicaID([UInt8](repeating: copy, count: ReplicaID.count)))
            let header = EventHeader(
                conversation: conversation,
                log: LogID(author: author, replica: replica),
                sequence: 1,
                previous: nil,
                time: EventTime(wallMilliseconds: Int64(Date().timeIntervalSince1970 * 1000), after: nil),
                dependencies: after.map { [EventReference(log: $0.log, sequence: 1, id: $0.id)] } ?? [],
                kind: .message,
                bodyHash: Bytes32(hashingBody: body.encodedBytes())
            )
            let bytes = header.encoded()
            return StoredEvent(
                id: EventID(hashing: bytes),
                header: header,
                headerBytes: bytes,
                body: body.encodedBytes(),
                signature: [UInt8](repeating: 0, count: 64)
            )
        }

        /// Writes to the store of a daemon that does not run.
        private static func persist(_ event: StoredEvent, in node: LabNode, _ identity: PeerID) throws {
            let store = try Store.open(
                at: node.folder.path,
                identity: identity,
                newReplica: event.log.replica,
                profile: ProfileRecord(name: node.name),
                isSameCopy: { _ in true }
            )
            defer { store.close() }
            var batch = PersistBatch(id: BatchID(1))
            batch.events = [event]
            _ = try store.persist(batch)
        }
    }
}
