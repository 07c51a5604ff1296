package import ParlanceWords

/// Problems and forks that the node has found, with proofs.
package struct Findings: Codable, Equatable, Sendable {
    /// Problems, notes and facts, the most important first.
    package var problems: [NodeStatus.Problem]
    /// What was checked, with the result, in one sentence each.
    package var looked: [Phrase]
    /// What could not be checked, and why; absent if everything was checked.
    package var unchecked: [Phrase]?
    /// The person asked about.
    package var person: Person?
    /// The places where that person may answer.
    package var ways: [WayInfo]?
    package var forks: [ForkInfo]
    /// Whether this computer's firewall lets in what only rules for Parlance let in; absent if that cannot be tried.
    package var firewall: Firewall?

    /// What became of a packet of the node to itself.
    package enum Firewall: String, Codable, JSONWord, Sendable {
        case open, closed
    }

    package init(
        problems: [NodeStatus.Problem] = [],
        looked: [Phrase] = [],
        unchecked: [Phrase]? = nil,
        person: Person? = nil,
        ways: [WayInfo]? = nil,
        forks: [ForkInfo] = [],
        firewall: Firewall? = nil
    ) {
        self.problems = problems
        self.looked = looked
        self.unchecked = unchecked
        self.person = person
        self.ways = ways
        self.forks = forks
        self.firewall = firewall
    }
}

/// A place where a person may answer.
package struct WayInfo: Codable, Equatable, Sendable {
    package enum Kind: String, Codable, JSONWord, Sendable {
        /// A static address, a current announcement, or addresses that worked or that the person told.
        case fixed, sighted, remembered
    }

    package var kind: Kind
    /// `host:port`, the next one to try first.
    package var addresses: [String]
    /// Why the last attempt failed; absent if it did not fail.
    package var lastError: Phrase?
    /// The next attempt; absent while one is under way, and where none is made.
    package var nextTry: ControlTime?

    package init(kind: Kind, addresses: [String], lastError: Phrase? = nil, nextTry: ControlTime? = nil) {
        self.kind = kind
        self.addresses = addresses
        self.lastError = lastError
        self.nextTry = nextTry
    }
}

/// A fork of one log of somebody: a restored backup, a copied folder, or a forgery.
package struct ForkInfo: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var conversation: String
    package var title: String
    package var author: Person
    /// The sequence number, in the author's log, of the last entry that the branches share.
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
        /// protocol/parlance.proto). Together with that of another branch it proves that the author's key signed both.
        package var proof: String

        package init(first: String, proof: String) {
            self.first = first
            self.proof = proof
        }
    }
}
