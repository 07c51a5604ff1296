import ParlanceRandom
import Testing

@testable import ParlanceNetwork

@Suite struct SightingCacheTests {
    private func place(_ name: String, interface: UInt32 = 2, family: Int32 = 0) -> ServiceRecord.Place {
        ServiceRecord.Place(instance: name, interface: interface, family: family)
    }

    private func record(
        _ name: String,
        _ last: UInt8,
        interface: UInt32 = 2,
        family: Int32 = 0,
        text: String = "id=abcdefg2"
    ) -> ServiceRecord {
        ServiceRecord(
            place: place(name, interface: interface, family: family),
            port: 4747,
            text: [Array("v=1".utf8), Array(text.utf8)],
            addresses: [[10, 0, 0, last]]
        )
    }

    private func found(_ events: [DiscoveryEvent]) -> [String: [String]] {
        var found: [String: [String]] = [:]
        for case .found(let sighting) in events { found[sighting.instance] = sighting.addresses.map(\.host) }
        return found
    }

    @Test func placesOfOneInstanceAreOneSighting() {
        var cache = SightingCache(limit: 8)
        cache.received(record("a", 1), from: 1, isLoopbackInterface: false)
        cache.received(record("a", 2, interface: 3), from: 1, isLoopbackInterface: false)
        #expect(found(cache.drain()) == ["a": ["10.0.0.1", "10.0.0.2"]])
        #expect(cache.drain().isEmpty, "told once")
        cache.received(record("a", 1), from: 1, isLoopbackInterface: false)
        #expect(cache.drain().isEmpty, "nothing new")
        cache.vanished(place("a"), from: 1)
        #expect(found(cache.drain()) == ["a": ["10.0.0.2"]])
        cache.vanished(place("a", interface: 3), from: 1)
        #expect(cache.drain() == [.lost(instance: "a")])
        #expect(cache.count == 0)
    }

    @Test func aMoveToAnotherBackendIsNotToldIfNothingChanges() {
        var cache = SightingCache(limit: 8)
        cache.received(record("a", 1), from: 1, isLoopbackInterface: false)
        cache.received(record("b", 2), from: 1, isLoopbackInterface: false)
        _ = cache.drain()
        cache.received(record("a", 1), from: 2, isLoopbackInterface: false)
        cache.ended(backend: 1)
        #expect(cache.drain() == [.lost(instance: "b")])
    }

    @Test func whatComesAndGoesBetweenDrainsIsNotTold() {
        var cache = SightingCache(limit: 8)
        cache.received(record("a", 1), from: 1, isLoopbackInterface: false)
        cache.vanished(place("a"), from: 1)
        #expect(!cache.hasChanges)
        #expect(cache.drain().isEmpty)
    }

    @Test func aMalformedRecordTakesTheEarlierOneBack() {
        var cache = SightingCache(limit: 8)
        cache.received(record("a", 1), from: 1, isLoopbackInterface: false)
        _ = cache.drain()
        cache.received(record("a", 1, text: "id=!"), from: 1, isLoopbackInterface: false)
        #expect(cache.drain() == [.lost(instance: "a")])
        cache.received(record("bad\u{7}name", 1), from: 1, isLoopbackInterface: false)
        cache.received(record(String(repeating: "x", count: 64), 1), from: 1, isLoopbackInterface: false)
        cache.received(record("", 1), from: 1, isLoopbackInterface: false)
        #expect(cache.count == 0)
    }

    @Test func aFloodCostsAtMostTheLimitAndTheNewestAreKept() {
        var cache = SightingCache(limit: 1_024)
        for index in 0..<20_000 { cache.received(record("n\(index)", 1), from: 1, isLoopbackInterface: false) }
        #expect(cache.count == 1_024)
        let first = cache.drain()
        #expect(first.count == 1_024)
        #expect(found(first)["n19999"] != nil)
        cache.received(record("friend", 9), from: 1, isLoopbackInterface: false)
        #expect(Set(cache.drain().map(String.init(describing:))).count == 2, "one found, the oldest lost")
        #expect(cache.count == 1_024)
    }

    @Test func placesAndAddressesAreLimited() {
        var cache = SightingCache(limit: 8)
        for index in 0..<200 {
            let many = ServiceRecord(
                place: place("a", interface: UInt32(index) + 1),
                port: 1,
                text: [Array("v=1".utf8)],
                addresses: (0..<100).map { [10, 1, UInt8(index), $0] }
            )
            cache.received(many, from: 1, isLoopbackInterface: false)
        }
        #expect(found(cache.drain())["a"]?.count == SightingCache.maximumAddresses)
    }

    /// What the cache must know, as plainly as possible: the last byte of each record's address, by interface and
    /// backend, of each instance in the order of arrival.
    private struct Model {
        private var known: [(name: String, records: [[UInt32]: UInt8])] = []

        mutating func received(_ name: String, _ source: [UInt32], _ last: UInt8) {
            guard let index = known.firstIndex(where: { $0.name == name }) else {
                if known.count == 5 { known.removeFirst() }
                return known.append((name, [source: last]))
            }
            known[index].records[source] = last
        }

        mutating func vanished(_ name: String? = nil, where isGone: ([UInt32]) -> Bool) {
            for index in known.indices where name == nil || known[index].name == name {
                known[index].records = known[index].records.filter { !isGone($0.key) }
            }
            known.removeAll { $0.records.isEmpty }
        }

        /// The hosts of each instance.
        var hosts: [String: Set<String>] {
            known.reduce(into: [:]) { $0[$1.name] = Set($1.records.values.map { "10.0.0.\($0)" }) }
        }
    }

    /// In any order of changes, the events describe exactly the contents of the cache.
    @Test func eventsAddUpToWhatIsKnown() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        var cache = SightingCache(limit: 5)
        var model = Model()
        var told: [String: Sighting] = [:]
        for _ in 0..<5_000 {
            let name = "n\(Int.random(in: 0..<9, using: &random))"
            let interface = UInt32.random(in: 1...3, using: &random)
            let backend = Int.random(in: 1...2, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                let last = UInt8.random(in: 1...4, using: &random)
                cache.received(record(name, last, interface: interface), from: backend, isLoopbackInterface: false)
                model.received(name, [interface, UInt32(backend)], last)
            case 6..<9:
                cache.vanished(place(name, interface: interface), from: backend)
                model.vanished(name) { $0 == [interface, UInt32(backend)] }
            default:
                cache.ended(backend: backend)
                model.vanished { $0[1] == UInt32(backend) }
            }
            guard Bool.random(using: &random) else { continue }
            for event in cache.drain() {
                switch event {
                case .found(let sighting):
                    #expect(told[sighting.instance] != sighting, "seed \(seed)")
                    told[sighting.instance] = sighting
                case .lost(let name): #expect(told.removeValue(forKey: name) != nil, "seed \(seed)")
                default: Issue.record("an event of another kind")
                }
            }
            #expect(told.mapValues { Set($0.addresses.map(\.host)) } == model.hosts, "seed \(seed)")
            #expect(told.count == cache.count, "seed \(seed)")
        }
    }
}
