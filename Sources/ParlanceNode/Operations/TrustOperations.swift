import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceStore
import ParlanceWire
import ParlanceWords

// Operations on trust: requests, blocks, safety numbers.

extension NodeOperations {
    static let trust: [any NodeOperation.Type] = [
        RequestsOperation.self, AcceptOperation.self, DeclineOperation.self, BlockOperation.self, UnblockOperation.self,
        VerifyOperation.self,
    ]
}

extension RequestsOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> RequestsReply {
        let views = try await node.ask(.listPeers, \.peers)
        let requests = views.compactMap { RequestEvent($0) }
        let declined = views.filter { $0.record.isDeclined && ($0.nearby || $0.connected) }.map {
            node.hub.person($0.record.id)
        }
        return RequestsReply(
            requests: requests.sorted { ($0.time.milliseconds, $0.peer) < ($1.time.milliseconds, $1.peer) },
            declined: declined.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
        )
    }
}

extension AcceptOperation: PeerCommandOperation {
    var command: Command { .accept(who: who) }
}

extension DeclineOperation: PeerCommandOperation {
    var command: Command { .decline(who: who) }
}

extension BlockOperation: PeerCommandOperation {
    var command: Command { .block(who: who) }
}

extension UnblockOperation: PeerCommandOperation {
    var command: Command { .unblock(who: who) }
}

extension VerifyOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> VerificationInfo {
        let view = try await node.ask(.find(who: who), \.peer)
        if let scanned {
            let finding = VerificationCode.compare(scanned, from: view.record.id, to: node.store.identity)
            if let error = ControlError(finding, view) { throw error }
        }
        // Scanning the right code proves as much as comparing the number.
        guard let confirm = scanned == nil ? confirm : true else { return try await node.number(of: view) }
        let change = try await node.ask(.verify(who: view.record.id.controlID, confirm), \.change)
        return try await node.number(of: change.now)
    }
}

extension LocalControl {
    /// The number takes thousands of hashes, so compute it neither in the engine nor on an event loop.
    fileprivate func number(of view: PeerView) async throws(ControlError) -> VerificationInfo {
        try await read { [own = store.identity] in
            let number = SafetyNumber(own, view.record.id)
            return VerificationInfo(
                peer: PeerInfo(view, now: .now()),
                number: number.groups.joined(separator: " "),
                code: VerificationCode.text(of: own, for: view.record.id)
            )
        }
    }
}

extension ControlError {
    /// Why a scanned text does not verify the peer; `nil` if it does.
    fileprivate init?(_ finding: VerificationCode.Finding, _ view: PeerView) {
        let name = view.displayName
        switch finding {
        case .same: return nil
        case .different:
            self.init(
                .notTheSame,
                Phrase(
                    """
                    This code was not made by \(name) for you: the identities are not the same. Somebody may stand \
                    between you and \(name), and read and change what you write to each other.
                    """
                ),
                advice:
                    Phrase(
                        """
                        Write nothing that matters. Make sure that it is \(name)'s own screen, and that it shows the code \
                        for you; if so, block this peer and meet \(name) in another network: \
                        parlance block \(view.record.id.prefix)
                        """
                    )
            )
        case .own:
            self.init(
                .notTheSame,
                Phrase("This is the code that you show yourself."),
                advice: Phrase("Scan the one on \(name)'s screen.")
            )
        case .foreign:
            self.init(
                .notTheSame,
                Phrase("This is not a verification code, or it is incomplete or from another version."),
                advice: Phrase(
                    "Give the text of the whole code, as \(name)'s \"\(Phrase(elsewhere: "parlance verify"))\" shows it."
                )
            )
        }
    }
}
