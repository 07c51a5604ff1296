package import ParlanceWire

/// What became of the people of a list.
package struct ImportedPeople: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        case excluded, blocked, declined
        /// Somebody else has the name. The person is admitted and accepted all the same.
        case nameTaken
    }

    package struct LeftOut: Equatable, Sendable {
        package var peer: PeerID
        /// As in the list.
        package var name: String
        package var reason: Reason
    }

    /// Those whom the user, an admin, has admitted to the workspace with it.
    package var admitted: [PeerID] = []
    package var named: [PeerID] = []
    package var accepted: [PeerID] = []
    /// Those who had a name and were accepted before.
    package var known: [PeerID] = []
    package var leftOut: [LeftOut] = []
}
