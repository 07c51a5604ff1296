package import ParlanceWords

/// The state of a node at a glance: who it is, whether it hears and is heard, and what is wrong.
package struct NodeStatus: Codable, Equatable, Sendable {
    package var version: String
    package var peerID: String
    /// The replica of this node: the same as long as its folder is neither copied nor restored.
    package var replica: String
    package var name: String
    /// Whether the name is still the login name, and nobody has chosen it; absent if not.
    package var nameless: Bool?
    /// The profile's name; absent for the default profile.
    package var profile: String?
    package var processID: Int
    package var started: ControlTime
    /// The port at which peers reach this node.
    package var port: Int
    /// The addresses it listens at, `host:port` or `[address]:port`.
    package var listening: [String]
    package var discovery: DiscoveryInfo
    /// The data folder.
    package var dataPath: String
    /// Whether the identity on disk is encrypted under a passphrase.
    package var protected: Bool
    /// The workspace's name; absent if the node is in none.
    package var workspace: String?
    package var presence: OwnPresence
    /// The picture that others see; absent if there is none.
    package var picture: PictureInfo?
    package var counts: Counts
    /// The newer version of the package that apt knows; absent if there is none.
    package var newerVersion: String?
    /// Problems and notes, each with advice; empty when there is nothing to report.
    package var problems: [Problem]

    package init(
        version: String,
        peerID: String,
        replica: String,
        name: String,
        profile: String? = nil,
        processID: Int,
        started: ControlTime,
        port: Int,
        listening: [String],
        discovery: DiscoveryInfo,
        dataPath: String,
        protected: Bool = false,
        workspace: String? = nil,
        presence: OwnPresence,
        counts: Counts,
        problems: [Problem] = []
    ) {
        self.version = version
        self.peerID = peerID
        self.replica = replica
        self.name = name
        self.profile = profile
        self.processID = processID
        self.started = started
        self.port = port
        self.listening = listening
        self.discovery = discovery
        self.dataPath = dataPath
        self.protected = protected
        self.workspace = workspace
        self.presence = presence
        self.counts = counts
        self.problems = problems
    }

    /// Counts of peers, conversations and messages.
    package struct Counts: Codable, Equatable, Sendable {
        package var nearby: Int
        package var connected: Int
        package var accepted: Int
        /// How many of the accepted peers are verified.
        package var verified: Int
        package var conversations: Int
        package var unread: Int
        /// Entries of this user that have not reached every recipient.
        package var outbox: Int
        /// Peers that ask to talk.
        package var requests: Int

        package init(
            nearby: Int = 0,
            connected: Int = 0,
            accepted: Int = 0,
            verified: Int = 0,
            conversations: Int = 0,
            unread: Int = 0,
            outbox: Int = 0,
            requests: Int = 0
        ) {
            self.nearby = nearby
            self.connected = connected
            self.accepted = accepted
            self.verified = verified
            self.conversations = conversations
            self.unread = unread
            self.outbox = outbox
            self.requests = requests
        }
    }

    /// A finding: something that does not work, or something to know.
    package struct Problem: Codable, Equatable, Sendable {
        /// How much it matters.
        package enum Severity: String, Codable, JSONWord, Sendable {
            /// Something does not work, and somebody must act.
            case problem
            /// For information: what waits goes on by itself.
            case note
            /// Intended or usual: reported only to a user who asks about that person.
            case fact
        }

        /// The code of the note that a newer version of the package is there.
        package static let update = "update"
        /// The code of the note that people who are known are not in this node's workspace.
        package static let outside = "outside"

        /// A stable name for programs, such as `discovery`.
        package var code: String
        /// What is wrong and why.
        package var message: Phrase
        /// What to do about it.
        package var advice: Phrase
        package var severity: Severity
        /// The peer ID of the person concerned.
        package var about: String?
        /// When it began.
        package var since: ControlTime?
        /// The rule of the protocol that a peer broke; code `breach` only.
        package var rule: String?
        /// The addresses that were tried, `host:port`, the first few; codes `unanswered` and `unreached` only.
        package var addresses: [String]?
        /// How many nodes or people it concerns; codes `unanswered`, `absent` and `unreached` of several only.
        package var count: Int?
        /// The peer IDs of the people whom it concerns, in the order of their names; codes `absent` and `unreached` of several
        /// people only.
        package var people: [String]?

        package init(
            code: String,
            message: Phrase,
            advice: Phrase,
            severity: Severity = .problem,
            about: String? = nil
        ) {
            self.code = code
            self.message = message
            self.advice = advice
            self.severity = severity
            self.about = about
        }
    }
}

/// How the node finds peers, and whether that works.
package struct DiscoveryInfo: Codable, Equatable, Sendable {
    package var backend: Backend
    package var state: State
    /// One sentence: why discovery is unavailable, or on which interfaces it runs.
    package var message: Phrase?
    /// What to do if discovery does not work.
    package var advice: Phrase?
    /// Since when it looks for people on the present network; absent unless it is running.
    package var since: ControlTime?

    package init(
        backend: Backend,
        state: State,
        message: Phrase? = nil,
        advice: Phrase? = nil,
        since: ControlTime? = nil
    ) {
        self.backend = backend
        self.state = state
        self.message = message
        self.advice = advice
        self.since = since
    }

    /// Who speaks mDNS for the node.
    package enum Backend: String, Codable, JSONWord, Sendable {
        /// The system's service (Avahi, Bonjour).
        case system
        /// The responder inside the daemon.
        case embedded
        /// Static addresses only.
        case none
    }

    /// Whether discovery works.
    package enum State: String, Codable, JSONWord, Sendable {
        case starting, running, unavailable, off
    }
}
