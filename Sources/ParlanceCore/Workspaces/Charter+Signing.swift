import FoundationEssentials
import ParlanceRecords
import ParlanceWire

// Writing events of a charter as this node's user (charter.md, "Events").
extension Charter {
    /// The body of a creation.
    ///
    /// - Parameter nonce: 16 random bytes, so that no two charters are the same.
    package static func creation(_ name: String, _ nonce: [UInt8]) -> [UInt8] {
        var creation = WireCreateBody()
        creation.nonce = Data(nonce)
        creation.title = name
        return creation.encodedBytes()
    }

    /// Signs a change that names people, in as many events as they need; nothing if it names nobody.
    ///
    /// - Parameter details: what each event says besides.
    /// - Returns: whether it counts.
    mutating func sign(
        _ action: WireMemberAction,
        _ peers: [PeerID],
        saying details: WireCharterDetails? = nil,
        _ turn: Turn
    ) -> Bool {
        stride(from: 0, to: peers.count, by: Limits.charterPeople).allSatisfy { start in
            let end = min(start + Limits.charterPeople, peers.count)
            var body = WireMembersBody()
            body.action = action
            if let details { body.charter = Data(details.encodedBytes()) }
            body.members = peers[start..<end].map { peer in
                var member = WireMember()
                member.id = Data(peer.bytes)
                return member
            }
            return sign(body, turn)
        }
    }

    /// Signs a rotation or a policy.
    ///
    /// - Returns: whether it counts.
    mutating func sign(_ action: WireMemberAction, saying details: WireCharterDetails, _ turn: Turn) -> Bool {
        var body = WireMembersBody()
        body.action = action
        body.charter = Data(details.encodedBytes())
        return sign(body, turn)
    }

    /// Signs a change after everything that counts here; links come first if that are too many events.
    private mutating func sign(_ body: WireMembersBody, _ turn: Turn) -> Bool {
        while let link = nextLink {
            var names = WireMembersBody()
            names.action = .link
            names.after = link.map { Data($0.bytes) }
            let event = write(.members, names.encodedBytes(), turn)
            guard counts(event) else { return false }
        }
        var body = body
        body.after = frontier.map { Data($0.bytes) }
        let event = write(.members, body.encodedBytes(), turn)
        return counts(event)
    }

    /// Signs an event and inserts it.
    @discardableResult
    mutating func write(_ kind: EventKind, _ body: [UInt8], _ turn: Turn) -> EventID {
        let last = events.filter { $0.header.log == turn.own.log }.max { $0.header.sequence < $1.header.sequence }
        let time = EventTime(wallMilliseconds: turn.now.wall, after: last?.header.time)
        let header = EventHeader(
            conversation: id,
            log: turn.own.log,
            sequence: (last?.header.sequence ?? 0) + 1,
            previous: last?.id,
            time: time,
            dependencies: [],
            kind: kind,
            bodyHash: Bytes32(hashingBody: body),
            behind: time.lead(overWall: turn.now.wall)
        )
        let bytes = header.encoded()
        let hash = EventID(hashing: bytes)
        let signature = HeadSeal.sign(hash, with: turn.own.signer)
        var event = StoredEvent(id: hash, header: header, headerBytes: bytes, body: body, signature: signature)
        event.arrive(at: turn.now.wall)
        insert([event])
        return hash
    }
}

extension WireCharterDetails {
    static func rotation(to key: WorkspaceKey, number: UInt64, isAutomatic: Bool) -> Self {
        var details = Self()
        details.number = number
        details.keyHash = Data(key.hash.bytes)
        details.automatic = isAutomatic
        return details
    }

    /// What an admission by an invitation says.
    static func admission(by invitation: Charter.Invitation) -> Self {
        var details = Self()
        details.name = invitation.policy
        details.automatic = true
        return details
    }

    static func policy(_ name: String, _ value: String) -> Self {
        var details = Self()
        details.name = name
        details.value = value
        return details
    }
}
