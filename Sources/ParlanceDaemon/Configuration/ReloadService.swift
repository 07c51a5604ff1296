import ParlanceControl
import ParlanceErrorCode
import ParlanceProfile
import ParlanceWords
import ServiceLifecycle
import UnixSignals

/// Reads the settings again when it is asked to: by SIGHUP, or by a client.
struct ReloadService: Service {
    typealias Reply = @Sendable (Result<ConfigReloadReply, DaemonError>) -> Void

    let settings: LiveSettings
    private let status: @Sendable () -> String
    private let requests: AsyncStream<Reply>
    private let request: AsyncStream<Reply>.Continuation

    /// - Parameter status: what systemd shows while the node runs.
    init(_ settings: LiveSettings, status: @escaping @Sendable () -> String) {
        self.settings = settings
        self.status = status
        (requests, request) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(ControlLimits.waitingReloads))
    }

    /// Asks for it and returns at once; calls `reply` once.
    func ask(_ reply: @escaping Reply) {
        switch request.yield(reply) {
        case .enqueued: break
        default: reply(.failure(DaemonError(.busy, "The daemon is busy or stops.", advice: "Try again later.")))
        }
    }

    func run() async throws {
        for await reply in requests.cancelOnGracefulShutdown() {
            ServiceManager.reloading()
            let result: Result<ConfigReloadReply, DaemonError>
            do throws(DaemonError) {
                result = .success(try await settings.reload())
            } catch {
                result = .failure(error)
            }
            ServiceManager.ready(status())
            reply(result)
        }
        request.finish()
        for await reply in requests {
            reply(.failure(DaemonError(.stopping, "The daemon stops.", advice: "Its next start reads the settings.")))
        }
    }
}

/// Passes SIGHUP on.
struct HangUpService: Service {
    let signals: UnixSignalsSequence
    let reload: ReloadService

    func run() async throws {
        for await _ in signals.cancelOnGracefulShutdown() { reload.ask { _ in } }
    }
}
