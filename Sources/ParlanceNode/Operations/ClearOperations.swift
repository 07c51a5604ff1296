import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceRecords
import ParlanceStore
import ParlanceWire

// Operations that take a conversation out of this computer, or out of the list; and what takes room.

extension NodeOperations {
    static let clearing: [any NodeOperation.Type] = [
        ConversationClearOperation.self, ConversationDeleteOperation.self, ConversationHideOperation.self,
        ConversationShowOperation.self, DiskOperation.self,
    ]
}

extension ConversationClearOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ClearReply {
        try await node.clear(who, deletes: false)
    }
}

extension ConversationDeleteOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ClearReply {
        try await node.clear(who, deletes: true)
    }
}

extension ConversationHideOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        try await node.change(who, .unlist(.hidden))
    }
}

extension ConversationShowOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        try await node.change(who, .unlist(nil))
    }
}

extension DiskOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> DiskReply {
        _ = try await node.places()
        return try await node.read { node.disk(try node.store.usage()) }
    }
}

extension LocalControl {
    fileprivate func clear(_ who: String, deletes: Bool) async throws(ControlError) -> ClearReply {
        let (conversation, preference) = try await ask(.clear(who: who, deletes: deletes), \.preference)
        // What waits is found by the engine's view of the conversation.
        let places = try await places().filter { $0.conversation == conversation.id }
        let waiting = try await read { [self] in try waitingCount(places) }
        return ClearReply(
            conversation: conversation.id.text,
            kind: conversation.kind == .group ? .group : .direct,
            title: title(of: conversation),
            trust: trust(in: conversation),
            waiting: waiting,
            hidden: preference.unlisted == nil ? nil : true
        )
    }

    fileprivate func disk(_ usage: StoreUsage) -> DiskReply {
        let files = self.files.shelf.usage()
        var sizes: [FileID: UInt64] = [:]
        let entries = usage.places.map { entry($0, &sizes) }
        return DiskReply(
            conversations: entries.sorted { ($0.bytes, $1.conversation) > ($1.bytes, $0.conversation) },
            files: files.wholeBytes,
            unfinished: files.partBytes,
            search: usage.searchBytes,
            pictures: usage.pictureBytes,
            envelopes: usage.envelopeBytes,
            envelopeCount: usage.envelopes,
            store: usage.bytes,
            storeFree: usage.freeBytes,
            reserve: usage.reserveBytes,
            free: try? self.files.shelf.free()
        )
    }

    private func entry(_ place: StoreUsage.Place, _ sizes: inout [FileID: UInt64]) -> DiskEntry {
        let held = place.files.map { file in
            let bytes = sizes[file] ?? files.shelf.bytes(of: file)
            sizes[file] = bytes
            return bytes
        }
        return DiskEntry(
            conversation: place.record.id.text,
            kind: place.record.kind == .group ? .group : .direct,
            title: title(of: place.record),
            trust: trust(in: place.record),
            hidden: hub.preference(of: place.record.id).unlisted == nil ? nil : true,
            messages: place.messages,
            messageBytes: place.bytes,
            files: held.count { $0 > 0 },
            fileBytes: held.reduce(0, +)
        )
    }

    private func title(of conversation: ConversationRecord) -> String {
        if case .direct(let peer) = conversation.kind { return hub.name(of: peer) }
        return hub.title(of: conversation.id) ?? ""
    }

    private func trust(in conversation: ConversationRecord) -> ParlanceControl.Trust? {
        if case .direct(let peer) = conversation.kind { hub.trust(of: peer) } else { nil }
    }
}
