import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Programs of different versions that meet.
extension SimulatedWorld {
    /// Appends an event of an unknown kind to the log of a node that is down, with an additional field in the header.
    ///
    /// - Returns: whether its disk accepted it.
    func writeLaterKind(in conversation: ConversationID, of index: Int) -> Bool {
        let node = nodes[index]
        let key = LogKey(conversation, LogID(author: node.identity, replica: node.replica))
        let position = node.disk.position(of: key)
        guard !node.isUp, node.disk.logs[key]?.signedThrough ?? .start == position,
            node.disk.branches(below: key).isEmpty
        else { return false }
        let isFirst = position.sequence == 0
        let wall = instant(of: index).wall
        let time = EventTime(wallMilliseconds: wall, after: node.disk.logs[key]?.events.last?.header.time)
        let body = Array("later".utf8)
        let header = EventHeader(
            conversation: conversation,
            log: key.log,
            sequence: position.sequence + 1,
            previous: isFirst ? nil : position.head,
            time: time,
            dependencies: [],
            kind: .unknown(77),
            bodyHash: Bytes32(hashingBody: body),
            behind: time.lead(overWall: wall)
        )
        let bytes = header.encoded() + Self.laterField
        let id = EventID(hashing: bytes)
        let signature = HeadSeal.sign(id, with: node.signer)
        var batch = PersistBatch(id: BatchID(nextNumber()))
        batch.events = [StoredEvent(id: id, header: header, headerBytes: bytes, body: body, signature: signature)]
        return makeDurable(batch, on: index) != nil
    }
}

extension WireFrame {
    /// Whether an older program ignores it: couriers, dialling back and addresses were added last.
    var isOfLaterKind: Bool {
        switch kind {
        case .prekeys, .deposit, .deposited, .handOver, .taken, .dialBack, .dialedBack, .addresses: true
        case .full, .fileAsk, .fileHeld, .fileStop, .fileWant, .filePiece, .pictureWanted, .picture: true
        default: false
        }
    }
}
