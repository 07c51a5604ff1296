import ParlanceAssistant
import ParlanceControl
import ParlanceCore
package import ParlanceNetwork
import ParlanceWire
import ParlanceWords
import Synchronization

/// The model servers that nodes of the network offer, and the one that this node offers (discovery.md, "Model servers").
package final class ModelOffers: Sendable {
    private struct Seen {
        /// The first characters of the peer ID that it names.
        var prefix: String
        var hosts: [String]
        var port: UInt16
    }

    private struct State {
        var port: UInt16?
        /// By the instance that announces it. Discovery bounds how many there are.
        var seen: [String: Seen] = [:]
    }

    /// Offers of one person that are shown: anybody can announce more in their name.
    private static let offersOfOne = 3

    private let state: Mutex<State>
    private let announcer: Announcer

    /// - Parameter port: the port of the server that this node offers.
    package init(_ port: UInt16?, _ announcer: Announcer) {
        state = Mutex(State(port: port))
        self.announcer = announcer
    }

    /// Offers another server from now on, or none.
    package func use(_ port: UInt16?) {
        state.withLock { $0.port = port }
        announcer.use(modelPort: port)
    }

    package func note(_ event: DiscoveryEvent) {
        switch event {
        case .found(let sighting):
            var seen: Seen?
            if let port = sighting.modelPort, let prefix = sighting.peerIDPrefix {
                seen = Seen(prefix: prefix, hosts: sighting.addresses.map { String($0.host.withoutZone) }, port: port)
            }
            state.withLock { [seen] in $0.seen[sighting.instance] = seen }
        case .lost(let instance): state.withLock { $0.seen[instance] = nil }
        case .state, .networkChanged: break
        }
    }

    /// The offers of people whom the user has accepted. Anybody can announce anything, so an offer counts only if a link
    /// to somebody ends at an address that it names, and that address is what is offered.
    func known(to node: any NodeControl) async -> [ModelOffer]? {
        guard state.withLock({ !$0.seen.isEmpty }), let peers = try? await node.call(PeersOperation()).peers else {
            return nil
        }
        let offers = offers(of: peers)
        return offers.isEmpty ? nil : offers
    }

    func offers(of peers: [PeerInfo]) -> [ModelOffer] {
        let seen = state.withLock { Array($0.seen.values) }
        var offers: [ModelOffer] = []
        for peer in peers where peer.connected && (peer.trust == .accepted || peer.trust == .verified) {
            guard let host = peer.addresses.first.flatMap(Endpoint.init(text:))?.host else { continue }
            let fitting = seen.filter { peer.id.hasPrefix($0.prefix) && $0.hosts.contains(String(host.withoutZone)) }
            for port in Set(fitting.map(\.port)).sorted().prefix(Self.offersOfOne) {
                let person = Person(id: peer.id, displayName: peer.displayName)
                offers.append(ModelOffer(address: Self.address(host, port), person: person))
            }
        }
        return offers
    }

    private static func address(_ host: String, _ port: UInt16) -> String {
        "http://\(Endpoint(host: host, port: port))"
    }

    /// What this node offers, and whether others can use it.
    func own() async -> ModelOffer? {
        guard let port = state.withLock({ $0.port }) else { return nil }
        // IPv4 first, as peers dial; link-local addresses mean nothing without a zone.
        let hosts = MachineAddress.all().map(\.address.text).filter { !$0.hasPrefix("fe80:") }
        let sorted = hosts.filter { !$0.contains(":") } + hosts.filter { $0.contains(":") }
        let offers = sorted.prefix(Self.ownAddresses).map { ModelOffer(address: Self.address($0, port)) }
        guard let first = offers.first else {
            let offer = ModelOffer(address: Self.address("127.0.0.1", port))
            return offer.with(Phrase("This computer is in no network, so nobody learns of it."))
        }
        guard announcer.offersModels else {
            return first.with(Phrase("This node is hidden or uses no mDNS, so nobody learns of it."))
        }
        for offer in offers where await Self.answers(offer.address) { return offer }
        return first.with(
            Phrase("No model server answers there."),
            Phrase("It must take connections at this address, not at 127.0.0.1 alone. Ollama: OLLAMA_HOST=0.0.0.0")
        )
    }

    /// Addresses of this computer that are tried: more than most have.
    private static let ownAddresses = 4

    private static func answers(_ address: String) async -> Bool {
        guard let address = try? ModelAddress(parsing: address) else { return false }
        var limits = ModelTimeLimits()
        // It is this computer, whatever address the network gave it, so nothing leaves.
        limits.whole = .seconds(2)
        let server = ModelServer(address: address, allowsPublic: true, timeLimits: limits)
        return (try? await ModelClient(server).models()) != nil
    }
}

extension ModelOffer {
    fileprivate func with(_ problem: Phrase, _ advice: Phrase? = nil) -> ModelOffer {
        ModelOffer(address: address, person: person, problem: problem, advice: advice)
    }
}
