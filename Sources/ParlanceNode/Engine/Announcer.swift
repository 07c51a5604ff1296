package import Logging
package import ParlanceNetwork
import Synchronization

/// What this node announces; each change is announced under a new name (discovery.md, "DNS-SD").
package final class Announcer: Sendable {
    private let discovery: (any Discovery)?
    private let instance: Mutex<ServiceInstance>
    private let logger: Logger

    package init(_ instance: ServiceInstance, _ discovery: (any Discovery)?, _ logger: Logger) {
        self.instance = Mutex(instance)
        (self.discovery, self.logger) = (discovery, logger)
    }

    /// Whether others can hear of a model server.
    var offersModels: Bool { discovery != nil && instance.withLock { $0.peerIDPrefix != nil } }

    package func use(workspaceTags: [UInt32]) {
        change { present throws(DiscoveryError) in
            try present.with(workspaceTags: workspaceTags, modelPort: present.modelPort)
        }
    }

    func use(modelPort: UInt16?) {
        change { present throws(DiscoveryError) in
            let next = try present.with(workspaceTags: present.workspaceTags, modelPort: modelPort)
            // A hidden node names none.
            return next.modelPort == present.modelPort ? nil : next
        }
    }

    /// - Parameter changed: nil: nothing changes.
    private func change(_ changed: (ServiceInstance) throws(DiscoveryError) -> ServiceInstance?) {
        instance.withLock { present in
            do throws(DiscoveryError) {
                guard let next = try changed(present) else { return }
                present = next
                discovery?.announce(next)
            } catch {
                // Others would go on to see what was announced before, and nobody would know why they do not find this node.
                logger.error("What this node announces does not fit into mDNS", metadata: ["reason": "\(error)"])
            }
        }
    }
}
