import Foundation
import NIOCore
import NIOPosix
package import ParlanceCore
import ParlanceWire
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
        /// before it proves anything, also through somebody who passes its bytes on.
        case twin
    }

    package var reason: Reason
    /// From where the last call came.
    package var place: Endpoint
    /// How many calls there were for this reason, with less than 10 minutes between two; of another network, from this
    /// computer.
    package var count: Int
    /// When the first of them came, in milliseconds since 1970.
    package var since: Int64
    /// How long ago the last of them came, in milliseconds.
    package var ago: Int64 = 0

    package init(reason: Reason, place: Endpoint, count: Int, since: Int64) {
        self.reason = reason
        self.place = place
        self.count = count
        self.since = since
    }
}

extension LinkService {
    /// The callers that were refused in the last minutes: the last one for each reason, and each computer of another network.
    package var refusedCalls: [RefusedCall] {
        let now = NIODeadline.now()
        return state.withLock { state in
            state.refusedCalls.compactMap { call, last in
                guard now - last < Self.keptFor(call) else { return nil }
                var call = call
                call.ago = (now - last).nanoseconds / 1_000_000
                return call
            }
        }
    }

    func noteRefused(_ error: LinkError, from place: Endpoint) {
        let reason: RefusedCall.Reason
        switch error {
        case .unknownVersion(let version): reason = .version(version)
        case .modeNotTaken: reason = .otherNetwork
        case .certificate(.ownIdentity): reason = .twin
        default: return
        }
        state.withLock { state in
            let now = NIODeadline.now()
            state.refusedCalls.removeAll { now - $0.last >= Self.keptFor($0.call) }
            let index = state.refusedCalls.firstIndex {
                $0.call.reason == reason && (reason != .otherNetwork || $0.call.place.isAt(place.host))
            }
            let before = index.map { state.refusedCalls.remove(at: $0).call }
            let call = RefusedCall(
                reason: reason,
                place: place,
                count: (before?.count ?? 0) + 1,
                since: before?.since ?? Int64(Date().timeIntervalSince1970 * 1_000)
            )
            state.refusedCalls.insert((call, now), at: 0)
            if state.refusedCalls.count > Self.refusedCallsKept { state.refusedCalls.removeLast() }
        }
    }

    private static let refusedCallsKept = 8
    /// How long a refused call is reported: a caller that has joined this network since then no longer calls in this
    /// way.
    private static let refusedCallsKeptFor = TimeAmount.minutes(10)

    /// One that runs with this node's identity calls again after 5 minutes at the latest
    /// (`Limits.backoffRefusedMilliseconds`): one that does not has gone.
    private static func keptFor(_ call: RefusedCall) -> TimeAmount {
        call.reason == .twin
            ? TimeAmount.milliseconds(Limits.backoffRefusedMilliseconds) + .minutes(1) : refusedCallsKeptFor
    }
}
