import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import ParlanceWords
import Synchronization

/// The model servers that nodes of the network offer, and the one that this node offers (discovery.md, "Model servers").
final class ModelOffers: Sendable {
    private struct Seen {
        var hosts: [String]
        var port: UInt16
    }

    private struct State {
        var port: UInt16?
        /// By the instance that announces it. Discovery bounds how many there are.
        var seen: [String: Seen] = [:]
    }

    private let state: Mutex<State>
    private let announcer: Announcer

    /// - Parameter port: the port of the server that this node offers.
    init(_ port: UInt16?, _ announcer: Announcer) {
        state = Mutex(State(port: port))
        self.announcer = announcer
    }

    /// Offers another server from now on, or none.
    func use(_ port: UInt16?) {
        state.withLock { $0.port = port }
        announcer.use(modelPort: port)
    }

    func note(_ event: DiscoveryEvent) {
        switch event {
        case .found(let sighting):
            let seen = sighting.modelPort.map { Seen(hosts: sighting.addresses.map(\.host), port: $0) }
            state.withLock { $0.seen[sighting.instance] = seen }
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
            for port in Set(seen.filter { $0.hosts.contains(host) }.map(\.port)).sorted() {
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
        let addresses = MachineAddress.all().map(\.address.text)
        // IPv4 first, as peers dial.
        guard let host = addresses.first(where: { !$0.contains(":") }) ?? addresses.first else {
            return ModelOffer(
                address: Self.address("127.0.0.1", port),
                problem: Phrase("This computer is in no network, so nobody learns of it.")
            )
        }
        let offer = ModelOffer(address: Self.address(host, port))
        guard announcer.offersModels else {
            return offer.with(Phrase("This node announces nothing, so nobody learns of it."))
        }
        guard let address = try? ModelAddress(parsing: offer.address) else { return offer }
        do {
            // An address of this computer, whatever the network gave it, so nothing leaves.
            _ = try await ModelClient(ModelServer(address: address, allowsPublic: true)).models()
            return offer
        } catch {
            return offer.with(
                Phrase("No model server answers there."),
                Phrase("It must take connections at this address, not at 127.0.0.1 alone. Ollama: OLLAMA_HOST=0.0.0.0")
            )
        }
    }
}

extension ModelOffer {
    fileprivate func with(_ problem: Phrase, _ advice: Phrase? = nil) -> ModelOffer {
        ModelOffer(address: address, person: person, problem: problem, advice: advice)
    }
}
