package import ParlanceWire

// Invitations that admit by themselves (charter.md, "Invitations").
extension Charter {
    /// An invitation as its policy says it, with those who came by it.
    package struct Invitation: Equatable, Sendable {
        /// What the name of its policy begins with; the public key in base32 follows.
        package static let prefix = "invite_"

        package let key: Bytes32
        package let author: PeerID
        package let time: WrittenTime
        /// How many people it admits.
        package let uses: Int
        /// Until when it admits, in milliseconds since 1970.
        package let until: Int64
        /// Those who were admitted by it, in the order of their IDs.
        package let admitted: [PeerID]

        /// The public key as text.
        package var text: String { Base32.encode(key.bytes) }
        package var policy: String { Self.prefix + text }
        package var left: Int { max(0, uses - admitted.count) }

        /// Whether it admits somebody at a moment.
        package func stands(at wall: Int64) -> Bool { left > 0 && wall <= until }

        /// What its policy says.
        package static func value(uses: Int, until: Int64) -> String { "\(uses) \(until)" }
    }

    /// What an event that admits says beside the people: by which invitation they came.
    package struct AdmissionNote: Equatable, Sendable {
        /// The name of the invitation's policy.
        package let invitation: String
        /// A node wrote it by itself.
        package let isAutomatic: Bool
    }
}

extension Charter.Invitation {
    /// - Parameter admitted: those whom events admitted that count and name it.
    init?(_ policy: Charter.Policy, admitted: Set<PeerID>) {
        guard policy.name.isInvitationName, let bytes = Base32.decode(policy.name.dropFirst(Self.prefix.utf8.count)),
            let key = Bytes32(bytes)
        else { return nil }
        let numbers = policy.value.split(separator: " ", omittingEmptySubsequences: false).compactMap { Int64($0) }
        guard numbers.count == 2, (1...Int64(Limits.charterInvitationUses)).contains(numbers[0]), numbers[1] > 0,
            Self.value(uses: Int(numbers[0]), until: numbers[1]) == policy.value
        else { return nil }
        self.key = key
        author = policy.author
        time = policy.time
        uses = Int(numbers[0])
        until = numbers[1]
        self.admitted = admitted.sorted()
    }
}

extension String {
    /// Whether a policy of this name is an invitation, or would be if the rest of it were right.
    package var isInvitationName: Bool { isPolicyName && hasPrefix(Charter.Invitation.prefix) }
}
