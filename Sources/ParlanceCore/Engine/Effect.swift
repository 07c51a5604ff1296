package import ParlanceWire

/// What the shell is to do. Effects of one input are in order.
package enum Effect: Equatable, Sendable {
    /// Write all of it in one transaction, then tell `persisted` or `persistFailed`.
    indirect case persist(PersistBatch)
    /// Read consecutive events, then tell `eventsRead`, or `readFailed`.
    indirect case read(ReadID, ReadRequest)
    /// Read an envelope that is kept for somebody, then tell `envelopeRead`, or `readFailed`.
    case readEnvelope(ReadID, EnvelopeID)
    case send(LinkID, WireFrame)
    /// Try to open a link. `expecting`: close it if somebody else answers.
    case dial(DialID, Endpoint, expecting: PeerID?)
    /// See whether anybody takes connections there, and close at once; then tell `probed`.
    case probe(DialID, Endpoint)
    /// Send a closing record after what was sent, then close.
    case close(LinkID)
    /// The peer of this link is accepted now (or no more): its quotas change.
    case admit(LinkID, accepted: Bool)
    case answer(CommandID, Result<Answer, Refusal>)
    case notify(Notice)
    /// Go on as another replica: links of the one before are being closed, new ones bear the new name, with epoch 1.
    case adopt(ReplicaID)
    /// Take and open links with these keys from now on, newest first; none: open links. Announce their tags.
    case useKeys([WorkspaceKey])
    /// Tell whoever reads the log of something that should not happen, and of whom.
    case report(PeerID, Report)
}

/// Consecutive events of one log.
package struct ReadRequest: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    /// The first sequence number wanted.
    package var from: UInt64
    /// The last wanted.
    package var through: UInt64
    /// Stop before these many bytes of headers and bodies are passed; at least one event comes if there is one.
    package var byteLimit: Int

    package init(conversation: ConversationID, log: LogID, from: UInt64, through: UInt64, byteLimit: Int) {
        self.conversation = conversation
        self.log = log
        self.from = from
        self.through = through
        self.byteLimit = byteLimit
    }
}
