#if os(Linux)
import CAvahiCore
import Logging
import ParlanceWords

/// mDNS inside this process: libavahi-core on a separate thread, without daemon and D-Bus.
/// Objects of the library are used only before its thread starts and after it has ended, in its callbacks (which are on
/// its thread), and under its lock. Therefore `@unchecked Sendable` is correct.
final class EmbeddedBackend: DiscoveryBackend, @unchecked Sendable {
    let options: DiscoveryOptions
    let logger: Logger
    let report: @Sendable (BackendEvent) -> Void
    var announcement: Announcement?
    var queue: ResolveQueue
    var serviceGroup: OpaquePointer?
    var addressGroups: [UInt32: OpaquePointer] = [:]
    var published: Announcement?

    private var poll: OpaquePointer?
    private var guardedPoll: UnsafeMutablePointer<ParlanceGuardedPoll>?
    private(set) var server: OpaquePointer?
    private var browser: OpaquePointer?

    /// Questions open at one time: enough to find a large office in seconds.
    static let parallelQuestions = 64
    /// How many times a peer that is listed but does not answer is asked (5 s each, by the library).
    static let attempts = 4
    /// Packets per second and interface that the library may send, so that it does not answer a flood with another.
    static let packetsPerSecond: UInt32 = 200

    init(options: DiscoveryOptions, logger: Logger, report: @escaping @Sendable (BackendEvent) -> Void) {
        self.options = options
        self.logger = logger
        self.report = report
        self.queue = ResolveQueue(
            parallel: Self.parallelQuestions,
            capacity: 4 * options.cacheLimit,
            attempts: Self.attempts
        )
    }

    func start(_ announcement: Announcement) {
        self.announcement = announcement
        AvahiLog.direct(to: logger)
        guard let poll = avahi_threaded_poll_new() else { return fail(Phrase("there is not enough memory for it")) }
        self.poll = poll
        guardedPoll = parlance_guarded_poll_new(avahi_threaded_poll_get(poll)) { bytes, count in
            PacketGuard.accepts(UnsafeRawBufferPointer(start: bytes, count: count)) ? 1 : 0
        }
        guard let guardedPoll, let server = makeServer(guardedPoll, named: announcement.name) else { return }
        self.server = server
        browser = makeBrowser(server)
        guard browser != nil else { return fail(Self.text(avahi_server_errno(server))) }
        if avahi_threaded_poll_start(poll) < 0 { fail(Phrase("its thread could not be started")) }
    }

    func announce(_ announcement: Announcement) {
        guard let poll else { return }
        avahi_threaded_poll_lock(poll)
        defer { avahi_threaded_poll_unlock(poll) }
        self.announcement = announcement
        if let server, avahi_server_get_state(server) == AVAHI_SERVER_RUNNING { publish(on: server) }
    }

    /// Freeing the server sends the goodbyes, and also frees its browsers, its open questions and its records.
    func stop(completion: @escaping @Sendable () -> Void) {
        if let poll { avahi_threaded_poll_stop(poll) }
        if let server { avahi_server_free(server) }
        if let poll { avahi_threaded_poll_free(poll) }
        parlance_guarded_poll_free(guardedPoll)
        (poll, guardedPoll, server, browser, serviceGroup, addressGroups) = (nil, nil, nil, nil, nil, [:])
        completion()
    }

    func fail(_ reason: Phrase) { report(.failed(reason: reason)) }

    /// The library's text for one of its error codes.
    static func text(_ code: Int32) -> Phrase {
        avahi_strerror(code).map { Phrase(verbatim: String(cString: $0)) } ?? Phrase("error \(code)")
    }

    static func from(_ context: UnsafeMutableRawPointer?) -> EmbeddedBackend? {
        context.map { Unmanaged<EmbeddedBackend>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Unretained: the owner keeps the backend until `stop` has ended the library's thread.
    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

// MARK: - Server

extension EmbeddedBackend {
    private func makeServer(_ poll: UnsafeMutablePointer<ParlanceGuardedPoll>, named name: String) -> OpaquePointer? {
        var config = AvahiServerConfig()
        avahi_server_config_init(&config)
        defer { avahi_server_config_free(&config) }
        configure(&config, hostName: name)
        var code: Int32 = 0
        let server = poll.withMemoryRebound(to: AvahiPoll.self, capacity: 1) { api in
            avahi_server_new(
                api,
                &config,
                { server, state, context in
                    guard let server, let backend = EmbeddedBackend.from(context) else { return }
                    backend.serverBecame(state, server)
                },
                context,
                &code
            )
        }
        if server == nil { fail(Self.text(code)) }
        return server
    }

    private func configure(_ config: inout AvahiServerConfig, hostName: String) {
        avahi_free(config.host_name)
        config.host_name = avahi_strdup(hostName)
        config.use_ipv6 = options.useIPv6 ? 1 : 0
        config.disallow_other_stacks = 0
        config.enable_wide_area = 0
        config.publish_hinfo = 0
        config.publish_workstation = 0
        config.publish_domain = 0
        // Two stacks on one host would compete for the reverse record of its address, so we publish our address without
        // one.
        config.publish_addresses = 0
        config.ratelimit_interval = 1_000_000
        config.ratelimit_burst = Self.packetsPerSecond
        for name in options.interfaces {
            config.allow_interfaces = avahi_string_list_add(config.allow_interfaces, name)
        }
    }

    private func serverBecame(_ state: AvahiServerState, _ server: OpaquePointer) {
        switch state {
        case AVAHI_SERVER_RUNNING:
            publish(on: server)
            report(.up)
        case AVAHI_SERVER_COLLISION: report(.nameTaken)
        case AVAHI_SERVER_FAILURE: fail(Self.text(avahi_server_errno(server)))
        default: break
        }
    }
}
#endif
