/// Every limit of the protocol, with its unit and reason. Those of transfers are in `Limits+Transfers.swift`.
/// `protocol/limits.md` has the same table.
package enum Limits {
    // Events.

    /// Bytes of UTF-8 in one message: longer than anybody types, short enough to travel whole.
    package static let textBytes = 64 * 1024
    /// Bytes of an event's body: a text and what goes with it.
    package static let bodyBytes = 96 * 1024
    /// Bytes of an event's header: 32 dependencies of about 96 bytes, and room.
    package static let headerBytes = 8 * 1024
    /// The highest sequence number: the greatest integer that JSON carries exactly, and far from any overflow.
    package static let sequence: UInt64 = 9_007_199_254_740_991
    /// Dependencies that one event names.
    package static let dependencies = 32
    /// Events from one signed head to the next: how many may wait for one signature.
    package static let eventsPerHead = 64
    /// Bytes of events from one signed head to the next, so that such a run with one more event fits a frame.
    package static let bytesPerHead = 128 * 1024

    /// Bytes of a run in one frame, and so from one head to the next: a frame less what surrounds the events.
    package static let runBytes = 261_120
    /// Branches of one log that are synced, those with the smallest names: two come by accident, more only on purpose.
    package static let branchesPerLog = 16
    /// Positions of our own logs in one conversation whose events are known without a read: as many as a linked peer lags
    /// behind.
    package static let ownHeads = 256
    /// Runs on one link that are compared at the same time with what is held, to find where a log parts.
    package static let comparedRuns = 4

    // Groups.

    /// Members of a group: one office.
    package static let members = 256
    /// Bytes of a group's title or topic.
    package static let titleBytes = 200
    /// Bytes of a reaction: one emoji of many parts.
    package static let emojiBytes = 32
    /// Peers that one message mentions.
    package static let mentions = 256
    /// Membership events of an invitation that are kept until the rest of it has arrived.
    package static let membershipEvents = 4_096
    /// Bytes of them: that many events of about 1 KiB each.
    package static let invitationBytes = 4_194_304
    /// Changes of a group by one admin that count, among those that give something, and as many among those that take
    /// something. Each of 256 members can come and go several times, and an admin who has used up the additions can
    /// still remove. As many more are held that do not count for now.
    package static let membershipChanges = 2_048
    /// Creations of a group that count: all say the same, so a few are enough.
    package static let membershipCreations = 64
    /// Departures and creations of one author that are held though they do not count; and all such events together of those
    /// who never were members.
    package static let membershipVoid = 64
    /// Membership events of one author that are held while they wait for others: an admin's work of weeks, told out of order.
    package static let membershipWaiting = 256
    /// Membership events that one event names as the last ones seen: all members of a large group may have left at
    /// once.
    package static let membershipParents = 512
    /// Logs whose counted end a removal names: several replicas of each member.
    package static let membershipMarks = 1024
    /// Answers that are told of anew when the message that they quote changes, the last ones in the order shown: a few
    /// screens of them.
    package static let answersTold = 256
    /// Sequences without a body that a clock entry names: the first is what counts, the others save useless requests.
    package static let missingTold = 256
    /// Bodies asked for at once, and bodies on the way on one link.
    package static let bodiesPerRequest = 64
    /// Logs of one author in a conversation that are kept of a peer's clock, in addition to those that are held here:
    /// enough for many replicas and branches, too few for invented ones to fill the memory.
    package static let clockEntriesPerAuthor = 64
    /// Conversations that one frame lists, at some 55 bytes each: a quarter of the largest frame.
    package static let summaryEntries = 1_024
    /// Members that are told at once what was received of somebody else's log; the others hear with the next heartbeat.
    package static let offersPerEvent = 3
    /// Events held and not applied that are searched for messages to show: more is a whole history on its way.
    package static let provisionalEvents = 1_000
    /// Messages of a local log that count for nobody and are shown to their author as failed: the last ones.
    package static let voidMessages = 1_000
    /// Events of a local log without a line of their own that are searched for such messages.
    package static let voidEvents = 10_000
    /// Members that carry to an absent author what was received and read of its log.
    package static let carriers = 3
    /// Watermarks in a frame, of about 250 bytes each; and as many wait on a link for what they are about.
    package static let marksPerFrame = 512
    /// Replicas of one member whose watermarks of a log are kept: the furthest.
    package static let copiesPerMember = 16
    /// Replicas of one peer whose last start is kept though nothing is held that they wrote.
    package static let epochsPerPeer = 16

    // Names.

    /// Bytes of a name.
    package static let nameBytes = 64
    /// Bytes of a status text.
    package static let statusTextBytes = 140
    /// Hours of which it is kept whether an accepted peer was here: seven days.
    package static let seenHours = 168
    /// Bytes of the preview that a contact request shows.
    package static let previewBytes = 500

    // Search.

    /// Bytes of a query: more than anybody types.
    package static let searchQueryBytes = 1_024
    /// Words and phrases of a query, and people and conversations that it names.
    package static let searchTerms = 16
    /// Messages that fit a query and are compared with each other, those that were taken into the index last: what people
    /// page through, and few enough to read them all in 20 ms.
    package static let searchMatches = 1_000
    /// Events not in the index yet up to which a search reads their messages itself, which takes 20 ms.
    package static let searchTailEvents = 4_096
    /// Bytes of a word, as it is compared: what follows is left out.
    package static let searchWordBytes = 100
    /// Characters of an excerpt: two lines of a terminal.
    package static let searchExcerptCharacters = 160

    // Links.

    /// Links of one identity: enough for a few machines, too few for one peer to take all.
    package static let linksPerPeer = 4
    /// Peers whose breaches are counted, so that each is reported once a minute: those beyond them are not reported.
    package static let breachPeers = 256
    /// Reads of the store for one link that failed and are tried again: with more of them the link is closed.
    package static let failedReads = 64
    /// Open files that are kept for the store and the control socket: with fewer, no link is accepted.
    package static let descriptorsKept = 16

    /// Bytes of one frame: the largest run between two heads, and room.
    package static let frameBytes = 256 * 1024
    /// Bytes of one handshake message: a certificate and keys need a third of it.
    package static let handshakeBytes = 1024
    /// Seconds for a whole handshake, the responder's certificate included.
    package static let handshakeSeconds = 10
    /// Records under one key; then the direction rekeys.
    package static let recordsPerKey = 1024
    /// Hours after which a link is replaced, for a fresh ephemeral secret.
    package static let linkHours = 24
    /// Links in all that have not authenticated. One more ends the oldest.
    package static let unauthenticatedLinks = 64
    /// Links from one address (a /64 of another network in IPv6) that have not authenticated.
    package static let unauthenticatedLinksPerAddress = 4
    /// Bytes buffered for a link that has not authenticated.
    package static let unauthenticatedBytes = 2 * 1024
    /// Handshakes that one address may start in a second.
    package static let startsPerSecondPerAddress = 10
    /// Links in all that are authenticated and not accepted.
    package static let unacceptedLinks = 32
    /// Links from one address that are authenticated and not accepted.
    package static let unacceptedLinksPerAddress = 4
    /// Bytes buffered for a link that is authenticated and not accepted: the largest frame and a record. Who joins a workspace,
    /// or is invited to a group, accepts nobody yet and must be able to read what members send.
    package static let unacceptedBytes = 272 * 1024
    /// Seconds without a purpose after which a link that is not accepted is closed.
    package static let unacceptedIdleSeconds = 60
    /// Bytes buffered each way for an accepted peer's link.
    package static let acceptedBytes = 512 * 1024
    /// Bytes of events on the way to one peer without acknowledgement: enough to keep a fast disk at the other side
    /// busy.
    package static let windowBytes = 1024 * 1024

    // Requests and discovery.

    /// Bytes of the frame of a contact request.
    package static let requestBytes = 1024
    /// Contact requests waiting in all.
    package static let requests = 100
    /// Contact requests waiting from one address.
    package static let requestsPerAddress = 5
    /// Entries of the discovery cache.
    package static let sightings = 1024
    /// Dials started in a second.
    package static let dialsPerSecond = 5
    /// Strangers that left and are kept: more than people look for at once.
    package static let strangersKept = 64
    /// Names that a stranger announces on a link after its first: more than people try at once.
    package static let strangerNames = 8
    /// Addresses remembered of one peer.
    package static let addressesPerPeer = 8
    /// Bytes of the name of an interface behind an address: the kernel takes no longer one.
    package static let interfaceNameBytes = 15
    /// Dials of a target that fail in a row until its peer counts as away.
    package static let failuresInReach = 3

    /// Bytes of the reason given by a peer that could not dial back.
    package static let dialBackReasonBytes = 200

    // Workspaces.

    /// Keys of a workspace that are held: the newest, and those that absent members may still have.
    package static let workspaceKeys = 8
    /// How much higher than the newest key here a key's number may be, so that nobody ends the counting.
    package static let workspaceRotations: UInt64 = 1_000
    /// Identities that rotations have left out.
    package static let workspaceRemoved = 256
    /// Members whose addresses are told in a frame, at about 250 bytes each.
    package static let addressesPerFrame = 256
    /// Members whose addresses are held though they are not known: four times as many as one frame tells.
    package static let addressesHeld = 1_024
    /// Members in reach up to which each is linked with each.
    package static let membersAllLinked = 64
    /// With more members: links to members with whom nothing has been written, enough to reach everybody over a few
    /// others.
    package static let membersLinked = 16

    // Couriers.

    /// Bytes of an envelope's sealed part: a run that fits a frame, and room for the envelope around it.
    package static let envelopeBytes = 245_760
    /// What an envelope counts for at least, so that the number of envelopes is bounded too.
    package static let envelopeLeastBytes = 16_384
    /// Couriers of one envelope: one of three is there when its recipient comes.
    package static let couriers = 3
    /// Bytes that one depositor may have here.
    package static let depositorBytes = 16_777_216
    /// Bytes of envelopes that are kept in all.
    package static let carriedBytes = 1_073_741_824
    /// Bytes of a parcel file: an envelope, prekeys and a signature, with room; in hexadecimal digits it fits a line
    /// to the daemon.
    package static let parcelBytes = 262_144
    /// Parcels from one person to another on a stick: 15 MiB in all.
    package static let parcelSlots = 64
    /// Sealed files from one person to another on a stick, so that the list of them fits one parcel.
    package static let sealedFileSlots = 256
    /// Bytes of a file that are sealed at once, and the least that a sealed file shows of its size.
    package static let sealedPieceBytes = 65_536
    /// Bytes of sealed files for one person, unless the user says otherwise: what most sticks have room for.
    package static let sealedFileBytes: UInt64 = 4_294_967_296
    /// Free on a stick after a sealed file is written, unless the parcels take less: all parcels for one person need that room.
    package static let stickReserveBytes: UInt64 = 16_777_216
    /// One-time prekeys of this node that one peer has at a time: that many envelopes in a row have a key of their own.
    package static let oneTimePrekeys = 4

    // Files.

    /// Bytes of a file: far more than anybody sends in an office, and far from any overflow.
    package static let fileBytes: UInt64 = 1_099_511_627_776
    /// Chunks of a file, so that the list of their hashes fits a frame.
    package static let chunks = 2_000
    /// Bytes of a chunk of a file that is not too large for it: it takes 0.2 ms to hash.
    package static let chunkBytes = 64 * 1024

    /// Bytes that stay free on the disk of the data folder after a file is fetched or copied: messages need room too.
    package static let diskReserveBytes: UInt64 = 64 * 1_024 * 1_024
    /// Bytes of the file that keeps room on the disk for what makes room: a few steps of a removal.
    package static let diskReserveFileBytes: UInt64 = 1_024 * 1_024
    /// Bytes that stay free beside it: what a batch without texts needs.
    package static let diskReserveLeftBytes: UInt64 = 64 * 1_024
    /// Bytes free on the disk below which the write-ahead log stays short: more than it ever has otherwise.
    package static let tightDiskBytes: UInt64 = 64 * 1_024 * 1_024
    /// Bytes of a file that is fetched, written before it is noted that they are there: a crash costs at most these.
    package static let unsyncedFileBytes = 8 * 1_024 * 1_024
    /// Bytes of a file read at once.
    package static let fileReadBytes = 1_024 * 1_024
    /// Bytes of a picture that a terminal is given to draw, as on the page.
    package static let shownPictureBytes: UInt64 = 10 * 1_024 * 1_024
    /// Pixels of such a picture: the terminal may hold 4 bytes for each.
    package static let shownPicturePixels = 64 * 1_024 * 1_024
    /// Copies of files of one name in a folder.
    package static let copiesOfAName = 10_000
    /// Bytes of the name of a file: what file systems take.
    package static let fileNameBytes = 255
    /// Bytes of the name of a file in a message: it is made safe, and cut, where it is shown.
    package static let fileMentionNameBytes = 1_024
    /// Bytes of chunks that wait for the disk of the shelf: with more, links read nothing until the disk has taken some.
    package static let waitingFileBytes = 32 * 1_024 * 1_024
    /// Seconds for which a file stays on the shelf that no message names, or that is more than the quota allows: somebody
    /// may be about to send it, or to copy it.
    package static let fileGraceSeconds: Int64 = 3_600
    /// Seconds for which a file may be written that is to be put on the shelf, without a further byte.
    package static let incomingFileSeconds: Int64 = 86_400
    /// Files that one message names: more go as a folder.
    package static let filesPerMessage = 32
    /// Files of a folder that is sent.
    package static let folderEntries = 10_000
    /// Bytes of the path of a file in a folder that is sent: a quarter of what Linux takes, with room for the place.
    package static let folderPathBytes = 1_024
    /// Names in such a path: folders within each other, and the file.
    package static let folderDepth = 32
    /// Folders in a folder that is sent, however deep they are: as many as files. A listing of 1 MiB could make 320,000.
    package static let folderFolders = 10_000
    /// Bytes that a small file and a folder take on a usual disk.
    package static let diskBlockBytes: UInt64 = 4_096
    /// Bytes of the listing of a folder: that many files with long paths.
    package static let folderListingBytes = 4_194_304

    // Time, in milliseconds.

    /// Between two heartbeats on a link.
    package static let heartbeatMilliseconds: Int64 = 30_000
    /// Without a sign of life, after which a link counts as dead.
    package static let silenceMilliseconds: Int64 = 60_000
    /// For so long nothing is acknowledged of what was sent on a link, before another way is tried beside it: a lost packet,
    /// and one who changes Wi-Fi access points, are over by then.
    package static let stallMilliseconds: Int64 = 10_000
    /// Between two looks at a link while something sent on it is not acknowledged.
    package static let stallLookMilliseconds: Int64 = 2_000
    /// After a link closed, before its peer is shown as offline, so that a reconnect does not flicker.
    package static let offlineGraceMilliseconds: Int64 = 5_000
    /// After a stranger left, before it is forgotten: long enough to write to somebody who was just here.
    package static let strangerKeptMilliseconds: Int64 = 600_000
    /// Without input, after which the user is announced as away.
    package static let awayMilliseconds: Int64 = 600_000
    /// The longest time for which a conversation is muted, unless until the user ends it.
    package static let muteMilliseconds: Int64 = 31_536_000_000
    /// How long a sign of typing is shown.
    package static let typingShownMilliseconds: Int64 = 3_000
    /// Between two signs of typing that are sent.
    package static let typingSentMilliseconds: Int64 = 500
    /// Ports that a node tries in order, from 4747 on, before it takes any: each further user of a computer gets the next one,
    /// and a firewall can let all of them in by one rule.
    package static let portsTried = 16
    /// The first wait after a dial that failed; it doubles.
    package static let backoffFirstMilliseconds: Int64 = 1_000
    /// The longest wait between dials.
    package static let backoffLongestMilliseconds: Int64 = 30_000
    /// Attempts to reach a node in sight that fail at once before the user is told: the first may be made while that node
    /// starts.
    package static let failuresTold = 2
    /// The wait after a refusal.
    package static let backoffRefusedMilliseconds: Int64 = 300_000
    /// How long a link must have been up for its end to be no failure.
    package static let lastingMilliseconds: Int64 = 10_000
    /// After a request was declined, during which further requests of the same peer are ignored.
    package static let declinedMilliseconds: Int64 = 86_400_000
    /// Two links between the same replicas that opened within this time are one simultaneous dial.
    package static let simultaneousMilliseconds: Int64 = 10_000
    /// The longest random wait before asking for a log that its author does not send.
    package static let healDelayMilliseconds: Int64 = 500
    /// Without progress, after which another peer is asked for a log.
    package static let healPatienceMilliseconds: Int64 = 5_000
    /// Pause between two reports of the breaches of one peer.
    package static let breachPauseMilliseconds: Int64 = 60_000
    /// Pause before a failed read of the store is tried again.
    package static let rereadMilliseconds: Int64 = 5_000
    /// Pause before work that nobody waits for is written again after a failed write.
    package static let rewriteMilliseconds: Int64 = 1_000
    /// How long rows that only save work after a restart wait for a batch to join.
    package static let lazyMilliseconds: Int64 = 20
    /// How long news of received events is gathered before peers other than the sender are told.
    package static let offerDelayMilliseconds: Int64 = 100
    /// How long receipts for an absent author are gathered before they are signed.
    package static let receiptDelayMilliseconds: Int64 = 2_000
    /// How long watermarks of others are gathered before they are handed on. In a large group each crosses a few
    /// members, and many go the same way.
    package static let handOnDelayMilliseconds: Int64 = 500
    /// After which a message is shown though something that it refers to is not here.
    package static let provisionalMilliseconds: Int64 = 60_000
    /// Events of a waiting log that are looked at for references to give up, in `provisionalMilliseconds`. Somebody who
    /// lets thousands of events wait would otherwise have all of them read each time.
    package static let givenUpEvents = 256
    /// How long a node waits for somebody to dial back, over all whom it asks.
    package static let dialBackMilliseconds: Int64 = 15_000
    /// Peers that are asked to dial back, until one has tried it.
    package static let dialBackPeers = 3
    /// How long a peer that is asked to dial back has before the next one is asked.
    package static let dialBackPatienceMilliseconds: Int64 = 5_000
    /// Between two times that a node dials back for the same peer.
    package static let dialBackPauseMilliseconds: Int64 = 60_000
    /// How far the clocks of two nodes may differ before users are told.
    package static let clockSkewMilliseconds: Int64 = 120_000
    /// How far ahead of its arrival a message's own time may be and still be shown.
    package static let aheadMilliseconds: Int64 = 86_400_000
    /// How long a prekey is given to others before there is a new one.
    package static let prekeyMilliseconds: Int64 = 86_400_000
    /// After a prekey was made, when what was sealed to it expires.
    package static let envelopeMilliseconds: Int64 = 604_800_000
    /// Of running time after a prekey was made, when its secret is erased. The wall clock may jump.
    package static let prekeyKeptMilliseconds: Int64 = 691_200_000
    /// After a recipient had no room for what is in an envelope, before it is handed over again: each try sends all of it.
    package static let handOverAgainMilliseconds: Int64 = 3_600_000
    /// How often a node that keeps prekeys writes down how long it has run.
    package static let runningTimeNotedMilliseconds: Int64 = 21_600_000
    /// After the deletion of somebody else's message was applied, how long its text is kept in case the deletion turns
    /// out void: about as long as members of an office are apart at most.
    package static let deletedTextMilliseconds: Int64 = 2_592_000_000
    /// How often the store is asked to drop the texts that have been kept that long.
    package static let sweepMilliseconds: Int64 = 3_600_000
    /// How long a link is up before prekeys are exchanged, and how long messages wait before couriers get them.
    package static let courierDelayMilliseconds: Int64 = 1_000
    /// How long a workspace's key still serves as the newest does after a rotation.
    package static let workspaceKeyServesMilliseconds: Int64 = 86_400_000
    /// How long a link with an old workspace key stays open for the peer's key to arrive.
    package static let workspaceKeyExchangeMilliseconds: Int64 = 10_000
    /// How long after a rotation a workspace's key is kept, so that absent members can get the newest.
    package static let workspaceKeyKeptMilliseconds: Int64 = 2_678_400_000
}
