import ParlanceCore
import ParlanceWire
import Testing

/// What becomes of links when this machine loses an address, in virtual time (discovery.md, "Back-off").
@Suite struct LostAddressTests {
    private let bob: RemotePeer
    private let cyd: RemotePeer

    init() throws {
        bob = try RemotePeer()
        cyd = try RemotePeer(3, replica: 0x43)
    }

    private func address(_ last: UInt8) throws -> NumericAddress {
        try #require(NumericAddress([10, 0, 0, last]))
    }

    /// A bench with a lasting link to Bob by the address 10.0.0.21, and one to Cyd by 10.0.0.22.
    private func linked() throws -> EngineBench {
        var bench = try EngineBench(peers: [bob.record(), cyd.record(name: "Cyd")])
        bench.feed(.machineAddresses([try address(21), try address(22)]))
        bench.opened(1, with: bob, local: try address(21))
        bench.opened(2, with: cyd, local: try address(22))
        bench.received(bob.hello(), on: 1)
        bench.received(cyd.hello("Cyd"), on: 2)
        bench.pass(Limits.lastingMilliseconds + 1)
        _ = bench.takeEffects()
        return bench
    }

    @Test func itsLinksAreClosedAndDialledAnewAtOnce() throws {
        var bench = try linked()
        bench.feed(.machineAddresses([try address(22)]))
        #expect(bench.closed == [LinkID(1)], "Cyd's link uses another address")
        #expect(try !bench.view(of: bob.identity).connected)
        #expect(try bench.view(of: cyd.identity).connected)
        bench.pass(0)
        #expect(bench.takeDials().map(\.endpoint) == [Endpoint(host: bob.host, port: 4747)])
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(3, with: bob, local: try address(22))
        bench.received(bob.hello(), on: 3)
        #expect(try bench.view(of: bob.identity).connected)
    }

    /// The link may end before the attempt starts.
    @Test func aLinkThatEndsFirstIsDialledWithinASecond() throws {
        var bench = try linked()
        bench.feed(.machineAddresses([try address(22)]))
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.pass(Limits.backoffFirstMilliseconds)
        #expect(bench.takeDials().map(\.endpoint) == [Endpoint(host: bob.host, port: 4747)])
    }

    @Test func nothingHappensWhileTheAddressStays() throws {
        var bench = try linked()
        // More addresses, the same again, and the loss of one that no link uses.
        bench.feed(.machineAddresses([try address(21), try address(22), try address(23)]))
        bench.feed(.machineAddresses([try address(23), try address(22), try address(21)]))
        bench.feed(.machineAddresses([try address(21), try address(22)]))
        bench.pass(0)
        #expect(bench.closed.isEmpty && bench.takeDials().isEmpty)
    }

    /// A machine can have addresses that are not told, such as those of loopback.
    @Test func aLinkWhoseAddressWasNeverToldStays() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.feed(.machineAddresses([try address(21)]))
        bench.opened(1, with: bob, local: NumericAddress([127, 0, 0, 1]))
        bench.opened(2, with: cyd)
        bench.feed(.machineAddresses([]))
        #expect(bench.closed.isEmpty)
    }

    /// A link that was closed for it is not closed again when the address returns and goes once more.
    @Test func aClosedLinkIsClosedOnce() throws {
        var bench = try linked()
        bench.feed(.machineAddresses([]))
        #expect(bench.closed == [LinkID(1), LinkID(2)])
        bench.feed(.machineAddresses([try address(21), try address(22)]))
        bench.feed(.machineAddresses([]))
        #expect(bench.closed == [LinkID(1), LinkID(2)])
    }
}
