import NIOCore
import NIOPosix
package import ParlanceCore
import ParlanceWords
import Synchronization

extension LinkService {
    /// Tests whether connections are accepted at an endpoint, and closes without sending a byte; reports one `probed`.
    package func probe(_ id: DialID, _ endpoint: Endpoint) {
        guard !state.withLock({ $0.isStopping }) else { return }
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.seconds(Self.connectSeconds))
        connect(bootstrap, to: endpoint).whenComplete { [observer] result in
            switch result {
            case .success(let channel):
                channel.close(promise: nil)
                observer.offer([.probed(id, failure: nil)])
            case .failure(let error):
                observer.offer([.probed(id, failure: DialFailure(connecting: error).text.english)])
            }
        }
    }
}

/// A caller that was not of this network, or spoke another version.
package struct RefusedCall: Equatable, Sendable {
    package enum Reason: Hashable, Sendable {
        case version(UInt8)
        /// The caller is open while this node is in a workspace, or the reverse, or is in another workspace.
        case otherNetwork
        /// The caller proved this node's own identity, and is another process: a node that calls itself notices that
        /// before it proves anything.
        case twin
    }

    package var reason: Reason
    package var host: String
    /// How many calls there were for this reason, with less than 10 minutes between two.
    package var count: Int

    package init(reason: Reason, host: String, count: Int) {
        self.reason = reason
        self.host = host
        self.count = count
    }
}

extension LinkService {
    /// The callers that were refused in the last minutes: the last one for each reason.
    package var refusedCalls: [RefusedCall] {
        let now = NIODeadline.now()
        return state.withLock { $0.refusedCalls.filter { now - $0.last < Self.refusedCallsKeptFor }.map(\.call) }
    }

    func noteRefused(_ error: LinkError, host: String) {
        let reason: RefusedCall.Reason
        switch error {
        case .unknownVersion(let version): reason = .version(version)
        case .modeNotTaken: reason = .otherNetwork
        case .certificate(.ownIdentity): reason = .twin
        default: return
        }
        state.withLock { state in
            let now = NIODeadline.now()
            state.refusedCalls.removeAll { now - $0.last >= Self.refusedCallsKeptFor }
            let index = state.refusedCalls.firstIndex { $0.call.reason == reason }
            let count = index.map { state.refusedCalls.remove(at: $0).call.count } ?? 0
            state.refusedCalls.insert((RefusedCall(reason: reason, host: host, count: count + 1), now), at: 0)
            if state.refusedCalls.count > Self.refusedCallsKept { state.refusedCalls.removeLast() }
        }
    }

    private static let refusedCallsKept = 8
    /// How long a refused call is reported: a caller that has joined this network since then no longer calls in this
    /// way.
    private static let refusedCallsKeptFor = TimeAmount.minutes(10)
}
