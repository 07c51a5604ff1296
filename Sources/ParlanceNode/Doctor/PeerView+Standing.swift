import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

// What people have decided that keeps two apart.
extension PeerView {
    /// The decision of the two people or of their workspace that keeps them apart, such as a block; `nil` if there is none.
    /// While there is one, it is all that is said: what else is wrong with the way follows from it.
    var standing: NodeStatus.Problem? {
        if record.trust == .blocked {
            return finding(
                "blocked",
                .fact,
                "You have blocked \(displayName), so you two are not connected.",
                "To end that: parlance unblock \(record.id.prefix)"
            )
        }
        if isLeftOut {
            return finding(
                "leftOut",
                .fact,
                "\(displayName) is excluded from the workspace, so you two are not connected.",
                returning
            )
        }
        if let membership, let admin = membership.excludedBy, trouble?.cause == .blocked {
            return finding(
                "excluded",
                .problem,
                "\(admin) has excluded you from the workspace \(membership.workspace), so \(displayName)'s node takes nothing from you.",
                "Talk to \(admin) in another way, or leave it: parlance workspace leave"
            )
        }
        guard !isWelcome else { return nil }
        return record.isDeclined
            ? finding("notAccepted", .fact, declined, "To accept after all: parlance accept \(record.id.prefix)")
            : finding(
                "notAccepted",
                .fact,
                stranger,
                record.request == nil
                    ? "To ask \(displayName) to talk, write a message: parlance send \(record.id.prefix) TEXT"
                    : "To accept: parlance accept \(record.id.prefix)"
            )
    }

    private var declined: Phrase {
        if connected { return Phrase("You have declined \(displayName), so this connection ends within a minute.") }
        return parting.map { Phrase("You have declined \(displayName). There is no connection: \($0).") }
            ?? Phrase("You have declined \(displayName). There is no connection.")
    }

    private var stranger: Phrase {
        if connected { return Phrase("You have not accepted \(displayName), so this connection ends within a minute.") }
        return parting.map { Phrase("You have not accepted \(displayName). There is no connection: \($0).") }
            ?? Phrase(
                """
                You have not accepted \(displayName). There is no connection: nodes that do not know each other \
                disconnect after a minute.
                """
            )
    }

    /// Why the last link with somebody who is not accepted ended; `nil` if only the minute for such links was over.
    private var parting: Phrase? {
        trouble.flatMap { $0.cause == .noRoom ? nil : $0.cause.text(displayName) }
    }

    /// How somebody who is excluded gets in again.
    private var returning: Phrase {
        guard let membership, membership.hasCharter else {
            return Phrase("That cannot be undone: to let \(displayName) in again, create a new workspace.")
        }
        guard membership.isAdmin else {
            return Phrase(
                "An admin can let \(displayName) in again: \(Phrase(elsewhere: "parlance workspace readmit \(record.id.prefix)"))"
            )
        }
        let command = Phrase(command: ShellWord.command("parlance workspace readmit", [record.id.prefix]))
        return Phrase("To let \(displayName) in again: \(command)")
    }
}
