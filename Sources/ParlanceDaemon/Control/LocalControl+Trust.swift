import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceStore
import ParlanceWire

// Whom one talks to: requests, blocks, safety numbers.
extension LocalControl {
    func handleTrust(_ request: ControlRequest, _ reply: @escaping Reply) {
        switch request {
        case .requests: requests(reply)
        case .accept(let who): changePeer(.accept(who: who.who), who.who, reply)
        case .decline(let who): changePeer(.decline(who: who.who), who.who, reply)
        case .block(let who): changePeer(.block(who: who.who), who.who, reply)
        case .unblock(let who): changePeer(.unblock(who: who.who), who.who, reply)
        case .verify(let verify): self.verify(verify, reply)
        default: reply(.failure(.defect))
        }
    }

    private func requests(_ reply: @escaping Reply) {
        give(.listPeers, reply) { answer in
            guard case .peers(let views) = answer else { return nil }
            let requests = views.compactMap { RequestEvent($0) }
            let sorted = requests.sorted { ($0.time.milliseconds, $0.peer) < ($1.time.milliseconds, $1.peer) }
            return .requests(RequestsReply(requests: sorted))
        }
    }

    private func verify(_ request: VerifyRequest, _ reply: @escaping Reply) {
        inbox.offer(.find(who: request.who)) { [self] found in
            guard case .success(.peer(let view)) = found else { return give(found, reply) { _ in nil } }
            if let scanned = request.scanned {
                let finding = VerificationCode.compare(scanned, from: view.record.id, to: store.identity)
                if let error = ControlError(finding, view) { return reply(.failure(error)) }
            }
            // Scanning the right code says as much as having compared the number.
            guard let confirm = request.scanned == nil ? request.confirm : true else {
                return tellNumber(view, reply)
            }
            let who = view.record.id.controlID
            inbox.offer(.verify(who: who, confirm)) { [self] result in
                if case .failure = result { return give(result, reply) { _ in nil } }
                inbox.offer(.find(who: who)) { [self] found in
                    guard case .success(.peer(let view)) = found else { return give(found, reply) { _ in nil } }
                    tellNumber(view, reply)
                }
            }
        }
    }

    /// The number takes thousands of hashes, so neither the engine nor an event loop waits for it.
    private func tellNumber(_ view: PeerView, _ reply: @escaping Reply) {
        reader.async { [own = store.identity] in
            let number = SafetyNumber(own, view.record.id)
            let info = VerificationInfo(
                peer: PeerInfo(view, now: .now()),
                number: number.groups.joined(separator: " "),
                code: VerificationCode.text(of: own, for: view.record.id)
            )
            reply(.success(.verification(info)))
        }
    }
}

extension ControlError {
    /// Why a scanned text verifies nobody; `nil` if it does.
    fileprivate init?(_ finding: VerificationCode.Finding, _ view: PeerView) {
        let name = view.displayName
        switch finding {
        case .same: return nil
        case .different:
            self.init(
                .notTheSame,
                "This code was not made by \(name) for you: the identities are not the same. Somebody may stand between "
                    + "you and \(name), and read and change what you write to each other.",
                advice:
                    "Write nothing that matters. Make sure that it is \(name)'s own screen, and that it shows the code "
                    + "for you; if so, block this peer and meet \(name) in another network: parlance block "
                    + view.record.id.prefix
            )
        case .own:
            self.init(
                .notTheSame,
                "This is the code that you show yourself.",
                advice: "Scan the one on \(name)'s screen."
            )
        case .foreign:
            self.init(
                .notTheSame,
                "This is no verification code, a code of another version, or not the whole of it.",
                advice: "Give the text of the whole code, as \(name)'s \"parlance verify\" shows it."
            )
        }
    }
}
