import ParlanceWire

/// How many links strangers may hold: those that have not authenticated, and those of peers that are not accepted.
/// Loopback has a separate quota, and so has each address from which an accepted peer was linked, so that a flood of
/// strangers does not keep friends out. Pure: time is an argument.
struct LinkQuota {
    /// The sizes; tests make them smaller.
    struct Sizes: Sendable {
        var unauthenticated = Limits.unauthenticatedLinks
        var unauthenticatedPerAddress = Limits.unauthenticatedLinksPerAddress
        var startsPerSecond = Limits.startsPerSecondPerAddress
        var unaccepted = Limits.unacceptedLinks
        var unacceptedPerAddress = Limits.unacceptedLinksPerAddress
        /// Links of each of the two kinds from this machine; if `nil`, loopback counts like any other address.
        var loopback: Int? = 32
        /// How many addresses of accepted peers are remembered; the oldest is forgotten first.
        var knownAddresses = 1024

        init() {}

        /// Strangers of all kinds together use at most half of the open files: the rest is for the store, the control
        /// socket, discovery and friends.
        init(openFiles: Int) {
            let share = max(1, openFiles / 8)
            unauthenticated = min(unauthenticated, share)
            unaccepted = min(unaccepted, share)
            loopback = loopback.map { min($0, share) }
        }
    }

    private let sizes: Sizes
    private var unauthenticated: [AddressGroup: Int] = [:]
    /// Places that count against the total of those that have not authenticated, the oldest first.
    private var halfOpen: [Place] = []
    private var lastPlace: UInt64 = 0
    private var unaccepted: [AddressGroup: Int] = [:]
    /// Links that count against the total.
    private var unacceptedTotal = 0
    private var starts: [AddressGroup: Int] = [:]
    private var second: Int64 = .min
    private var known: Set<AddressGroup> = []
    private var knownInOrder: [AddressGroup] = []

    init(_ sizes: Sizes) {
        self.sizes = sizes
    }

    /// A place for a link that has not authenticated; return it with `endUnauthenticated`.
    struct Place: Equatable, Sendable {
        let group: AddressGroup
        let counted: Bool
        /// Different for each place of a link that has not authenticated.
        var number: UInt64 = 0
    }

    /// A link that may start.
    struct Start: Equatable, Sendable {
        let place: Place
        /// The link that has to end for it: if all places are taken, the oldest link has had the longest time to say who
        /// it is.
        var evicted: Place?
    }

    /// Reserves a place for one more link from there, if it may start; `second` is any monotonic clock of whole
    /// seconds.
    mutating func startUnauthenticated(_ group: AddressGroup, second now: Int64) -> Start? {
        if now != second {
            second = now
            starts.removeAll(keepingCapacity: true)
        }
        if group == .loopback, let loopback = sizes.loopback {
            guard unauthenticated[group, default: 0] < loopback else { return nil }
            return Start(place: takePlace(group, counted: false))
        }
        let isKnown = known.contains(group)
        guard starts[group, default: 0] < sizes.startsPerSecond,
            unauthenticated[group, default: 0] < sizes.unauthenticatedPerAddress,
            isKnown || sizes.unauthenticated > 0
        else { return nil }
        starts[group, default: 0] += 1
        var evicted: Place?
        if !isKnown, halfOpen.count >= sizes.unauthenticated, let oldest = halfOpen.first {
            endUnauthenticated(oldest)
            evicted = oldest
        }
        return Start(place: takePlace(group, counted: !isKnown), evicted: evicted)
    }

    private mutating func takePlace(_ group: AddressGroup, counted: Bool) -> Place {
        lastPlace += 1
        let place = Place(group: group, counted: counted, number: lastPlace)
        unauthenticated[group, default: 0] += 1
        if counted { halfOpen.append(place) }
        return place
    }

    /// Returns a place; nothing happens if it was taken away.
    mutating func endUnauthenticated(_ place: Place) {
        if place.counted {
            guard let index = halfOpen.firstIndex(of: place) else { return }
            halfOpen.remove(at: index)
        }
        Self.decrement(&unauthenticated, place.group)
    }

    /// Reserves a place for one more link of a peer that is not accepted, if it may stay; return it with
    /// `endUnaccepted`.
    mutating func startUnaccepted(_ group: AddressGroup) -> Place? {
        let isLoopback = group == .loopback && sizes.loopback != nil
        let limit = isLoopback ? sizes.loopback ?? 0 : sizes.unacceptedPerAddress
        guard unaccepted[group, default: 0] < limit, isLoopback || unacceptedTotal < sizes.unaccepted else {
            return nil
        }
        return holdUnaccepted(group)
    }

    /// Reserves a place for a link that is up already and whose peer is no longer accepted.
    mutating func holdUnaccepted(_ group: AddressGroup) -> Place {
        let counted = !(group == .loopback && sizes.loopback != nil)
        unaccepted[group, default: 0] += 1
        if counted { unacceptedTotal += 1 }
        return Place(group: group, counted: counted)
    }

    mutating func endUnaccepted(_ place: Place) {
        Self.decrement(&unaccepted, place.group)
        if place.counted { unacceptedTotal -= 1 }
    }

    /// Remembers an address from which an accepted peer is linked.
    mutating func remember(_ group: AddressGroup) {
        guard known.insert(group).inserted else { return }
        knownInOrder.append(group)
        if knownInOrder.count > sizes.knownAddresses { known.remove(knownInOrder.removeFirst()) }
    }

    private static func decrement(_ counts: inout [AddressGroup: Int], _ group: AddressGroup) {
        let rest = (counts[group] ?? 0) - 1
        counts[group] = rest > 0 ? rest : nil
    }
}
