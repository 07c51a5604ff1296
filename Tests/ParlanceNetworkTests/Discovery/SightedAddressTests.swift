import Testing

@testable import ParlanceNetwork

@Suite struct SightedAddressTests {
    private func address(_ bytes: [UInt8], loopback: Bool = false, interface: UInt32 = 2) -> SightedAddress? {
        SightedAddress(bytes: bytes, port: 4747, interface: interface, isLoopbackInterface: loopback)
    }

    private let loopbackIPv6 = [UInt8](repeating: 0, count: 15) + [1]
    private let linkLocal = [0xfe, 0x80] + [UInt8](repeating: 0, count: 13) + [9]

    @Test func writesAddressesAsPeopleDo() throws {
        #expect(address([10, 0, 0, 7])?.description == "10.0.0.7:4747")
        let local = try #require(address(linkLocal))
        #expect(local.scope == 2)
        #expect(local.host == "fe80::9%2")
        #expect(local.description == "[fe80::9%2]:4747")
        let global = try #require(address([0x20, 1, 0xd, 0xb8] + [UInt8](repeating: 0, count: 11) + [1]))
        #expect(global.host == "2001:db8::1")
        #expect(global.scope == 0)
    }

    @Test func aStrangerCannotMakeUsDialOurselves() {
        #expect(address([127, 0, 0, 1]) == nil)
        #expect(address([127, 9, 9, 9]) == nil)
        #expect(address(loopbackIPv6) == nil)
        #expect(address([127, 0, 0, 1], loopback: true)?.host == "127.0.0.1")
        #expect(address(loopbackIPv6, loopback: true)?.host == "::1")
        let mapped = [UInt8](repeating: 0, count: 10) + [0xff, 0xff, 127, 0, 0, 1]
        #expect(address(mapped) == nil)
        #expect(address(mapped, loopback: true) == nil)
    }

    @Test func refusesWhatCannotBeDialled() {
        let zero = [UInt8](repeating: 0, count: 16)
        for bytes: [UInt8] in [
            [0, 0, 0, 0], [224, 0, 0, 251], [255, 255, 255, 255], zero, [0xff, 2] + zero.dropLast(2), [], [1, 2, 3],
            zero + [0], zero.dropLast(4) + [10, 0, 0, 7],
        ] {
            #expect(address(bytes, loopback: true) == nil, "\(bytes)")
        }
        #expect(address(linkLocal, interface: 0) == nil, "a link-local address without its interface")
        #expect(SightedAddress(bytes: [10, 0, 0, 7], port: 0, interface: 2, isLoopbackInterface: false) == nil)
    }

    @Test func oneOrderEverywhere() {
        let addresses = [address(linkLocal), address([10, 0, 0, 7]), address([10, 0, 0, 6])].compactMap { $0 }
        #expect(addresses.sorted().map(\.host) == ["10.0.0.6", "10.0.0.7", "fe80::9%2"])
    }

    @Test func knowsRenumberingFromComingAndGoing() {
        func list(_ entries: (UInt32, UInt8)...) -> [NetworkAddress] {
            entries.map { NetworkAddress(interface: $0.0, name: "", isLoopback: false, bytes: [10, 0, 0, $0.1]) }
        }
        #expect(!NetworkAddress.isRenumbered(list((2, 1)), list((2, 1))))
        #expect(!NetworkAddress.isRenumbered(list((2, 1)), list((2, 1), (3, 1))), "an interface came")
        #expect(!NetworkAddress.isRenumbered(list((2, 1), (3, 1)), list((2, 1))), "an interface went")
        #expect(NetworkAddress.isRenumbered(list((2, 1)), list((2, 1), (2, 2))))
        #expect(NetworkAddress.isRenumbered(list((2, 1)), list((2, 2))))
    }
}
