/// What is known of the network now, and which part of it has not been reported yet.
/// Announcements arrive per backend, interface and family, but the engine needs instances. Changes are collected and
/// reported by `drain`, so a flood on the network costs one event per instance and drain, not one per packet.
package struct SightingCache {
    /// Where a record was seen, and by which run of a backend.
    private struct Source: Hashable {
        var backend: Int
        var place: ServiceRecord.Place
    }

    private struct Entry {
        var records: [(source: Source, addresses: [SightedAddress])] = []
        var text: ServiceText
        var age: UInt64
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var told: [String: Sighting] = [:]
    /// Names that may have changed, in order; only those that are also in `isChanged` have changed.
    private var changed: [String] = []
    private var isChanged: Set<String> = []
    /// Instances in the order of arrival; an entry is outdated if its instance is gone, or has come again with another
    /// age.
    private var arrivals: [(name: String, age: UInt64)] = []
    private var nextAge: UInt64 = 0

    /// The most places in which one instance may be seen: more than any machine has interfaces.
    static let maximumPlaces = 32
    /// The most addresses reported per instance: more would only cost dials that fail.
    package static let maximumAddresses = 16

    package init(limit: Int) { self.limit = max(1, limit) }

    /// How many instances are known.
    package var count: Int { entries.count }
    /// Whether `drain` would report anything.
    package var hasChanges: Bool { !isChanged.isEmpty }

    /// Adds a record; one that is malformed, or that names no address that may be dialled, counts as gone.
    package mutating func received(_ record: ServiceRecord, from backend: Int, isLoopbackInterface: Bool) {
        let name = record.place.instance
        guard ServiceRecord.isAcceptableName(name) else { return }
        let addresses = record.addresses.prefix(Self.maximumAddresses).compactMap {
            SightedAddress(
                bytes: $0,
                port: record.port,
                interface: record.place.interface,
                isLoopbackInterface: isLoopbackInterface
            )
        }
        guard let text = ServiceText(strings: record.text), !addresses.isEmpty else {
            return vanished(record.place, from: backend)
        }
        if entries[name] == nil { makeRoom(for: name) }
        var entry = entries[name] ?? Entry(text: text, age: nextAge)
        entry.text = text
        let source = Source(backend: backend, place: record.place)
        if let index = entry.records.firstIndex(where: { $0.source == source }) {
            entry.records[index].addresses = addresses
        } else if entry.records.count < Self.maximumPlaces {
            entry.records.append((source, addresses))
        }
        entries[name] = entry
        mark(name)
    }

    /// Notes that an announcement has ended in one place.
    package mutating func vanished(_ place: ServiceRecord.Place, from backend: Int) {
        remove(place.instance) { $0 == Source(backend: backend, place: place) }
    }

    /// Forgets everything that one run of a backend saw, after that run has ended.
    package mutating func ended(backend: Int) {
        for name in entries.keys.sorted() { remove(name) { $0.backend == backend } }
    }

    /// What changed since the last call, in the order in which it first changed.
    package mutating func drain() -> [DiscoveryEvent] {
        var events: [DiscoveryEvent] = []
        for name in changed where isChanged.remove(name) != nil {
            let sighting = entries[name].map { Self.sighting(name, $0) }
            guard sighting != told[name] else { continue }
            told[name] = sighting
            events.append(sighting.map { .found($0) } ?? .lost(instance: name))
        }
        changed = []
        return events
    }

    private mutating func remove(_ name: String, where isGone: (Source) -> Bool) {
        guard var entry = entries[name], entry.records.contains(where: { isGone($0.source) }) else { return }
        entry.records.removeAll { isGone($0.source) }
        entries[name] = entry.records.isEmpty ? nil : entry
        mark(name)
    }

    /// Forgets the oldest instance when the cache is full, so that a new one is reported at least once.
    private mutating func makeRoom(for name: String) {
        if arrivals.count >= 2 * limit { arrivals.removeAll { entries[$0.name]?.age != $0.age } }
        if entries.count >= limit, let oldest = arrivals.firstIndex(where: { entries[$0.name]?.age == $0.age }) {
            let forgotten = arrivals[oldest].name
            arrivals.removeSubrange(...oldest)
            entries[forgotten] = nil
            mark(forgotten)
        }
        nextAge += 1
        arrivals.append((name, nextAge))
    }

    private mutating func mark(_ name: String) {
        // An instance that came and went before it was reported needs no event.
        guard entries[name] != nil || told[name] != nil else {
            isChanged.remove(name)
            return
        }
        guard isChanged.insert(name).inserted else { return }
        if changed.count >= 4 * limit { changed.removeAll { $0 != name && !isChanged.contains($0) } }
        changed.append(name)
    }

    private static func sighting(_ name: String, _ entry: Entry) -> Sighting {
        let addresses = Set(entry.records.flatMap(\.addresses)).sorted().prefix(maximumAddresses)
        return Sighting(
            instance: name,
            peerIDPrefix: entry.text.peerIDPrefix,
            workspaceTags: entry.text.workspaceTags,
            addresses: Array(addresses),
            modelPort: entry.text.modelPort
        )
    }
}
