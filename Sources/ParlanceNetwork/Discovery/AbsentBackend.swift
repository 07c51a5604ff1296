import ParlanceWords

/// Takes the place of a backend that this machine or this build does not have: it fails at once with the reason.
final class AbsentBackend: DiscoveryBackend {
    private let reason: Phrase
    private let report: @Sendable (BackendEvent) -> Void

    init(reason: Phrase, report: @escaping @Sendable (BackendEvent) -> Void) {
        self.reason = reason
        self.report = report
    }

    func start(_ announcement: Announcement) { report(.failed(reason: reason)) }

    func announce(_ announcement: Announcement) {}

    func stop(completion: @escaping @Sendable () -> Void) { completion() }
}
