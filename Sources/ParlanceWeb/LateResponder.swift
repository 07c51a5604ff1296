import HTTPTypes
import HummingbirdCore
import NIOCore
import Synchronization

/// Waits for the responder, which knows its port, and the port is known once the server runs.
final class LateResponder: Sendable {
    private let responder = Mutex<PageResponder?>(nil)

    func begin(_ responder: PageResponder) {
        self.responder.withLock { $0 = responder }
    }

    var hasBegun: Bool { responder.withLock { $0 != nil } }

    /// Ends the streams, which would keep their connections open.
    func stop() {
        responder.withLock { $0 }?.events.stop()
    }

    func respond(to request: Request, on channel: any Channel) async -> Response {
        guard let responder = responder.withLock({ $0 }) else { return Response(status: .serviceUnavailable) }
        return await responder.respond(to: request, on: channel)
    }
}
