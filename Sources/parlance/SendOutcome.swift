import ParlanceControl
import ParlanceTexts
import ParlanceWords
import Synchronization

extension Session {
    /// How long a command that writes a message waits to say what happened to it, in milliseconds: long enough for a
    /// delivery in a local network, and too short to annoy.
    private static let outcomeMilliseconds: Int64 = 300

    /// Writes a message and shows what happened to it. Waits only for recipients that are connected.
    ///
    /// With JSON, shows the reply at once: a program can subscribe to events.
    func write<Operation: ControlOperation>(
        _ operation: Operation,
        to who: String? = nil,
        meant: ResolvedMessage? = nil
    ) async throws where Operation.Reply == SendReply {
        guard !json else {
            var sent = try await client.call(operation)
            sent.meant = sent.meant ?? meant
            return terminal.write([JSONWriter.text(try JSONValueEncoder.encode(sent))])
        }
        // Subscribe first, so that no status is missed.
        let events = try await client.events(
            SubscriptionFilter(events: [StatusEvent.kind, ReachedEvent.kind, FailedEvent.kind])
        )
        var reply = try await client.call(operation)
        reply.meant = reply.meant ?? meant
        let sent = reply
        var life: MessageLife?
        if sent.status != nil {
            let reached = Mutex<Set<String>>([])
            if sent.status == .sending {
                await client.wait(in: events, within: Self.outcomeMilliseconds) { event in
                    if let member = event.member(reachedBy: sent) { reached.withLock { _ = $0.insert(member) } }
                    return event.settles(sent) || reached.withLock { $0.count >= sent.connected ?? .max }
                }
            }
            // The message is saved, whatever becomes of this question.
            life = try? await client.call(InfoOperation(id: sent.id))
        }
        terminal.write(SentText(sent: sent, life: life, style: style).lines(to: who))
        Terminal.standardError.write(sent.mentionNotes.map { VisibleText.line(say($0)) })
    }
}

extension ControlEvent {
    /// The member of a group whose computer has the message, if the event says so.
    fileprivate func member(reachedBy sent: SendReply) -> String? {
        guard let event = self as? ReachedEvent, event.conversation == sent.conversation,
            event.sequence >= sent.sequence
        else { return nil }
        return event.member.id
    }

    /// Whether the event says that a message has reached all or has failed.
    fileprivate func settles(_ sent: SendReply) -> Bool {
        if let event = self as? StatusEvent {
            return event.conversation == sent.conversation && event.sequence >= sent.sequence
                && (event.status == .delivered || event.status == .read)
        }
        guard let event = self as? FailedEvent else { return false }
        return event.conversation == sent.conversation && event.sequence >= sent.sequence
    }
}
