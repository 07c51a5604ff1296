// Values of the protocol that this program names.

extension NodeStatus.Problem {
    /// The code of the note that a newer version of the package is there.
    package static let update = "update"

    /// The code of the note that people who are known are not in this node's workspace.
    package static let outside = "outside"

    /// People wait for this user, an admin, to let them in.
    package static let admission = "admission"
}

extension ModelInfo {
    /// Words and rules, without a model.
    package static let rules = ModelInfo(name: "rules")

    /// The embedding model all-MiniLM-L6-v2.
    package static let miniLM = ModelInfo(name: "all-MiniLM-L6-v2")
}

extension CharterInfo {
    /// The name of the policy that says who joins.
    package static let admissionPolicy = "admission"
}

extension CarryPackReply {
    /// `next` when everything is packed.
    package static let end = "end"
}
