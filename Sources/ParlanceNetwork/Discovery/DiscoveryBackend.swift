import ParlanceWords

/// What a backend announces: the instance under its present name.
struct Announcement: Sendable, Hashable {
    /// The instance's random name; all names under which it is announced begin with it.
    var ownName: String
    /// The name to announce: a new one at each change, so that peers, who resolve once, resolve again.
    var name: String
    var port: UInt16
    var text: ServiceText
    /// The addresses of this machine, for a backend that must publish them itself.
    var addresses: [NetworkAddress]

    /// Whether another announcement differs only in the interfaces on which it is made.
    func isSame(but other: Announcement) -> Bool {
        var mine = self
        mine.addresses = other.addresses
        return mine == other && !NetworkAddress.isRenumbered(addresses, other.addresses)
    }
}

/// What a backend reports.
enum BackendEvent: Sendable {
    /// It announces and browses.
    case up
    /// It broke and must be stopped; the reason is for people.
    case failed(reason: Phrase)
    /// Another node has the announced name; announce under another one.
    case nameTaken
    case resolved(ServiceRecord)
    case vanished(ServiceRecord.Place)
}

/// One run of an mDNS implementation: started once, stopped once, then thrown away.
///
/// All methods are called on discovery's queue; events may come from any thread.
protocol DiscoveryBackend: AnyObject, Sendable {
    /// Begins to announce and to browse.
    func start(_ announcement: Announcement)
    /// Replaces what is announced.
    func announce(_ announcement: Announcement)
    /// Withdraws the announcement, releases everything, and then calls the completion, on any thread.
    func stop(completion: @escaping @Sendable () -> Void)
}

/// The type of our service (discovery.md, "DNS-SD").
let serviceType = "_parlance._tcp"
