import FoundationEssentials
package import ParlanceSodium
package import ParlanceWire

/// Where a member of a workspace takes links, in its own words (workspaces.md, "Addresses").
package struct SignedAddresses: Equatable, Sendable {
    package struct Place: Equatable, Sendable {
        package var address: NumericAddress
        package var port: UInt16

        package init(address: NumericAddress, port: UInt16) {
            self.address = address
            self.port = port
        }
    }

    package var peer: PeerID
    /// When it was signed, in milliseconds since 1970. The newest counts.
    package var time: UInt64
    package var places: [Place]
    package var signature: [UInt8]

    package init(of peer: PeerID, time: UInt64, places: [Place], with key: SigningKey) {
        self.peer = peer
        self.time = time
        self.places = places
        signature = []
        signature = key.sign(signedBytes)
    }

    /// Parses an entry; `nil` if it is malformed. This does not check the signature: use `isSigned`.
    init?(_ wire: WireAddresses.Entry) {
        guard let peer = PeerID(wire.peer), wire.signature.count == 64,
            (1...Limits.addressesPerPeer).contains(wire.places.count)
        else { return nil }
        self.peer = peer
        time = wire.time
        signature = [UInt8](wire.signature)
        places = wire.places.compactMap { place in
            guard let address = NumericAddress(place.address), let port = UInt16(exactly: place.port) else {
                return nil
            }
            return Place(address: address, port: port)
        }
        guard places.count == wire.places.count else { return nil }
    }

    /// Parses the result of `encoded`.
    init?(decoding row: [UInt8]) {
        guard let wire = WireAddresses.Entry(decoding: row) else { return nil }
        self.init(wire)
    }

    var encoded: [UInt8] { wire.encodedBytes() }

    package var wire: WireAddresses.Entry {
        var wire = WireAddresses.Entry()
        wire.peer = Data(peer.bytes)
        wire.time = time
        wire.signature = Data(signature)
        wire.places = places.map { place in
            var wire = WireAddresses.Place()
            wire.address = Data(place.address.bytes)
            wire.port = UInt32(place.port)
            return wire
        }
        return wire
    }

    private var signedBytes: [UInt8] {
        var bytes: [UInt8] = [Domain.addresses] + peer.bytes + time.bigEndianBytes
        for place in places {
            bytes += [UInt8(place.address.bytes.count)] + place.address.bytes
            bytes += [UInt8(place.port >> 8), UInt8(place.port & 0xff)]
        }
        return bytes
    }

    var isSigned: Bool { Ed25519.verify(signature, of: signedBytes, by: peer.bytes) }

    /// The addresses to dial: only ordinary ones, not loopback or multicast.
    var endpoints: [Endpoint] {
        places.filter { $0.port != 0 && $0.address.range == .ordinary }
            .map { Endpoint(host: $0.address.text, port: $0.port) }
    }
}
