import Foundation
import Testing

@testable import ParlanceNetwork

/// What counts as an address of this machine.
@Suite struct NetworkMonitorTests {
    /// The flags of an interface: a cable that is pulled takes the carrier, and not the address; one that is switched off
    /// takes both.
    @Test(arguments: [
        (Int32(IFF_UP) | Int32(IFF_RUNNING), true, true), (Int32(IFF_UP), true, false),
        (Int32(IFF_RUNNING), false, false),
    ])
    func anAddressIsThereWhileItsInterfaceIsUp(_ flags: Int32, _ isThere: Bool, _ isRunning: Bool) throws {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_addr.s_addr = UInt32(0x0A00_0009).bigEndian
        let (found, withoutLink) = "eth0".withCString { name in
            withUnsafeMutablePointer(to: &place) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    var entry = ifaddrs()
                    entry.ifa_name = UnsafeMutablePointer(mutating: name)
                    entry.ifa_addr = address
                    entry.ifa_flags = UInt32(bitPattern: flags)
                    #expect(NetworkMonitor.nameWithoutLink(entry) == nil, "a tunnel has no cable")
                    entry.ifa_flags |= UInt32(bitPattern: Int32(IFF_BROADCAST))
                    return (NetworkMonitor.address(entry), NetworkMonitor.nameWithoutLink(entry))
                }
            }
        }
        #expect((found != nil) == isThere)
        #expect(withoutLink == (isThere && isRunning ? nil : "eth0"))
        #expect(found.map { $0.isRunning } == (isThere ? isRunning : nil))
        #expect(found.map { $0.bytes } == (isThere ? [10, 0, 0, 9] : nil))
    }
}
