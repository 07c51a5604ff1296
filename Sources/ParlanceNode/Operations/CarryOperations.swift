import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceStore
import ParlanceWire
import ParlanceWords

// A stick between nodes: the files of parcels (protocol/carry.md).

extension NodeOperations {
    static let carry: [any NodeOperation.Type] = [
        CarryFilesOperation.self, CarryChooseOperation.self, CarryPackOperation.self, CarryTakeOperation.self,
    ]
}

extension CarryFilesOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> CarryFilesReply {
        // Refused for those with whom nothing is exchanged.
        let peer = try await node.ask(.carriage(who: who), \.carriage).peer
        let (own, slots) = (node.store.identity, 0..<Limits.parcelSlots)
        return CarryFilesReply(
            peer: node.hub.person(peer),
            outgoing: slots.map { WireParcel.name(from: own, to: peer, slot: $0) },
            incoming: slots.map { WireParcel.name(from: peer, to: own, slot: $0) },
            bytes: Limits.parcelBytes,
            sealed: (0..<Limits.sealedFileSlots).map { CarriedFile.name(from: own, to: peer, slot: $0) }
        )
    }
}

extension CarryPackOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> CarryPackReply {
        guard (0..<Limits.parcelSlots).contains(slot), let start = ParcelRequest.Start(after: after) else {
            throw .badParcelRequest
        }
        // What is no file of ours is replaced, whatever it says.
        let file = existing.map { Hex.bytes($0) ?? [] }
        let carried = (files ?? []).compactMap { CarriedFile($0) }
        guard carried.count == files?.count ?? 0, carried.count <= Limits.sealedFileSlots,
            Set(carried.map(\.slot)).count == carried.count
        else { throw .badSealedFiles }
        let request = ParcelRequest(who: who, slot: slot, start: start, existing: file, files: carried)
        return CarryPackReply(try await node.ask(.pack(request), \.packed))
    }
}

extension CarryTakeOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> CarryTakeReply {
        guard (0..<Limits.parcelSlots).contains(slot), let bytes = Hex.bytes(file) else { throw .badParcelRequest }
        let taken = try await node.ask(.takeParcel(bytes, slot: slot, from: who), \.taken)
        var done = CarryTakeReply(taken)
        guard !taken.files.isEmpty else { return done }
        // Only what the parcel brought is durable now, and so named.
        let peer = try await node.ask(.find(who: who), \.peer).record.id
        done.files = try await node.read { try node.wanted(taken.files, from: peer) }
        return done
    }
}

extension ControlError {
    fileprivate static let badParcelRequest = ControlError(
        .invalidValue,
        Phrase("There is no such slot, or the bytes of the file are not in hexadecimal digits."),
        advice: Phrase("Give a slot from 0 to \(Limits.parcelSlots - 1), and what the previous reply named.")
    )
    fileprivate static let badSealedFiles = ControlError(
        .invalidValue,
        Phrase("One of the sealed files has no valid ID, size, key or slot, or two have the same slot."),
        advice: Phrase(
            "Give what carry.choose named, each with a slot from 0 to \(Limits.sealedFileSlots - 1) of its own."
        )
    )
}

extension ParcelRequest.Start {
    /// Reads what an earlier reply named as the next; `nil` if none did.
    fileprivate init?(after: String?) {
        switch after {
        case nil: self = .first
        case CarryPackReply.end: self = .end
        case let text?:
            guard let cursor = Hex.bytes(text).flatMap({ ParcelCursor($0) }) else { return nil }
            self = .after(cursor)
        }
    }

    /// As a reply names it; `nil` for the first parcel.
    fileprivate var text: String? {
        switch self {
        case .first: nil
        case .end: CarryPackReply.end
        case .after(let cursor): Hex.text(cursor.bytes)
        }
    }
}

extension CarryPackReply {
    fileprivate init(_ packed: PackedParcel) {
        let (action, file): (Action, [UInt8]?) =
            switch packed.action {
            case .write(let bytes): (.write, bytes)
            case .keep: (.keep, nil)
            case .leave: (.leave, nil)
            case .remove: (.remove, nil)
            case .none: (.none, nil)
            }
        self.init(
            action: action,
            file: file.map { Hex.text($0) },
            next: packed.next.text,
            messages: packed.messages,
            sealed: packed.isSealed
        )
    }
}

extension CarryTakeReply {
    fileprivate init(_ taken: TakenParcel) {
        let outcome: Outcome =
            switch taken.outcome {
            case .taken: .taken
            case .damaged: .damaged
            case .keysOnly: .keysOnly
            case .unreadable: .unreadable
            }
        self.init(
            outcome: outcome,
            messages: taken.messages,
            changes: taken.changes,
            receipts: taken.receipts,
            problems: taken.problems.map { Problem($0) }
        )
    }
}

extension CarryTakeReply.Problem {
    fileprivate init(_ problem: TakenParcel.Problem) {
        self =
            switch problem {
            case .gap: .gap
            case .forked: .forked
            case .uninvited: .uninvited
            case .refused: .refused
            }
    }
}
