import ParlanceWire

/// The pictures of people: this user's own, and those of others (contacts.md, "Pictures").
///
/// - It owns this user's picture, which pictures of others are on the disk, which are asked for, and how many have come
///   and gone lately.
/// - It takes what the user chooses, and what peers announce, ask for and send.
/// - It returns no facts. The engine says who may see a picture.
///
/// A picture counts once it is on the disk. So nothing has to be taken back if a batch fails: then all links close, and on
/// the next ones everything is announced and asked for again.
struct Pictures: Equatable, Sendable {
    private(set) var own: SignedPicture?
    private var marks: [PeerID: PictureMark] = [:]
    private var questions: [PeerID: Question] = [:]
    private var taken = HourlyCount(limit: Limits.picturesTaken)
    private var given = HourlyCount(limit: Limits.picturesGiven)

    /// What a peer was asked for. There is one question for each peer.
    private struct Question: Equatable {
        var id: PictureID
        var link: LinkID
        /// Whether it has come, and is being written.
        var isAnswered = false
    }

    init(own: SignedPicture?, _ marks: [PictureMark]) {
        self.own = own
        for mark in marks { self.marks[mark.peer] = mark }
    }

    /// The picture of a peer that is here.
    subscript(peer: PeerID) -> PictureMark? { marks[peer] }

    /// Those of others, in the order of their IDs.
    var inOrder: [PictureMark] { marks.values.sorted { $0.peer < $1.peer } }

    var questionCount: Int { questions.count }

    // The user's own.

    /// Chooses a picture, or removes it.
    mutating func choose(_ content: [UInt8]?, _ id: CommandID, _ turn: inout Turn) {
        guard content.map({ (1...Limits.pictureBytes).contains($0.count) }) ?? true else {
            return turn.refuse(id, .text(.pictureSize))
        }
        let made = UInt64(max(0, turn.now.wall))
        let chosen = content.map { SignedPicture($0, of: turn.own.identity, made: made, with: turn.own.signer) }
        write(PictureRecord(peer: turn.own.identity, picture: chosen), &turn)
        turn.whenDurable(.answer(id, .done))
        turn.whenDurable(.announce)
    }

    /// The picture to send to a peer that asks for it and may see it; `nil` if it is another one by now, or if the peer
    /// has been given enough lately.
    mutating func wanted(_ id: PictureID, by peer: PeerID, at now: Int64) -> SignedPicture? {
        guard let own, own.id == id, given.hasRoom(for: peer, at: now) else { return nil }
        given.add(peer, at: now)
        return own
    }

    // Those of others.

    /// Takes which picture a peer has, as it announces.
    ///
    /// - Returns: the picture to ask for.
    mutating func announced(_ id: PictureID?, by peer: PeerID, on link: LinkID, _ turn: inout Turn) -> PictureID? {
        guard let id else {
            if marks[peer] != nil || questions[peer]?.isAnswered == true { erase(peer, &turn) }
            questions[peer] = nil
            return nil
        }
        let question = questions[peer]
        guard marks[peer]?.id != id, question?.id != id, taken.hasRoom(for: peer, at: turn.now.monotonic) else {
            return nil
        }
        invariant(marks[peer]?.id != id, "a picture that is here is not asked for")
        questions[peer] = Question(id: id, link: link)
        return id
    }

    /// Whether a picture that comes on a link was asked for there.
    func isAwaited(from peer: PeerID, on link: LinkID) -> Bool {
        questions[peer].map { $0.link == link && !$0.isAnswered } ?? false
    }

    /// Takes a picture that was asked for. Another one than that has no effect.
    mutating func received(_ picture: SignedPicture, from peer: PeerID, _ turn: inout Turn) throws(Breach) {
        guard questions[peer]?.id == picture.id else { return }
        taken.add(peer, at: turn.now.monotonic)
        guard picture.isSigned(by: peer) else { throw .pictureSignature }
        questions[peer]?.isAnswered = true
        write(PictureRecord(peer: peer, picture: picture), &turn)
    }

    mutating func linkClosed(_ link: LinkID) {
        questions = questions.filter { $0.value.link != link }
    }

    /// Erases the picture of a peer that shows none any more, or is to have none here; also one that is on its way to the
    /// disk, or is damaged there.
    mutating func erase(_ peer: PeerID, _ turn: inout Turn) {
        questions[peer] = nil
        write(PictureRecord(peer: peer, picture: nil), &turn)
    }

    private mutating func write(_ record: PictureRecord, _ turn: inout Turn) {
        turn.batch.rows.pictures.append(record)
        turn.batch.byteCount += record.picture?.content.count ?? 0
        turn.batch.isUrgent = true
    }

    /// Takes what is on the disk now.
    ///
    /// - Returns: the peers whose pictures are others than before, in order.
    mutating func persisted(_ rows: [PictureRecord], _ identity: PeerID) -> [PeerID] {
        let before = marks
        invariant(marks[identity] == nil, "the user's own picture is none of the others'")
        for row in rows where row.peer == identity { own = row.picture }
        for row in rows where row.peer != identity {
            marks[row.peer] = row.picture.map { PictureMark(peer: row.peer, id: $0.id, made: $0.made) }
            if let question = questions[row.peer], question.id == row.picture?.id { questions[row.peer] = nil }
        }
        return Set(rows.map(\.peer)).filter { before[$0] != marks[$0] }.sorted()
    }
}
