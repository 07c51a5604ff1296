import Foundation
package import ParlanceWire

extension WireMembersBody {
    /// A change of members that anybody could write, whether or not it has the right.
    ///
    /// - Parameter after: what its author says it had seen.
    package init(_ action: WireMemberAction, _ who: [PeerID] = [], after: some Sequence<EventID>) {
        self.init()
        self.action = action
        members = who.map { peer in
            var member = WireMember()
            member.id = Data(peer.bytes)
            return member
        }
        self.after = after.map { Data($0.bytes) }
    }
}
