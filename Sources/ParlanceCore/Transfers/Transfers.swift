import ParlanceRecords
import ParlanceWire

/// Which files are wanted, and how they are fetched from others and served to them (files.md, "Asking").
///
/// - It owns what was decided about files, what is asked of peers and what peers ask on each link.
/// - It takes the user's decisions, what messages name, the frames of peers, and what the shelf reports.
/// - It returns no facts. Its methods that take frames throw the `Breach` that ends the link.
///
/// The bytes of files pass through it: from pieces to whole chunks for the shelf, and from the shelf to pieces.
struct Transfers: Equatable, Sendable {
    private(set) var rows: TransferRows
    /// The largest file that is fetched without being asked for; 0 if none is.
    private(set) var autoFetchBytes: UInt64
    private var autoFetchBudget = AutoFetchBudget()
    /// The files that may still be fetched.
    private(set) var fetches: [FileID: Fetch] = [:]
    /// Those that are being worked on; the oldest decision first.
    private(set) var active: [FileID] = []
    /// Those that wait for their turn or for somebody who has them.
    private(set) var queue: SortedSet<Turned> = []
    private(set) var lines: [LinkID: FileLine] = [:]
    /// What is here of files that peers have asked for and that are not fetched.
    private(set) var holdings: [FileID: Holding] = [:]
    private(set) var uploads = Uploads()
    /// The limits of sending and of fetching.
    private var sending = RateBucket()
    private var fetching = RateBucket()
    private var readers = ReadTurns()
    /// The link that was last asked for pieces: while a rate limits fetching, the next one comes first.
    private var lastAsked: LinkID?

    /// A file by its age.
    struct Turned: Hashable, Comparable, Sendable {
        var since: Int64
        var file: FileID

        static func < (a: Turned, b: Turned) -> Bool { (a.since, a.file) < (b.since, b.file) }
    }

    struct Holding: Equatable, Sendable {
        var shape: FileShape
        var set: ChunkSet
    }

    init(_ stored: TransferRows, autoFetchBytes: UInt64, rate: UInt64?, at now: Int64) {
        rows = stored
        self.autoFetchBytes = autoFetchBytes
        limit(rate, at: now)
        restore()
    }

    /// Begins with what was wanted before a start, or before a batch failed.
    func schedule(_ turn: inout Turn) {
        if !queue.isEmpty { turn.deadlines.advance(.files, to: turn.now.monotonic) }
    }

    // What was decided.

    /// The newest first.
    var records: [TransferRecord] { rows.inOrder }

    /// How far each file has come, the newest first.
    func views(at now: Int64) -> [TransferView] { records.map { view(of: $0, at: now) } }

    func view(of record: TransferRecord, at now: Int64) -> TransferView {
        guard record.state != .done else { return TransferView(record, bytes: record.size) }
        guard let fetch = fetches[record.file] else { return TransferView(record) }
        let rate = fetch.isActive ? fetch.meter.rate(fetch.bytes, at: now) : 0
        return TransferView(
            record,
            bytes: fetch.bytes,
            rate: rate,
            sources: fetch.givers,
            isUnderWay: fetch.isUnderWay
        )
    }

    mutating func setAutoFetch(_ bytes: UInt64) { autoFetchBytes = bytes }

    /// Returns to the rows on disk after a batch failed. Two things stay, and are written with a later batch: what was wanted
    /// without the user, as the message that names it is on the disk, and is not told again; and that a file could not be
    /// fetched, as it would be tried again and again on a disk that is full for both.
    ///
    /// - Parameter lost: the rows that were not written, in order.
    mutating func takeBack(_ durable: TransferRows, _ lost: [TransferRecord], _ turn: inout Turn) {
        turn.changed.files.formUnion(rows.files)
        turn.changed.files.formUnion(durable.files)
        rows = durable
        for record in lost where !record.isByHand && record.state == .wanted && rows[record.file] == nil {
            rows.set(record)
            turn.batch.rows.transfers.append(record)
        }
        let failed = lost.filter { $0.hasFailed && rows[$0.file]?.state == .wanted }
        for record in failed {
            rows.set(record)
            turn.batch.rows.transfers.append(record)
        }
        restore()
        for record in failed { tell(record, &turn) }
    }

    /// Makes `fetches` follow from the rows.
    private mutating func restore() {
        (active, queue) = ([], [])
        var kept: [FileID: Fetch] = [:]
        for record in rows.inOrder where record.isOpen {
            guard let shape = try? FileShape(size: record.size) else {
                broken("a file that may be fetched has a valid size")
                continue
            }
            var fetch = Fetch(shape)
            if let before = fetches[record.file], before.shape == shape { fetch = before }
            fetch.rest(until: .min)
            kept[record.file] = fetch
            if record.state == .wanted || fetch.stage == .unseen { queue.insert(Turned(record)) }
        }
        fetches = kept
    }

    /// What the links of a peer hold. What is put together for this node is bounded as a whole.
    func cost(of links: Set<LinkID>) -> PeerCost { links.reduce(.nothing) { $0 + (lines[$1]?.cost ?? .nothing) } }

    /// Stores a row and tells people, once it is durable.
    mutating func save(_ record: TransferRecord, _ turn: inout Turn) {
        let dropped = rows.set(record)
        turn.changed.files.formUnion([record.file, dropped].compactMap(\.self))
        turn.batch.rows.transfers.append(record)
        turn.whenDurable(.effect(.notify(.transfer(view(of: record, at: turn.now.monotonic)))))
    }

    /// Tells people how far a file has come.
    func tell(_ record: TransferRecord, _ turn: inout Turn) {
        turn.changed.files.insert(record.file)
        turn.emit(.notify(.transfer(view(of: record, at: turn.now.monotonic))))
    }

    // The state of each part, for the files of this room.

    @discardableResult
    mutating func change<T>(_ file: FileID, _ body: (inout Fetch) -> T) -> T? {
        guard let place = fetches.index(forKey: file) else { return nil }
        return body(&fetches.values[place])
    }

    @discardableResult
    mutating func change<T>(_ link: LinkID, _ body: (inout FileLine) -> T) -> T? {
        guard let place = lines.index(forKey: link) else { return nil }
        return body(&lines.values[place])
    }

    mutating func set(_ file: FileID, _ fetch: Fetch?) { fetches[file] = fetch }

    mutating func set(_ file: FileID, _ holding: Holding?) { holdings[file] = holding }

    mutating func begin(_ line: FileLine, on link: LinkID) {
        if lines[link] == nil { lines[link] = line }
    }

    /// Drops a link.
    mutating func drop(_ link: LinkID) {
        lines[link] = nil
        readers.drop(link)
    }

    mutating func activate(_ turned: Turned) {
        queue.remove(turned)
        active.append(turned.file)
        active.sort { (rows[$0]?.since ?? 0, $0) < (rows[$1]?.since ?? 0, $1) }
    }

    /// Ends the work on a file for now.
    mutating func deactivate(_ file: FileID) { active.removeAll { $0 == file } }

    mutating func enqueue(_ record: TransferRecord) { queue.insert(Turned(record)) }

    mutating func dequeue(_ record: TransferRecord) { queue.remove(Turned(record)) }

    /// - Returns: whether a file of this size may be fetched in this hour without being asked for; then it counts.
    mutating func takeBudget(_ size: UInt64, at now: Int64) -> Bool { autoFetchBudget.take(size, at: now) }

    // The rate.

    mutating func limit(_ bytes: UInt64?, at now: Int64) {
        sending.set(bytes, at: now)
        fetching.set(bytes, at: now)
    }

    /// The number of pieces that may be asked for now.
    mutating func fetchablePieces(at now: Int64) -> Int { fetching.pieces(at: now) }

    mutating func nextFetching(at now: Int64) -> Int64 { fetching.nextMoment(at: now) }

    mutating func noteFetching(_ bytes: UInt64, on link: LinkID) {
        fetching.take(bytes)
        lastAsked = link
    }

    /// The links in the order in which they are asked. While a rate limits fetching, each of them comes first in turn.
    var linksInTurn: [LinkID] {
        let links = lines.keys.sorted()
        guard fetching.isLimited, let last = lastAsked else { return links }
        return links.filter { $0 > last } + links.filter { $0 <= last }
    }

    var isFetchingLimited: Bool { fetching.isLimited }

    /// The number of pieces that may be sent now.
    mutating func sendablePieces(at now: Int64) -> Int { sending.pieces(at: now) }

    mutating func nextSending(at now: Int64) -> Int64 { sending.nextMoment(at: now) }

    mutating func noteSending(_ bytes: UInt64) { sending.take(bytes) }

    /// Whether one more reader can wait for pieces.
    var hasTurn: Bool { readers.count < sending.turns }
    var hasReaders: Bool { !readers.isEmpty }

    /// The most pieces that the next reader may take.
    var piecesInTurn: Int { sending.share(of: readers.count) }

    mutating func wait(_ reader: ReadTurns.Reader) { readers.add(reader) }

    mutating func waitsNoMore(_ reader: ReadTurns.Reader) { readers.remove(reader) }

    mutating func takeReader() -> ReadTurns.Reader? { readers.takeFirst() }

    /// Removes and returns the readers that would wait too long.
    mutating func takeSurplusReaders() -> [ReadTurns.Reader] { readers.takeSurplus(over: sending.turns) }

    mutating func noteUpload(_ view: UploadView, isEnd: Bool, _ turn: inout Turn) {
        uploads.note(view, isEnd: isEnd, &turn)
    }

    mutating func endUpload(_ file: FileID, _ peer: PeerID, _ trouble: UploadView.Trouble, _ turn: inout Turn) {
        uploads.end(file, peer, trouble, &turn)
    }
}

extension Transfers.Turned {
    init(_ record: TransferRecord) { self.init(since: record.since, file: record.file) }
}

extension TransferRecord {
    /// Whether it may still be fetched: what is here of it is kept.
    var isOpen: Bool { !state.isSettled }
    var hasFailed: Bool { if case .failed = state { true } else { false } }
}
