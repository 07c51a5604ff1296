import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceSodium
import ParlanceWire

// The workspace: who shares a key.
extension LocalControl {
    func handleWorkspace(_ request: ControlRequest, _ reply: @escaping Reply) {
        switch request {
        case .workspaceShow: workspace(.show, reply)
        case .workspaceCreate(let create):
            workspace(.join(name: create.name, WorkspaceKey(secret: SecretBytes(randomCount: 32))), reply)
        case .workspaceJoin(let join): self.join(join, reply)
        case .workspaceLeave: workspace(.leave, reply)
        case .workspaceRotate(let rotate):
            let key = WorkspaceKey(secret: SecretBytes(randomCount: 32))
            workspace(.rotate(key, without: rotate.without ?? []), reply)
        default: reply(.failure(.defect))
        }
    }

    private func workspace(_ command: WorkspaceCommand, _ reply: @escaping Reply) {
        learnPeople()
        give(.workspace(command), reply) { [newsroom] answer in
            guard case .workspace(let view) = answer else { return nil }
            return .workspace(WorkspaceReply(workspace: view.map { WorkspaceInfo($0, newsroom) }))
        }
    }

    private func join(_ request: WorkspaceJoinRequest, _ reply: @escaping Reply) {
        if let name = request.name, let passphrase = request.passphrase, request.code == nil {
            return join(name, passphrase: passphrase, reply)
        }
        guard let typed = request.code, request.passphrase == nil else { return reply(.failure(.noCode)) }
        guard let code = InvitationCode(text: typed) else { return reply(.failure(.wrongCode)) }
        let named = request.name ?? (code.name.isEmpty ? Self.unnamed : code.name)
        workspace(.join(name: named, code.key), reply)
    }

    /// Everybody who gives the same name and passphrase has the same key.
    private func join(_ name: String, passphrase: String, _ reply: @escaping Reply) {
        guard !passphrase.isEmpty else { return reply(.failure(.noCode)) }
        if let fault = PassphrasePrompt.fault(Array(passphrase.utf8)) {
            let advice = "Nothing was changed. All who are to be in it agree on several words that nobody would guess."
            return reply(.failure(ControlError(.invalidValue, fault, advice: advice)))
        }
        // It takes most of a second, so neither the node's queue nor an event loop waits for it.
        reader.async { [self] in
            do throws(SodiumError) {
                workspace(.join(name: name, try WorkspaceKey(name: name, passphrase: passphrase)), reply)
            } catch {
                let advice = "Close other programs, or join by the invitation code: it needs no memory."
                reply(.failure(ControlError(.busy, "There is not enough memory to make a key of it.", advice: advice)))
            }
        }
    }

    /// What a workspace is called whose code was given without its name.
    private static let unnamed = "workspace"
}

extension WorkspaceInfo {
    fileprivate init(_ view: WorkspaceView, _ newsroom: Newsroom) {
        let byName = { (peers: [PeerID]) in
            peers.map { newsroom.person($0) }.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
        }
        self.init(
            name: view.name,
            code: InvitationCode(name: view.name, secret: view.key.secret).text,
            number: view.key.number,
            connected: byName(view.connected),
            removed: byName(view.removed)
        )
    }
}

extension ControlError {
    fileprivate static let wrongCode = ControlError(
        .invalidValue,
        "This is no invitation code: a character is missing or wrong.",
        advice: "Copy it whole: the 7 groups of 8 characters that \"parlance workspace create\" printed."
    )
    fileprivate static let noCode = ControlError(
        .invalidValue,
        "It takes either an invitation code, or a name and a passphrase.",
        advice: "Ask a member for the code: parlance workspace show --code"
    )
}
