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

    /// Every text of one is read back, and the other forms of RFC 4291 too.
    @Test(arguments: [
        ("::", "::"), ("::1", "::1"), ("FE80::1", "fe80::1"), ("fd00:1::", "fd00:1::"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("::ffff:10.0.0.1", "::ffff:a00:1"),
        ("0:0:0:0:0:0:13.1.68.3", "::d01:4403"), ("10.0.255.7", "10.0.255.7"), ("0.0.0.0", "0.0.0.0"),
    ])
    func textsAreRead(_ text: String, _ again: String) {
        #expect(NumericAddress(text: text)?.text == again)
    }

    @Test(arguments: [
        "", ":", ":::", "::1::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "12345::", "g::",
        "+1::", "::1%eth0", "[::1]", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "10.0.0", "10.0.0.1.2", "10.0.0.256",
        "10.0.0.01",
        "10.0.0.", "10.0.0.+1", "ship.lan", "10.0.0.1:4747", "\u{661}0.0.0.1",
    ])
    func otherTextsAreRefused(_ text: String) {
        #expect(NumericAddress(text: text) == nil)
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
