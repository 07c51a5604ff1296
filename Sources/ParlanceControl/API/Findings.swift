/// What the node has found that people should know of, with the proofs.
package struct Findings: Codable, Equatable, Sendable {
    package var forks: [ForkInfo]

    package init(forks: [ForkInfo]) {
        self.forks = forks
    }
}

/// Somebody's messages of one device that go on in two branches or more: a restored backup, a copied folder, or a forgery.
package struct ForkInfo: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var conversation: String
    package var title: String
    package var author: Person
    /// The number of the last entry that the branches have in common, in the author's log.
    package var after: UInt64
    package var branches: [Branch]

    package init(conversation: String, title: String, author: Person, after: UInt64, branches: [Branch]) {
        self.conversation = conversation
        self.title = title
        self.author = author
        self.after = after
        self.branches = branches
    }

    package struct Branch: Codable, Equatable, Sendable {
        /// The ID of its first entry.
        package var first: String
        /// Its headers up to one that the author has signed, in hexadecimal digits (a serialized `Fork.Branch`,
        /// protocol/parlance.proto): with that of another branch it proves that the author's key signed both.
        package var proof: String

        package init(first: String, proof: String) {
            self.first = first
            self.proof = proof
        }
    }
}
