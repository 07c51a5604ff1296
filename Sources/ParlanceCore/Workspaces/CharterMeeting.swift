package import ParlanceWire

/// The beginning of a charter's ID, which an invitation code bears.
package struct CharterPrefix: Equatable, Sendable {
    package static let count = 16
    package let bytes: [UInt8]

    /// Accepts exactly 16 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = Array(bytes)
    }

    package init(of charter: ConversationID) {
        bytes = Array(charter.bytes.prefix(Self.count))
    }

    package func names(_ charter: ConversationID) -> Bool { charter.bytes.starts(with: bytes) }
}

/// What a node does about the charter that a member of its workspace names (charter.md, "Adoption").
package enum CharterMeeting: Equatable, Sendable {
    /// It is the charter of this node.
    case held
    /// The invitation code names it: adopt it, and tell the user.
    case named
    /// This node has none and joined without the name of one: tell the user, who decides.
    case offered
    /// This node has another one, or the code names another one: never adopt it, and tell the user.
    case foreign

    package init(with met: ConversationID, holding own: ConversationID?, code: CharterPrefix?) {
        if let own {
            self = own == met ? .held : .foreign
        } else if let code {
            self = code.names(met) ? .named : .foreign
        } else {
            self = .offered
        }
    }
}
