/// The limits of the control socket, each with its unit and reason; `protocol/control.md` repeats them.
package enum ControlLimits {
    /// Bytes of a message's text: as many as `Limits.textBytes`. A command measures a text before it sends it.
    package static let textBytes = 64 << 10
    /// Requests to read the configuration again that may wait: more come only from a program that has run wild.
    package static let waitingReloads = 16
    /// Bytes of a line to the server: a text of 64 KiB with every character escaped takes 384 KiB.
    package static let requestLineBytes = 1 << 20
    /// Bytes of a line to a client: a page of history, with every character escaped, takes under 4 MiB.
    package static let replyLineBytes = 16 << 20
    /// Bytes of texts, and of the names beside them, after which a node ends a page of history early (with `more` set).
    package static let pageTextBytes = 512 << 10
    /// Bytes of lines of an audit log after which a node ends a reply early (with `more` set).
    package static let pageLogBytes = 2 << 20
    /// How deep JSON may nest: our own messages need 6, and the limit keeps the recursive parser within its stack.
    package static let nesting = 32
    /// Members of a JSON object: our own have at most 22, and comparing keys takes quadratic time.
    package static let objectMembers = 64
    /// Elements of a batch: as many as the unanswered requests of a connection; each can cost an error of 300 bytes.
    package static let batchElements = 4096
    /// Bytes of a batch's answers over HTTP after which its other requests are refused: one more answer still fits a line.
    package static let batchReplyBytes = replyLineBytes / 2
    /// Connections at once: a person has a few terminals, a page and scripts; more is a runaway script.
    package static let connections = 64
    /// Subscriptions of one connection.
    package static let subscriptionsPerConnection = 16
    /// Unanswered requests of one connection at which its socket is no longer read: enough for a full group commit.
    package static let unansweredHighWater = 4096
    /// Unanswered requests at which the socket is read again.
    package static let unansweredLowWater = 1024
    /// Bytes of unsent output at which a connection is neither read nor fed: a few ordinary replies.
    package static let outputHighWater = 256 << 10
    /// Bytes of unsent output at which the connection is served again.
    package static let outputLowWater = 64 << 10
    /// Estimated bytes of events that wait for one slow subscriber before its subscription ends.
    package static let subscriberBufferBytes = 8 << 20
    /// What an event costs in addition to its text in that estimate, in bytes.
    package static let eventCostBytes = 256
    /// What a person named in an event or a message costs in that estimate, in bytes: an ID and a name.
    package static let personCostBytes = 128
    /// People named for one message in one list, such as who has read it; the rest are counted. A terminal shows fewer.
    package static let peopleListed = 24
    /// Places of mentions told for one message: as many as it can mention people (`Limits.mentions`).
    package static let mentionPlaces = 256
    /// Bytes of the options that a client wants in the commands of texts: two paths with every byte escaped.
    package static let commandOptionBytes = 40 << 10
    /// How long mDNS may take to show somebody, in milliseconds: it asks at once, and 1, 3 and 7 s later (RFC 6762,
    /// section 5.2). Until then nobody in sight means nothing.
    package static let lookingMilliseconds: Int64 = 10_000
    /// How far ahead of this computer's clock the time of something past may be, in milliseconds, before it says nothing.
    package static let clockSkewMilliseconds: Int64 = 120_000
    /// Bytes read of a settings file of the firewall: those of ufw have 2,000.
    package static let settingsFileRead = 16_384
    /// Addresses named in one sentence; the rest are counted. A machine with containers has hundreds.
    package static let placesListed = 4
    /// Other names of a file that are listed.
    package static let otherNames = 24
    /// Kinds of reactions listed for one message.
    package static let reactionKinds = 16
    /// How long a daemon may say nothing to a client that waits, in milliseconds: its sockets answer a greeting at once,
    /// and a machine that swaps or writes to a slow disk takes a few seconds.
    package static let daemonSilentMilliseconds: Int64 = 10_000
    /// Events that a client holds for its reader before it gives up: the burst of a full catch-up.
    package static let clientEventBuffer = 65_536
    /// Seconds that a stop waits for pending answers: a full group commit on a slow disk takes less.
    package static let stopSeconds: Int64 = 5
    /// Bytes of a conversation's ID that a connection may keep here: ours have 52, and one of a later version has room.
    package static let conversationIDBytes = 128
    /// Bytes of a Unix socket's path: `sun_path` is 108 with the closing zero.
    package static let socketPathBytes = 107
    /// Conversations of which a draft is kept: more than anybody writes at once. The oldest drafts go.
    package static let drafts = 100
    /// Bytes of a text that is kept as a draft: four times what a message can hold. The rest is left out.
    package static let draftTextBytes = 256 << 10
    /// Bytes of the file of drafts: a draft with two texts of the greatest size, with every character escaped, has room.
    package static let draftFileBytes = 4 << 20
}
