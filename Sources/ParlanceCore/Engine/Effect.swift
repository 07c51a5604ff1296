package import ParlanceWire

/// What the shell has to do. The effects of one input are in order.
package enum Effect: Equatable, Sendable {
    /// Write the batch in one transaction, then report `persisted` or `persistFailed`.
    indirect case persist(PersistBatch)
    /// Read consecutive events, then report `eventsRead` or `readFailed`.
    indirect case read(ReadID, ReadRequest)
    /// Read a stored envelope, then report `envelopeRead` or `readFailed`.
    case readEnvelope(ReadID, EnvelopeID)
    /// Read whether a message that is shown in the conversation names the file, then report `mentionRead` or
    /// `readFailed`.
    case readMention(ReadID, ConversationID, FileID)
    /// Work for the shelf of files.
    case shelf(ShelfWork)
    case send(LinkID, WireFrame)
    /// Try to open a link. `expecting`: close it if another peer answers.
    case dial(DialID, Endpoint, expecting: PeerID?)
    /// Test whether the endpoint accepts connections, close at once, then report `probed`.
    case probe(DialID, Endpoint)
    /// Send a closing record after all frames already sent, then close.
    case close(LinkID)
    /// The peer of this link is accepted now, or no longer: its quotas change.
    case admit(LinkID, accepted: Bool)
    case answer(CommandID, Result<Answer, Refusal>)
    case notify(Notice)
    /// Continue as another replica. The links of the previous one are being closed. New links use this replica, with
    /// epoch 1.
    case adopt(ReplicaID)
    /// Open and accept links with these keys from now on, newest first; if there are none, open links without a
    /// workspace. Announce the tags of the keys.
    case useKeys([WorkspaceKey])
    /// Write to the log that something went wrong with this peer.
    case report(PeerID, Report)
}

/// Consecutive events of one log.
package struct ReadRequest: Equatable, Sendable {
    package var conversation: ConversationID
    package var log: LogID
    /// The first sequence to read.
    package var from: UInt64
    /// The last sequence to read.
    package var through: UInt64
    /// Stop before the headers and bodies exceed this number of bytes. At least one event is returned if there is one.
    package var byteLimit: Int

    package init(conversation: ConversationID, log: LogID, from: UInt64, through: UInt64, byteLimit: Int) {
        self.conversation = conversation
        self.log = log
        self.from = from
        self.through = through
        self.byteLimit = byteLimit
    }
}
