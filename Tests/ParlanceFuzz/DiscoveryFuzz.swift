import ParlanceNetwork

/// Anything that anybody on the network can announce.
enum DiscoveryFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        var reader = FuzzReader(bytes)
        switch reader.byte() & 3 {
        case 0:
            let packet = reader.rest()
            packet.withUnsafeBytes { _ = PacketGuard.accepts($0) }
        case 1: text(reader.rest())
        default: cache(&reader)
        }
    }

    private static func text(_ data: [UInt8]) {
        guard let strings = ServiceText.strings(data), let text = ServiceText(strings: strings) else { return }
        guard let again = ServiceText.strings(text.wireBytes).flatMap({ ServiceText(strings: $0) }) else {
            fatalError("what was read cannot be read again")
        }
        promise(again == text, "a TXT record is read as another one when it is written again")
    }

    /// Records come and go: the events match what is known, and what is known stays bounded.
    private static func cache(_ reader: inout FuzzReader) {
        let limit = 1 + reader.number(below: 8)
        var cache = SightingCache(limit: limit)
        var told: [String: Sighting] = [:]
        var acts = 0
        while !reader.isAtEnd, acts < 256 {
            acts += 1
            let act = reader.byte()
            let place = ServiceRecord.Place(
                instance: act & 8 == 0 ? "node-\(reader.byte() & 15)" : reader.text(),
                interface: UInt32(reader.byte() & 3),
                family: Int32(reader.byte() & 1)
            )
            switch act & 7 {
            case 0...3:
                let record = ServiceRecord(
                    place: place,
                    port: reader.short(),
                    text: ServiceText.strings(reader.take(Int(reader.byte()))) ?? [],
                    addresses: (0..<reader.byte() & 31).map { _ in reader.take(act & 16 == 0 ? 4 : 16) }
                )
                cache.received(record, from: Int(act >> 6), isLoopbackInterface: act & 32 != 0)
            case 4: cache.vanished(place, from: Int(act >> 6))
            case 5: cache.ended(backend: Int(act >> 6))
            default: drain(&cache, &told)
            }
            promise(cache.count <= limit, "\(cache.count) instances where \(limit) may be kept")
        }
        drain(&cache, &told)
        promise(told.count == cache.count, "\(told.count) instances are told and \(cache.count) known")
        // What is known is what was told: when all backends end, it is lost to the last instance.
        for backend in 0...3 { cache.ended(backend: backend) }
        drain(&cache, &told)
        promise(told.isEmpty && cache.count == 0, "\(told.count) instances stay told")
    }

    private static func drain(_ cache: inout SightingCache, _ told: inout [String: Sighting]) {
        for event in cache.drain() {
            switch event {
            case .found(let sighting):
                promise(told.updateValue(sighting, forKey: sighting.instance) != sighting, "it is told twice")
                promise(!sighting.addresses.isEmpty, "an instance without an address is told")
                promise(sighting.addresses.count <= SightingCache.maximumAddresses, "too many addresses are told")
                promise(sighting.addresses.allSatisfy { !$0.description.isEmpty }, "an address without a text")
            case .lost(let instance):
                promise(told.removeValue(forKey: instance) != nil, "what was never told is lost")
            default: break
            }
        }
        promise(!cache.hasChanges, "something is left after it was told")
    }

    static var seeds: [[UInt8]] {
        let text = record("v=1", "id=abcdefgh", "w=0102030a,ffffffff")
        let act: [UInt8] = [0, 1, 1, 0, 0x8B, 0x12, UInt8(text.count)] + text + [1, 10, 0, 0, 7]
        // One answer of type TXT after one question, with names that contain a pointer.
        let packet: [UInt8] =
            [0, 0, 0x84, 0, 0, 1, 0, 1, 0, 0, 0, 0, 3, 0x61, 0x62, 0x63, 0, 0, 16, 0, 1]
            + [0xC0, 12, 0, 16, 0, 1, 0, 0, 0, 120, 0, UInt8(text.count)] + text
        return [
            [0] + packet, [1] + text, [1] + record("V=1", "", "id", "=x", "w=0102030a"),
            [2, 3] + act + [6, 0, 0, 0] + act + [4, 1, 1, 0, 6], [2, 0] + act + [0, 2, 1, 0] + act.dropFirst(4) + [5],
        ]
    }

    private static func record(_ strings: String...) -> [UInt8] {
        strings.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
    }
}
