import CDNSSD
import Dispatch
import ParlanceWords

/// mDNS through the system's own service: Avahi's daemon on Linux, the system itself on macOS (`dns_sd.h`).
/// Its calls may block while the bus or the daemon hangs, so it has a separate serial queue, which owns every
/// reference. When the daemon or the bus dies the whole backend fails; a new one is made later.
final class SystemBackend: DiscoveryBackend, @unchecked Sendable {
    private let library: SystemLibrary
    private let report: @Sendable (BackendEvent) -> Void
    private let queue = DispatchQueue(label: "parlance.discovery.system")
    private let live = DispatchGroup()
    private var ownName = ""
    private var announced: Announcement?
    private var registration: SystemOperation?
    private var browser: SystemOperation?
    private var isStopped = false
    private var questions: ResolveQueue
    private var lookups: [ServiceRecord.Place: SystemLookup] = [:]
    /// How many times each place is listed: the daemon lists it once for IPv4 and once for IPv6, without distinction.
    private var listed: [ServiceRecord.Place: Int] = [:]
    private let capacity: Int

    /// Questions open at one time: each costs up to two threads of Avahi's library.
    static let parallelQuestions = 8
    /// How many times a peer that is listed but does not answer is asked.
    static let attempts = 4

    init(library: SystemLibrary, options: DiscoveryOptions, report: @escaping @Sendable (BackendEvent) -> Void) {
        self.library = library
        self.report = report
        capacity = 4 * options.cacheLimit
        questions = ResolveQueue(parallel: Self.parallelQuestions, capacity: capacity, attempts: Self.attempts)
    }

    func start(_ announcement: Announcement) { queue.async { self.register(announcement) } }

    func announce(_ announcement: Announcement) { queue.async { self.register(announcement) } }

    func stop(completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            isStopped = true
            registration?.stop()
            browser?.stop()
            for lookup in lookups.values { lookup.stop() }
            (registration, browser, lookups) = (nil, nil, [:])
            live.notify(queue: queue, execute: completion)
        }
    }

    private func register(_ announcement: Announcement) {
        // The daemon itself follows interfaces that come and go.
        guard !isStopped, announced?.isSame(but: announcement) != true else { return }
        announced = announcement
        ownName = announcement.ownName
        registration?.stop()
        let operation = SystemOperation(library: library, queue: queue, live: live) { [weak self] in
            self?.registered($0)
        }
        registration = operation
        operation.register(announcement)
        if registration != nil, browser == nil { browse() }
    }

    private func registered(_ answer: SystemAnswer) {
        switch answer {
        case .registered:
            report(.up)
        case .failed(let code) where code == Int32(kDNSServiceErr_NameConflict): report(.nameTaken)
        case .failed(let code):
            registration = nil
            report(.failed(reason: Self.text(code)))
        default: break
        }
    }

    private func browse() {
        let operation = SystemOperation(library: library, queue: queue, live: live) { [weak self] in self?.browsed($0) }
        browser = operation
        operation.browse()
    }

    private func browsed(_ answer: SystemAnswer) {
        switch answer {
        case .browsed(let isAdded, let name, let interface):
            guard !name.hasPrefix(ownName), ServiceRecord.isAcceptableName(name) else { return }
            let place = ServiceRecord.Place(instance: name, interface: interface, family: 0)
            if isAdded { appeared(place) } else { vanished(place) }
        case .failed(let code):
            browser = nil
            report(.failed(reason: Self.text(code)))
        default: break
        }
    }

    private func appeared(_ place: ServiceRecord.Place) {
        guard listed[place] != nil || listed.count < capacity else { return }
        listed[place, default: 0] += 1
        questions.appeared(place)
        askNext()
    }

    private func vanished(_ place: ServiceRecord.Place) {
        guard let count = listed[place] else { return }
        listed[place] = count > 1 ? count - 1 : nil
        guard count <= 1 else { return }
        questions.vanished(place)
        report(.vanished(place))
    }

    private func askNext() {
        while !isStopped, let place = questions.next() {
            let lookup = SystemLookup(place: place, library: library, queue: queue, live: live) { [weak self] in
                self?.answered(place, $0)
            }
            lookups[place] = lookup
            lookup.start()
        }
    }

    private func answered(_ place: ServiceRecord.Place, _ record: ServiceRecord?) {
        lookups[place] = nil
        if questions.ended(place, wasAnswered: record != nil), let record { report(.resolved(record)) }
        askNext()
    }

    private static func text(_ code: Int32) -> Phrase {
        // Avahi's library has only one code, "unknown", for a daemon or a bus that is absent, died, or went away.
        code == Int32(kDNSServiceErr_Unknown)
            ? Phrase("avahi-daemon or the system bus does not answer")
            : Phrase("avahi-daemon answered with error \(code)")
    }
}
