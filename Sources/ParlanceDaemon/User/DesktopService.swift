import ParlanceCore
import ParlanceNode
import ServiceLifecycle

/// Tells the node what the user's desktop session shows of the user.
struct DesktopService: Service {
    let inbox: Inbox

    func run() async throws {
        let session = DesktopSession { [inbox] sight in inbox.offer(.userSeen(sight, by: .session)) }
        session.start()
        // Whether the group shuts it down or is cancelled, it stops.
        try? await gracefulShutdown()
        await session.stop()
    }
}
