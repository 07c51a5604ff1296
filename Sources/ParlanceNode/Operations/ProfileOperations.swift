import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceProfile
import ParlanceSodium
import ParlanceStore
import ParlanceWords

// Operations on this node itself: its identity, passphrase, name and presence.

extension NodeOperations {
    static let profile: [any NodeOperation.Type] = [
        IDOperation.self, PassphraseOperation.self, NameOperation.self, PresenceOperation.self,
    ]
}

extension IDOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> IdentityInfo {
        IdentityInfo(id: node.store.identity.controlID, name: node.ownName)
    }
}

extension PassphraseOperation: NodeOperation {
    /// Runs one change of the passphrase at a time, since each takes a second and much memory.
    private static let changes = DispatchQueue(label: "parlance.control.passphrase")

    func perform(on node: LocalControl) async throws(ControlError) -> DoneReply {
        try await node.read(on: Self.changes) { try change(node.facts) }
    }

    private func change(_ facts: NodeFacts) throws(ControlError) -> DoneReply {
        if let new, let fault = PassphrasePrompt.fault(Array(new.utf8)) {
            let advice = Phrase("Nothing was changed. Several words that nobody would guess are good.")
            throw ControlError(.invalidValue, fault, advice: advice)
        }
        do throws(DaemonError) {
            let old = current.map { SecretBytes(copying: Array($0.utf8)) }
            let new = new.map { SecretBytes(copying: Array($0.utf8)) }
            try IdentityFile(in: facts.now.dataPath).change(from: old, to: new)
            facts.setProtected(new != nil)
            return DoneReply()
        } catch {
            throw ControlError(error)
        }
    }
}

extension NameOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> NameReply {
        let configured = node.host.configuredName
        func reply(_ name: String) -> NameReply {
            NameReply(name: name, configured: configured?.name == name ? nil : configured)
        }
        guard let name else { return reply(node.ownName) }
        var done = reply(try await node.ask(.setName(name), \.profile).record.name)
        ChosenName(in: node.facts.now.dataPath).note()
        let alike = node.hub.namesakes(of: done.name)
        done.namesakes = alike.isEmpty ? nil : alike
        return done
    }
}

extension PresenceOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> OwnPresence {
        let activity: Activity?
        switch state {
        case .online: activity = .online
        case .away: activity = .away
        case .busy: activity = .busy
        case nil: activity = nil
        case .offline: throw .staysOnline
        }
        return OwnPresence(try await node.ask(.setPresence(activity, text: text), \.profile))
    }
}

extension LocalControl {
    fileprivate var ownName: String { hub.name(of: store.identity) }
}

extension OwnPresence {
    init(_ profile: ProfileView) {
        let record = profile.record
        self.init(
            state: PresenceState(record.activity),
            text: record.statusText.isEmpty ? nil : record.statusText,
            away: profile.absence.map {
                AwayInfo(since: ControlTime(milliseconds: $0.since), reason: $0.isLocked ? .locked : .idle)
            }
        )
    }
}

extension UserSight {
    /// What a chat screen or page reports.
    init(_ report: IdleOperation, _ now: Moment) {
        self = report.idle ? .idle(since: Instant(wall: report.since?.milliseconds, now)) : .active
    }
}

extension ControlError {
    fileprivate static let staysOnline = ControlError(
        .invalidValue,
        "Presence cannot be set to offline while the daemon runs.",
        advice: "Use away or busy, or stop the daemon."
    )
}
