import Dispatch
import ParlanceControl
import ParlanceCore
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
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<RequestsReply>) {
        node.give(.listPeers, \.peers, reply) { views in
            let requests = views.compactMap { RequestEvent($0) }
            return RequestsReply(
                requests: requests.sorted { ($0.time.milliseconds, $0.peer) < ($1.time.milliseconds, $1.peer) }
            )
        }
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
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<VerificationInfo>) {
        node.ask(.find(who: who), \.peer, reply) { view in
            if let scanned {
                let finding = VerificationCode.compare(scanned, from: view.record.id, to: node.store.identity)
                if let error = ControlError(finding, view) { return reply(.failure(error)) }
            }
            // Scanning the right code proves as much as comparing the number.
            guard let confirm = scanned == nil ? confirm : true else { return node.tellNumber(view, reply) }
            let who = view.record.id.controlID
            node.ask(.verify(who: who, confirm), \.change, reply) { node.tellNumber($0.now, reply) }
        }
    }
}

extension LocalControl {
    /// The number takes thousands of hashes, so compute it neither in the engine nor on an event loop.
    fileprivate func tellNumber(_ view: PeerView, _ reply: @escaping Completion<VerificationInfo>) {
        reader.async { [own = store.identity] in
            let number = SafetyNumber(own, view.record.id)
            let info = VerificationInfo(
                peer: PeerInfo(view, now: .now()),
                number: number.groups.joined(separator: " "),
                code: VerificationCode.text(of: own, for: view.record.id)
            )
            reply(.success(info))
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
                Phrase("This is no verification code, a code of another version, or not the whole of it."),
                advice: Phrase("Give the text of the whole code, as \(name)'s \"parlance verify\" shows it.")
            )
        }
    }
}
