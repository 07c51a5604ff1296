import ParlanceWire
import Testing

/// Addresses as text, and which of them are dialled.
@Suite struct NumericAddressTests {
    @Test(arguments: [
        ([0, 0, 0, 0, 0, 0, 0, 1], "::1"), ([0, 0, 0, 0, 0, 0, 0, 0], "::"),
        ([0x2001, 0xdb8, 0, 0, 1, 0, 0, 1], "2001:db8::1:0:0:1"),
        ([0x2001, 0xdb8, 0, 1, 1, 1, 1, 1], "2001:db8:0:1:1:1:1:1"), ([0xfd00, 1, 0, 0, 0, 0, 0, 0], "fd00:1::"),
    ])
    func theTextOfIPv6IsThatOfTheRFC(_ groups: [UInt16], _ text: String) {
        #expect(NumericAddress(groups.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xff)] })?.text == text)
    }

    @Test func theTextOfIPv4() {
        #expect(NumericAddress([10, 0, 255, 7])?.text == "10.0.255.7")
        for count in [0, 3, 5, 15, 17] { #expect(NumericAddress([UInt8](repeating: 1, count: count)) == nil) }
    }

    @Test(arguments: [
        ([127, 0, 0, 1], AddressRange.loopback), ([224, 0, 0, 1], .unusable), ([0, 0, 0, 0], .unusable),
        ([192, 168, 1, 1], .ordinary), ([0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [1], .linkLocalIPv6),
    ])
    func onlyOrdinaryOnesAreDialledForOthers(_ bytes: [UInt8], _ range: AddressRange) {
        #expect(NumericAddress(bytes)?.range == range)
    }
}
