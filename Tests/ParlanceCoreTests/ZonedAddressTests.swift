import ParlanceCore
import ParlanceWire
import Testing

/// Addresses with the interface behind them.
@Suite struct ZonedAddressTests {
    @Test(arguments: ["fe80::1%eth1", "fe80::1%3", "fe80::1%br-0a1b2c3d4e5f"])
    func anInterfaceIsRead(_ host: String) throws {
        let address = try #require(ZonedAddress(host))
        #expect(address.zone == String(host.dropFirst("fe80::1%".count)) && !address.lacksZone)
    }

    @Test(arguments: ["fe80::1%", "fe80::1%eth1:4747", "fe80::1%a b", "fe80::1%a/b", "10.0.0.1%eth1", "host%eth1"])
    func whatIsNoInterfaceIsRefused(_ host: String) {
        #expect(ZonedAddress(host) == nil)
    }

    @Test func aNameIsNoLongerThanTheKernelTakes() {
        let longest = String(repeating: "x", count: Limits.interfaceNameBytes)
        #expect(ZonedAddress("fe80::1%" + longest)?.zone == longest)
        #expect(ZonedAddress("fe80::1%" + longest + "x") == nil)
    }

    @Test func onlyLinkLocalAddressesLackOne() {
        #expect(ZonedAddress("fe80::1")?.lacksZone == true)
        #expect(ZonedAddress("fd00::1")?.lacksZone == false && ZonedAddress("10.0.0.1")?.lacksZone == false)
    }
}
