package import ParlanceCore

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#endif

/// The interfaces of this machine, by name and by number.
package enum NetworkInterface {
    /// The name of an interface; `nil` if there is none with this number.
    static func name(_ index: UInt32) -> String? {
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether there is an interface with this name.
    package static func exists(named name: String) -> Bool { if_nametoindex(name) != 0 }

    /// Whether there is an interface with this name or number.
    static func exists(_ zone: String) -> Bool { exists(named: zone) || UInt32(zone).flatMap(name) != nil }
}

extension Endpoint {
    /// Why nothing can be dialled there, as far as the address and the interfaces of this machine show.
    var fault: DialFailure? {
        guard let zoned = ZonedAddress(host) else { return nil }
        if zoned.lacksZone { return .needsInterface }
        guard let zone = zoned.zone, !NetworkInterface.exists(zone) else { return nil }
        return .noInterface(zone)
    }

    /// The endpoint with the name of the interface in place of its number, as people know it.
    package var named: Endpoint {
        guard let zone = ZonedAddress(host)?.zone, let name = UInt32(zone).flatMap(NetworkInterface.name) else {
            return self
        }
        return Endpoint(host: "\(host.withoutZone)%\(name)", port: port)
    }
}

/// An endpoint that cannot be dialled, whatever the network does.
struct UnusableEndpoint: Error {
    let failure: DialFailure
}
