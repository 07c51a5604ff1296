import ParlanceNetwork
import Synchronization

/// What this node announces; each change is announced under a new name (discovery.md, "DNS-SD").
final class Announcer: Sendable {
    private let discovery: (any Discovery)?
    /// Nil: it announces nothing.
    private let instance: Mutex<ServiceInstance?>

    init(_ instance: ServiceInstance?, _ discovery: (any Discovery)?) {
        self.instance = Mutex(instance)
        self.discovery = discovery
    }

    /// Whether others can hear of a model server.
    var offersModels: Bool { discovery != nil && instance.withLock { $0?.peerIDPrefix != nil } }

    func use(workspaceTags: [UInt32]) {
        change { try? $0.with(workspaceTags: workspaceTags, modelPort: $0.modelPort) }
    }

    func use(modelPort: UInt16?) {
        change { present in
            let next = try? present.with(workspaceTags: present.workspaceTags, modelPort: modelPort)
            // A hidden node names none.
            return next?.modelPort == present.modelPort ? nil : next
        }
    }

    /// - Parameter changed: nil: nothing changes.
    private func change(_ changed: (ServiceInstance) -> ServiceInstance?) {
        instance.withLock { present in
            guard let next = present.flatMap(changed) else { return }
            present = next
            discovery?.announce(next)
        }
    }
}
