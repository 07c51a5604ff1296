import Logging
import ParlanceControl
import ParlanceNetwork
import ParlanceWaiting
import Synchronization
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Which offers of model servers are shown.
@Suite struct ModelOffersTests {
    private let silent: Announcer

    init() throws {
        let hidden = try ServiceInstance(name: "first", port: 4747, peerIDPrefix: nil, workspaceTags: [])
        silent = Announcer(hidden, nil, Logger(label: "test"))
    }

    private func sighting(
        _ instance: String,
        of prefix: String? = "bobbobb2",
        at last: UInt8,
        model: UInt16?
    ) -> DiscoveryEvent {
        let address = SightedAddress(bytes: [192, 0, 2, last], port: 4747, interface: 2, isLoopbackInterface: false)
        return .found(
            Sighting(
                instance: instance,
                peerIDPrefix: prefix,
                workspaceTags: [],
                addresses: [address].compactMap { $0 },
                modelPort: model
            )
        )
    }

    private func peer(_ name: String, _ trust: Trust, linked: Bool = true, at addresses: [String]) -> PeerInfo {
        let id = String(repeating: name.lowercased(), count: 2) + "b2"
        return PeerInfo(id: id, name: name, displayName: name, trust: trust, connected: linked, addresses: addresses)
    }

    @Test func anOfferCountsOnlyWhereALinkEnds() {
        let offers = ModelOffers(nil, silent)
        offers.note(sighting("i", at: 7, model: 11_434))
        let bob = peer("Bob", .accepted, at: ["192.0.2.7:4747"])
        #expect(
            offers.offers(of: [bob])
                == [ModelOffer(address: "http://192.0.2.7:11434", person: Person(id: bob.id, displayName: "Bob"))]
        )
        #expect(offers.offers(of: [peer("Bob", .verified, at: ["192.0.2.7:1"])]).count == 1)
        for other in [
            peer("Eve", .unknown, at: ["192.0.2.7:4747"]), peer("Eve", .blocked, at: ["192.0.2.7:4747"]),
            peer("Bob", .accepted, linked: false, at: ["192.0.2.7:4747"]),
            // The link ends elsewhere, though Bob was once there.
            peer("Bob", .accepted, at: ["192.0.2.8:4747", "192.0.2.7:4747"]), peer("Bob", .accepted, at: []),
        ] {
            #expect(offers.offers(of: [other]) == [], "\(other)")
        }
    }

    /// Another user of Bob's computer is not Bob, and nobody makes Bob's list long.
    @Test func anOfferIsOfWhoAnnouncesIt() {
        let offers = ModelOffers(nil, silent)
        let bob = peer("Bob", .accepted, at: ["192.0.2.7:4747"])
        offers.note(sighting("other", of: "evevevb2", at: 7, model: 1))
        offers.note(sighting("hidden", of: nil, at: 7, model: 2))
        #expect(offers.offers(of: [bob]).isEmpty)
        for number in 1...20 { offers.note(sighting("i\(number)", at: 7, model: UInt16(number))) }
        #expect(offers.offers(of: [bob]).count == 3)
    }

    /// An interface has a number in discovery, and a name in a link.
    @Test func aZoneIsNoPartOfAnAddress() {
        let offers = ModelOffers(nil, silent)
        let bytes: [UInt8] = [0xfe, 0x80] + Array(repeating: 0, count: 13) + [9]
        let address = SightedAddress(bytes: bytes, port: 4747, interface: 2, isLoopbackInterface: false)
        offers.note(
            .found(
                Sighting(
                    instance: "i",
                    peerIDPrefix: "bobbobb2",
                    workspaceTags: [],
                    addresses: [address].compactMap { $0 },
                    modelPort: 11_434
                )
            )
        )
        let found = offers.offers(of: [peer("Bob", .accepted, at: ["[fe80::9%eth0]:4747"])])
        #expect(found.map(\.address) == ["http://[fe80::9%eth0]:11434"])
    }

    @Test func anOfferEndsWithItsAnnouncement() {
        let offers = ModelOffers(nil, silent)
        let bob = peer("Bob", .accepted, at: ["192.0.2.7:4747"])
        offers.note(sighting("i", at: 7, model: 1))
        offers.note(sighting("i-1", at: 7, model: 2))
        #expect(offers.offers(of: [bob]).map(\.address) == ["http://192.0.2.7:1", "http://192.0.2.7:2"])
        offers.note(sighting("i", at: 7, model: nil))
        #expect(offers.offers(of: [bob]).map(\.address) == ["http://192.0.2.7:2"])
        offers.note(.lost(instance: "i-1"))
        #expect(offers.offers(of: [bob]).isEmpty)
    }

    @Test func whatNobodyCanHearOfIsNotOffered() async throws {
        #expect(await ModelOffers(nil, silent).own() == nil)
        let offered = try #require(await ModelOffers(11_434, silent).own())
        #expect(offered.problem != nil)
    }
}

/// What a node announces, change by change.
@Suite struct AnnouncerTests {
    private final class Record: Discovery {
        private let kept = Mutex<[ServiceInstance]>([])

        var all: [ServiceInstance] { kept.withLock { $0 } }

        func run(handler: @escaping @Sendable (DiscoveryEvent) -> Void) async {}
        func announce(_ instance: ServiceInstance) { kept.withLock { $0.append(instance) } }
        func announceAnew() {}
        func lookAnew() {}
    }

    private func instance(_ prefix: String?) throws -> ServiceInstance {
        try ServiceInstance(name: "first", port: 4747, peerIDPrefix: prefix, workspaceTags: [1])
    }

    @Test func eachChangeKeepsTheOther() throws {
        let record = Record()
        let announcer = Announcer(try instance("abcdefg2"), record, Logger(label: "test"))
        announcer.use(modelPort: 11_434)
        announcer.use(modelPort: 11_434)
        announcer.use(workspaceTags: [2, 3])
        announcer.use(modelPort: nil)
        #expect(record.all.map(\.modelPort) == [11_434, 11_434, nil])
        #expect(record.all.map(\.workspaceTags) == [[1], [2, 3], [2, 3]])
        #expect(Set(record.all.map(\.name) + ["first"]).count == 4, "a name means one announcement")
        #expect(announcer.offersModels)
    }

    @Test func aHiddenNodeOffersNothing() throws {
        let record = Record()
        let announcer = Announcer(try instance(nil), record, Logger(label: "test"))
        announcer.use(modelPort: 11_434)
        #expect(record.all.isEmpty && !announcer.offersModels)
    }
}

extension AssistantProgramTests {
    /// A model server that one node offers and another uses, on two hosts.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct OfferedModelTests {
        @Test func whatOneOffersTheOtherUsesOnceItSaysSo() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let pair = try await hosts.meeting()
                #expect(try await pair.ada.ask(AssistantOperation(on: true, offers: true)).offers == nil)
                #expect(try await pair.bob.parlance("config", "set", "model-port", "9").code == 0)
                let deaf = try #require(try await pair.bob.ask(AssistantOperation(offers: true)).offered)
                #expect(deaf.address == "http://10.77.0.2:9" && deaf.problem != nil, "\(deaf)")

                let answer = "def answer(asked): return 'At nine [1].'"
                let server = try ModelServer(answer, at: "10.77.0.2", runner: hosts.runner(on: 2))
                defer { server.end() }
                let set = try await pair.bob.parlance("config", "set", "model-port", "\(server.port)")
                #expect(set.output.contains("In force now."), "\(set)")
                let offered = try await pair.bob.ask(AssistantOperation(offers: true)).offered
                #expect(offered == ModelOffer(address: server.address))
                try await eventually("Ada hears of it", within: .seconds(30)) {
                    try await pair.ada.ask(AssistantOperation(offers: true)).offers?.map(\.address) == [server.address]
                }
                let before = try await pair.ada.ask(AssistantOperation(offers: true))
                #expect(before.chat == nil && before.offers?.first?.person?.displayName == "Bob")
                let text = try await pair.ada.parlance("assistant", "show").output
                let use = "To use it: parlance assistant server \(server.address)\n"
                #expect(text.contains("The computer of Bob offers a model server. \(use)"), "\(text)")

                let used = try await pair.ada.ask(ModelServerOperation(address: server.address))
                #expect(used.chat == ModelInfo(name: "small", address: server.address))
                // What Bob offers no more is not shown, and what Ada uses stays hers to say.
                #expect(try await pair.bob.parlance("config", "set", "model-port", "off").code == 0)
                try await eventually("Ada hears no more of it", within: .seconds(30)) {
                    try await pair.ada.ask(AssistantOperation(offers: true)).offers == nil
                }
                #expect(try await pair.ada.ask(AssistantOperation(offers: true)).chat == used.chat)
            }
        }
    }
}
