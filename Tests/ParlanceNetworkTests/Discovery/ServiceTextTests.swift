import ParlanceRandom
import Testing

@testable import ParlanceNetwork

@Suite struct ServiceTextTests {
    private func read(_ strings: String...) -> ServiceText? { ServiceText(strings: strings.map { Array($0.utf8) }) }

    @Test func writesWhatTheProtocolSays() throws {
        let instance = try ServiceInstance(
            name: "x",
            port: 1,
            peerIDPrefix: "abcdefg2",
            workspaceTags: [0x0102_a0ff, 7]
        )
        #expect(ServiceText(instance).strings == ["v=1", "id=abcdefg2", "w=0102a0ff,00000007"])
        let hidden = try ServiceInstance(name: "x", port: 1, peerIDPrefix: nil, workspaceTags: [])
        #expect(ServiceText(hidden).strings == ["v=1"])
        #expect(ServiceText(hidden).wireBytes == [3] + Array("v=1".utf8))
    }

    @Test func aModelServerIsOfferedByItsPort() throws {
        let name = ServiceInstance.randomName()
        let instance = try ServiceInstance(name: name, port: 1, peerIDPrefix: "abcdefg2", workspaceTags: [])
        let offering = try instance.with(workspaceTags: [], modelPort: 11_434)
        #expect(ServiceText(offering).strings == ["v=1", "id=abcdefg2", "m=11434"])
        #expect(offering.name != name, "what is announced under one name does not change")
        let hidden = try ServiceInstance(name: name, port: 1, peerIDPrefix: nil, workspaceTags: [], modelPort: 1)
        #expect(ServiceText(hidden).strings == ["v=1"])
        #expect(throws: DiscoveryError.badPort) { try instance.with(workspaceTags: [], modelPort: 0) }
        #expect(read("v=1", "m=11434")?.modelPort == 11_434)
        for port in ["0", "65536", "", "+1", "1a", "-1", " 1"] {
            let text = try #require(read("v=1", "id=abcdefg2", "m=\(port)"), "the rest of the record stands")
            #expect(text.modelPort == nil, "\(port)")
        }
    }

    @Test func readsWhatItWrites() throws {
        let tags: [UInt32] = (0..<16).map { $0 &* 0x1111_1111 }
        let text = ServiceText(peerIDPrefix: "zzzzzz77", workspaceTags: tags, modelPort: .max)
        #expect(ServiceText.strings(text.wireBytes).flatMap { ServiceText(strings: $0) } == text)
        let none = ServiceText(peerIDPrefix: nil, workspaceTags: [])
        #expect(ServiceText.strings(none.wireBytes).flatMap { ServiceText(strings: $0) } == none)
    }

    @Test func keysHaveNoCaseAndTheFirstCounts() {
        #expect(read("V=1", "ID=abcdefg2", "id=zzzzzzzz", "v=2", "new=thing", "flag", "=x")?.peerIDPrefix == "abcdefg2")
    }

    @Test(arguments: [
        ["id=abcdefg2"], ["v=2"], ["v="], ["v"], ["v=1", "id=abcdefg1"], ["v=1", "id=abcdefg"], ["v=1", "id=ABCDEFGH"],
        ["v=1", "w=123"], ["v=1", "w=0102a0fg"], ["v=1", "w=0102a0ff,1"], ["v=1", "w=+102a0ff"], [],
    ])
    func refusesWhatIsMalformed(strings: [String]) {
        #expect(ServiceText(strings: strings.map { Array($0.utf8) }) == nil)
    }

    @Test func keepsToItsLimits() {
        #expect(
            read("v=1", "w=" + (0..<28).map { "000000\($0 + 10)" }.joined(separator: ","))?.workspaceTags.count == 16
        )
        #expect(read("v=1", "w=00000001,00000001")?.workspaceTags == [1])
        let many = [[UInt8]](repeating: Array("v=1".utf8), count: ServiceText.maximumStrings + 1)
        #expect(ServiceText(strings: many) == nil)
        #expect(ServiceText.strings([UInt8](repeating: 0, count: ServiceText.maximumStrings)) != nil)
        #expect(ServiceText.strings([UInt8](repeating: 0, count: ServiceText.maximumStrings + 1)) == nil)
        #expect(ServiceText.strings([UInt8](repeating: 255, count: ServiceText.maximumBytes + 1)) == nil)
        #expect(ServiceText.strings([3, 118, 61]) == nil, "a string longer than the record")
    }

    @Test func survivesAnyBytes() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        let good = ServiceText(peerIDPrefix: "abcdefg2", workspaceTags: [1, 2, 3]).wireBytes
        for _ in 0..<20_000 {
            var bytes = Bool.random(using: &random) ? good : random.bytes(upTo: 300)
            for _ in 0..<Int.random(in: 0...4, using: &random) where !bytes.isEmpty {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            guard let text = ServiceText.strings(bytes).flatMap({ ServiceText(strings: $0) }) else { continue }
            #expect(text.workspaceTags.count <= ServiceText.maximumTags, "seed \(seed)")
            #expect(text.peerIDPrefix.map { $0.utf8.count == 8 } ?? true, "seed \(seed)")
        }
    }
}

@Suite struct ServiceInstanceTests {
    @Test func saysWhatIsWrong() {
        #expect(throws: DiscoveryError.badPort) {
            try ServiceInstance(name: "x", port: 0, peerIDPrefix: nil, workspaceTags: [])
        }
        for name in ["", "-x", "A", "ä", "a.b", String(repeating: "x", count: 41)] {
            #expect(throws: DiscoveryError.badInstanceName(name)) {
                try ServiceInstance(name: name, port: 1, peerIDPrefix: nil, workspaceTags: [])
            }
        }
        #expect(throws: DiscoveryError.badPeerIDPrefix("abc")) {
            try ServiceInstance(name: "x", port: 1, peerIDPrefix: "abc", workspaceTags: [])
        }
        #expect(throws: DiscoveryError.tooManyTags(17)) {
            try ServiceInstance(name: "x", port: 1, peerIDPrefix: nil, workspaceTags: Array(0..<17))
        }
    }

    @Test func randomNamesAreGoodAndDiffer() throws {
        let names = Set((0..<100).map { _ in ServiceInstance.randomName() })
        #expect(names.count == 100)
        for name in names { _ = try ServiceInstance(name: name, port: 1, peerIDPrefix: nil, workspaceTags: []) }
    }
}
