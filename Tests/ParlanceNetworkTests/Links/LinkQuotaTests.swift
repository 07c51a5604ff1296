import NIOCore
import ParlanceWire
import Testing

@testable import ParlanceNetwork

@Suite struct LinkQuotaTests {
    private func group(_ address: String, to local: String? = nil) throws -> AddressGroup {
        let remote = try SocketAddress(ipAddress: address, port: 1)
        return AddressGroup(remote, local: try local.map { try SocketAddress(ipAddress: $0, port: 4747) })
    }

    @Test func addressesAreGrouped() throws {
        for address in ["127.0.0.1", "127.9.9.9", "::1"] {
            #expect(try group(address) == .loopback)
        }
        #expect(try group("10.0.0.1") != group("10.0.0.2"))
        #expect(try group("2001:db8:0:1::1") == group("2001:db8:0:1:ffff::2"))
        #expect(try group("2001:db8:0:1::1") != group("2001:db8:0:2::1"))
        #expect(try group("::ffff:10.0.0.1") == group("10.0.0.1"))
        #expect(AddressGroup(nil) == .other)
    }

    /// A /64 of another network is one host's to choose from; the one that this node is in is all of its neighbours'.
    @Test func neighboursCountByTheirAddresses() throws {
        let own = "2001:db8:0:1::9"
        #expect(try group("2001:db8:0:1::1", to: own) != group("2001:db8:0:1::2", to: own))
        #expect(try group("2001:db8:0:2::1", to: own) == group("2001:db8:0:2::2", to: own))
        #expect(try group("fe80::1", to: "fe80::9") != group("fe80::2", to: "fe80::9"))
        #expect(try group("fe80::1") != group("fe80::2"))
        let quota = Quota(.init())
        for _ in 0..<Limits.unauthenticatedLinksPerAddress {
            #expect(quota.startUnauthenticated(try group("2001:db8:0:1::1", to: own), second: 0) != nil)
        }
        #expect(quota.startUnauthenticated(try group("2001:db8:0:1::1", to: own), second: 0) == nil)
        #expect(quota.startUnauthenticated(try group("2001:db8:0:1::2", to: own), second: 0) != nil)
    }

    /// The nodes of a machine with many users reach each other at its address in the network.
    @Test func thisMachineIsLoopbackAtWhateverAddress() throws {
        for own in ["10.0.0.1", "2001:db8:0:1::1", "fe80::1"] {
            #expect(try group(own, to: own) == .loopback, "\(own)")
        }
        #expect(try group("::ffff:10.0.0.1", to: "10.0.0.1") == .loopback)
        #expect(try group("10.0.0.2", to: "10.0.0.1") == .v4(0x0A00_0002))
    }

    @Test func fourOfAnAddressAndSixtyFourInAll() throws {
        let quota = Quota(.init())
        var places: [LinkQuota.Place] = []
        for address in 0..<Limits.unauthenticatedLinks / Limits.unauthenticatedLinksPerAddress {
            for _ in 0..<Limits.unauthenticatedLinksPerAddress {
                places.append(try #require(quota.startUnauthenticated(.v4(UInt32(address)), second: 0)))
            }
            #expect(quota.startUnauthenticated(.v4(UInt32(address)), second: 0) == nil)
        }
        #expect(quota.startUnauthenticated(.loopback, second: 0) != nil && quota.evicted.isEmpty)
        // One more takes the place of the oldest, which makes room at its address too.
        #expect(quota.startUnauthenticated(.v4(99), second: 0) != nil && quota.evicted == [places[0]])
        #expect(quota.startUnauthenticated(.v4(98), second: 0) != nil && quota.evicted == Array(places[...1]))
        quota.endUnauthenticated(places[0])
        #expect(quota.startUnauthenticated(.v4(97), second: 0) != nil && quota.evicted == Array(places[...2]))
        quota.endUnauthenticated(places[3])
        #expect(quota.startUnauthenticated(.v4(96), second: 0) != nil && quota.evicted.count == 3)
        #expect(quota.startUnauthenticated(.v4(0), second: 1) != nil, "nothing is left of what ended")
    }

    /// A process that may open few files reserves half of them for itself and for friends.
    @Test func fewOpenFilesMeanFewStrangers() {
        let few = LinkQuota.Sizes(openFiles: 64)
        let most = few.unauthenticated + few.unaccepted + 2 * (few.loopback ?? 0)
        #expect(most == 32 && few.unauthenticated > 0)
        let many = LinkQuota.Sizes(openFiles: 1_024)
        #expect(many.unauthenticated == Limits.unauthenticatedLinks && many.unaccepted == Limits.unacceptedLinks)
        #expect(many.loopback == 32)
    }

    /// Some of the files that the process may open are reserved for the store and for people.
    @Test func descriptorsAreKept() throws {
        let identity = LocalIdentity.sample(1)
        #expect(
            LinkService.Configuration(identity: identity, openFiles: 1_024).firstKeptDescriptor
                == 1_024 - Limits.descriptorsKept
        )
        #expect(LinkService.Configuration(identity: identity, openFiles: 64).firstKeptDescriptor == 56)
    }

    @Test func tenStartsASecond() throws {
        let quota = Quota(.init())
        for _ in 0..<Limits.startsPerSecondPerAddress {
            quota.endUnauthenticated(try #require(quota.startUnauthenticated(.v6(1), second: 5)))
        }
        #expect(quota.startUnauthenticated(.v6(1), second: 5) == nil)
        #expect(quota.startUnauthenticated(.v6(2), second: 5) != nil)
        #expect(quota.startUnauthenticated(.v6(1), second: 6) != nil)
    }

    @Test func friendsHaveAQuotaOfTheirOwn() throws {
        let quota = Quota(.init())
        quota.remember(.v4(1000))
        for address in 0..<64 { _ = quota.startUnauthenticated(.v4(UInt32(address)), second: 0) }
        var places: [LinkQuota.Place] = []
        for _ in 0..<4 { places.append(try #require(quota.startUnauthenticated(.v4(1000), second: 0))) }
        #expect(quota.startUnauthenticated(.v4(1000), second: 0) == nil)
        // Their places are nobody else's: strangers end strangers.
        for address in 100..<200 { #expect(quota.startUnauthenticated(.v4(UInt32(address)), second: 0) != nil) }
        #expect(quota.evicted.count == 100 && !quota.evicted.contains { $0.group == .v4(1000) })
        for place in places { quota.endUnauthenticated(place) }
        #expect(quota.startUnauthenticated(.v4(99), second: 0) != nil && quota.evicted.count == 101)
    }

    @Test func knownAddressesAreForgottenOldestFirst() {
        var sizes = LinkQuota.Sizes()
        sizes.unauthenticated = 0
        sizes.knownAddresses = 2
        let quota = Quota(sizes)
        for address: UInt32 in [1, 2, 1, 3] { quota.remember(.v4(address)) }
        #expect(quota.startUnauthenticated(.v4(1), second: 0) == nil)
        #expect(quota.startUnauthenticated(.v4(2), second: 0) != nil)
        #expect(quota.startUnauthenticated(.v4(3), second: 0) != nil)
    }

    @Test func linksThatAreNotAcceptedAreLimited() throws {
        let quota = Quota(.init())
        var places: [LinkQuota.Place] = []
        for address in 0..<Limits.unacceptedLinks / Limits.unacceptedLinksPerAddress {
            for _ in 0..<Limits.unacceptedLinksPerAddress {
                places.append(try #require(quota.startUnaccepted(.v4(UInt32(address)))))
            }
            #expect(quota.startUnaccepted(.v4(UInt32(address))) == nil)
        }
        #expect(quota.startUnaccepted(.v4(99)) == nil)
        for _ in 0..<32 { #expect(quota.startUnaccepted(.loopback) != nil) }
        #expect(quota.startUnaccepted(.loopback) == nil)
        quota.endUnaccepted(places[0])
        #expect(quota.startUnaccepted(.v4(99)) != nil)
        // A peer that is no longer accepted keeps its link, and counts against the quota.
        quota.endUnaccepted(places[1])
        _ = quota.holdUnaccepted(.v4(7))
        #expect(quota.startUnaccepted(.v4(98)) == nil)
    }
}

/// A quota behind a reference, because the testing macros call no mutating functions.
private final class Quota {
    private var quota: LinkQuota

    private(set) var evicted: [LinkQuota.Place] = []

    init(_ sizes: LinkQuota.Sizes) { quota = LinkQuota(sizes) }

    func startUnauthenticated(_ group: AddressGroup, second: Int64) -> LinkQuota.Place? {
        let start = quota.startUnauthenticated(group, second: second)
        if let place = start?.evicted { evicted.append(place) }
        return start?.place
    }

    func endUnauthenticated(_ place: LinkQuota.Place) { quota.endUnauthenticated(place) }
    func startUnaccepted(_ group: AddressGroup) -> LinkQuota.Place? { quota.startUnaccepted(group) }
    func holdUnaccepted(_ group: AddressGroup) -> LinkQuota.Place { quota.holdUnaccepted(group) }
    func endUnaccepted(_ place: LinkQuota.Place) { quota.endUnaccepted(place) }
    func remember(_ group: AddressGroup) { quota.remember(group) }
}
