import NIOCore
import ParlanceWire
import Testing

@testable import ParlanceNetwork

/// What the setting `listen` means.
@Suite struct ListenPlacesTests {
    @Test(
        arguments: [
            ([], []), (["127.0.0.1", "127.0.0.1"], ["127.0.0.1"]), (["::1", "0:0::1"], ["::1"]),
            (["0.0.0.0", "127.0.0.1", "::1"], ["0.0.0.0", "::1"]), (["127.0.0.1", "0.0.0.0"], ["0.0.0.0"]),
            (["::", "::1", "0::0", "127.0.0.1"], ["::", "127.0.0.1"]),
        ] as [([String], [String])]
    )
    func eachIsBoundOnce(_ given: [String], _ hosts: [String]) async throws {
        #expect(ListenPlaces(given).hosts == hosts)
        let node = TestNode(1)
        #expect(try await node.service.start(addresses: given, port: 0) > 0)
        await node.service.stop()
    }

    @Test func itTakesInWhatItNames() throws {
        let v4 = try #require(NumericAddress(text: "10.0.0.1"))
        let v6 = try #require(NumericAddress(text: "2001:db8::1"))
        #expect(ListenPlaces([]).contains(v4) && ListenPlaces([]).contains(v6))
        #expect(ListenPlaces(["0.0.0.0"]).contains(v4) && !ListenPlaces(["0.0.0.0"]).contains(v6))
        #expect(!ListenPlaces(["office.example"]).contains(v4))
        #expect(ListenPlaces(["2001:db8:0::1"]).contains(v6) && !ListenPlaces(["2001:db8::2"]).contains(v6))
    }

    /// 198.51.100.0/24 is nobody's (RFC 5737).
    @Test func whatThisComputerDoesNotHaveStopsNobody() async throws {
        let given = ["198.51.100.1", "fe80::1%nosuch0", "127.0.0.1"]
        #expect(ListenPlaces(given).absent == ["198.51.100.1", "fe80::1%nosuch0"])
        let (a, b) = (TestNode(1), TestNode(2))
        let port = try await b.service.start(addresses: given, port: 0)
        #expect(try await a.failureDialling("127.0.0.1", port) == nil)
        await a.service.stop()
        await b.service.stop()
    }

    /// The interface may come later, so the node starts, and keeps the port that it is to have there.
    @Test(arguments: [(4_799, 4_799), (0, LinkService.preferredPort)] as [(UInt16, UInt16)])
    func anInterfaceThatIsNotThereYetStopsNobody(_ wanted: UInt16, _ port: UInt16) async throws {
        let node = TestNode(1)
        #expect(try await node.service.start(addresses: ["fe80::1%nosuch0"], port: wanted) == port)
        await node.service.stop()
    }

    @Test func whatCanNeverBeAnAddressOfAComputerIsRefused() async {
        let node = TestNode(1)
        await #expect(throws: LinkListenError.self) {
            try await node.service.start(addresses: ["office.example"], port: 0)
        }
        await node.service.stop()
    }
}
