import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import ParlanceWords

// Operations on the workspace: the nodes that share a key.

extension NodeOperations {
    static let workspace: [any NodeOperation.Type] = [
        WorkspaceCreateOperation.self, WorkspaceJoinOperation.self, WorkspaceShowOperation.self,
        WorkspaceLeaveOperation.self, WorkspaceRotateOperation.self,
    ]
}

extension WorkspaceCreateOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .join(name: name, .random()) }
}

extension WorkspaceJoinOperation: NodeOperation {
    /// The name of a workspace whose code was given without one.
    private static let unnamed = "unnamed"

    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<WorkspaceReply>) {
        if let name, let passphrase, code == nil { return join(name, passphrase, node, reply) }
        guard let code, passphrase == nil else { return reply(.failure(.noCode)) }
        guard let code = InvitationCode(text: code) else { return reply(.failure(.wrongCode)) }
        // Joining without it, the node could not tell the workspace's charter from another one later.
        guard code.charter == nil else { return reply(.failure(.codeWithCharter)) }
        let name = name ?? (code.name.isEmpty ? Self.unnamed : code.name)
        node.give(.join(name: name, code.key), reply)
    }

    /// Derives the key from the name and the passphrase: all who give the same two get the same key.
    private func join(
        _ name: String,
        _ passphrase: String,
        _ node: LocalControl,
        _ reply: @escaping LocalControl.Completion<WorkspaceReply>
    ) {
        guard !passphrase.isEmpty else { return reply(.failure(.noCode)) }
        if let fault = PassphrasePrompt.fault(Array(passphrase.utf8)) {
            let advice = Phrase(
                "Nothing was changed. All who are to be in it agree on several words that nobody would guess."
            )
            return reply(.failure(ControlError(.invalidValue, fault, advice: advice)))
        }
        // Deriving the key takes most of a second, so no event loop waits for it.
        node.reader.async {
            do throws(SodiumError) {
                node.give(.join(name: name, try WorkspaceKey(name: name, passphrase: passphrase)), reply)
            } catch {
                let advice = Phrase("Close other programs, or join by the invitation code: it needs no memory.")
                reply(.failure(ControlError(.busy, "There is not enough memory to make a key of it.", advice: advice)))
            }
        }
    }
}

extension WorkspaceShowOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .show }
}

extension WorkspaceLeaveOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .leave }
}

extension WorkspaceRotateOperation: WorkspaceCommandOperation {
    var command: WorkspaceCommand { .rotate(.random(), without: without ?? []) }
}

/// An operation that is one command about the workspace. It replies with the workspace as the command left it.
protocol WorkspaceCommandOperation: NodeOperation where Reply == WorkspaceReply {
    var command: WorkspaceCommand { get }
}

extension WorkspaceCommandOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<WorkspaceReply>) {
        node.give(command, reply)
    }
}

extension LocalControl {
    /// Gives a command about the workspace, and replies with the workspace as the command left it.
    fileprivate func give(_ command: WorkspaceCommand, _ reply: @escaping Completion<WorkspaceReply>) {
        learnPeople()
        give(.workspace(command), \.workspace, reply) { [hub] view in
            WorkspaceReply(workspace: view.map { WorkspaceInfo($0, hub) })
        }
    }
}

extension WorkspaceKey {
    fileprivate static func random() -> WorkspaceKey { WorkspaceKey(secret: SecretBytes(randomCount: 32)) }
}

extension WorkspaceInfo {
    fileprivate init(_ view: WorkspaceView, _ hub: EventHub) {
        let byName = { (peers: [PeerID]) in
            peers.map { hub.person($0) }.sorted { ($0.displayName, $0.id) < ($1.displayName, $1.id) }
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
    fileprivate static let codeWithCharter = ControlError(
        .invalidValue,
        "This code is of a workspace with a charter, which this version of Parlance cannot join.",
        advice: "Nothing was changed. Install a newer version on this computer."
    )
    fileprivate static let noCode = ControlError(
        .invalidValue,
        "It takes either an invitation code, or a name and a passphrase.",
        advice: "Ask a member for the code: parlance workspace show --code"
    )
}
