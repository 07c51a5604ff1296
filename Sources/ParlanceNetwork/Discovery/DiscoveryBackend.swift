/// What a backend is to announce: the instance under the name of the moment.
struct Announcement: Sendable, Hashable {
    /// The instance's own random name; all names it was ever announced under begin with it.
    var ownName: String
    /// The name to announce: a new one at each change, so that peers, who resolve once, resolve again.
    var name: String
    var port: UInt16
    var text: ServiceText
    /// Own addresses, for the backend that has to publish them itself.
    var addresses: [NetworkAddress]

    /// Whether another announcement differs in nothing but the interfaces it is made on.
    func isSame(but other: Announcement) -> Bool {
        var mine = self
        mine.addresses = other.addresses
        return mine == other && !NetworkAddress.isRenumbered(addresses, other.addresses)
    }
}

/// What a backend tells.
enum BackendEvent: Sendable {
    /// It announces and browses.
    case up
    /// It broke and is to be stopped; the reason is for people.
    case failed(reason: String)
    /// Another node has the announced name; announce another one.
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
    /// Withdraws the announcement, lets go of everything, and then calls the completion, on any thread.
    func stop(completion: @escaping @Sendable () -> Void)
}

/// The type of our service (protocol, "Discovery").
let serviceType = "_parlance._tcp"
