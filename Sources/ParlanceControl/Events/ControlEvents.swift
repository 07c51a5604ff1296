/// Every kind of event.
package enum ControlEvents {
    package static let all: [any ControlEvent.Type] = [
        MessageEvent.self, NoteEvent.self, ChangedEvent.self, WithdrawnEvent.self, RemovedEvent.self,
        GroupInfo.self, StatusEvent.self,
        ReachedEvent.self, FailedEvent.self, PeerInfo.self, PresenceEvent.self, TypingEvent.self, RequestEvent.self,
        PreferenceInfo.self, DiscoveryInfo.self, FileEvent.self, UploadEvent.self, WorkspaceEvent.self,
        AnswerEvent.self,
        StoppingEvent.self, LaggedEvent.self,
    ]

    /// Reads the `data` of an event; nil if this version knows no such kind.
    package static func read(_ kind: String, _ data: JSON) throws -> (any ControlEvent)? {
        guard let type = all.first(where: { $0.kind.rawValue == kind }) else { return nil }
        return try JSONValueDecoder.decode(type, from: data, name: "data", strict: false)
    }
}
