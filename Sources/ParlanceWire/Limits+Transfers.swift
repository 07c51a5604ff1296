// The limits of sending and fetching files.
extension Limits {
    /// Bytes of a piece of a file: small, so that a message waits behind little.
    package static let pieceBytes = 32 * 1024
    /// Consecutive pieces that one frame asks for.
    package static let piecesPerWant = 8
    /// Pieces that a link is asked for at once at least, so that one is on its way while one is read. While messages pass on
    /// it there are no more: they would wait behind them.
    package static let leastPieceWindow = 2
    /// Pieces that a link is asked for at once at most: 1 MiB, which fits beside a window of events into what a link buffers.
    package static let pieceWindow = 32
    /// How long after a message, a receipt or a sign of typing a link counts as one on which messages pass: longer than
    /// between two signs of typing, so that pieces make room before the message is written.
    package static let talkMilliseconds: Int64 = 1_000
    /// Pieces that a peer may have asked for and not got on a link: two windows, since those of a file that has ended may
    /// still be read.
    package static let piecesOwed = 64
    /// Bytes of chunks that are being put together in memory; one that is larger is put together alone.
    package static let assemblyBytes = 16 * 1024 * 1024
    /// Files that are worked on at once, and that a link serves at once.
    package static let filesAtOnce = 64
    /// Files that peers have fetched from here and that are kept in memory, for people to see.
    package static let uploadsShown = 1_000
    /// How often those who have a file may fail before it is fetched only by hand.
    package static let fileTries: UInt8 = 3
    /// How long a piece may wait in a queue before less is asked for: people do not notice it before a message.
    package static let pieceDelayMilliseconds: Int64 = 20
    /// Between two times that a peer is told what is here of a file.
    package static let fileNewsMilliseconds: Int64 = 250
    /// Without anything to ask a peer for, after which it is asked for what others could give: two times the news are told.
    package static let filePatienceMilliseconds: Int64 = 500
    /// After those who may have a file are asked, before those who have it whole send it: who begins at the same time is known by then.
    package static let fileSettleMilliseconds: Int64 = 200
    /// After a peer has told that it has nothing of a file, before it is asked again.
    package static let fileAskAgainMilliseconds: Int64 = 60_000
    /// That pause doubles while nobody has a file, up to this.
    package static let fileAskRarelyMilliseconds: Int64 = 3_600_000
    /// How long a file is served before it is looked up again whether a message still names it.
    package static let fileCheckMilliseconds: Int64 = 60_000
    /// Without a piece, after which a peer that was asked counts as one that has stopped sending.
    package static let fileStallMilliseconds: Int64 = 10_000
    /// How long such a peer is not asked for the file.
    package static let fileStalledMilliseconds: Int64 = 60_000
    /// After the first time that everybody who has a file has failed, before it is tried again.
    package static let fileFirstPauseMilliseconds: Int64 = 60_000
    /// After the second time.
    package static let fileSecondPauseMilliseconds: Int64 = 300_000
    /// Between two times that people are told how far a file has come.
    package static let progressMilliseconds: Int64 = 1_000
    /// Bytes of a file that is fetched without being asked for, by default: a picture or a document.
    package static let autoFetchBytes: UInt64 = 10_485_760
    /// Bytes that are fetched in an hour without being asked for: what a group sends in a busy hour, and no disk in a day.
    package static let autoFetchHourBytes: UInt64 = 1_073_741_824
    /// The least rate, in bytes a second, to which sending or fetching files can be limited: two pieces.
    package static let leastFileRate: UInt64 = 65_536
    /// How much such a rate lets gather while nothing passes. More would make a long queue when it passes at once.
    package static let fileRateBurstMilliseconds: Int64 = 250
    /// How much gathers before the next pieces pass, so that a high rate does not wake the node for each piece.
    package static let fileRatePauseMilliseconds: Int64 = 50
    /// The time in which each peer that waits for pieces gets one while sending is limited: half of the time to stall.
    package static let fileTurnMilliseconds: Int64 = 5_000
    /// Files that are wanted and not here: more are not fetched without being asked for, and the user is refused.
    package static let transfers = 10_000
    /// Those among them that the user did not ask for: names of files that nobody has leave room for what the user wants.
    package static let autoTransfers = 1_000
    /// Files fetched lately that are kept in memory, for people to see.
    package static let finishedTransfers = 1_000
    /// Offered files that are looked at at a start, to fetch those that need no decision.
    package static let offersAtStart = 1_000
}
