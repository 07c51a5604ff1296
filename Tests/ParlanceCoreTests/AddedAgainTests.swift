import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A member who was removed and added again may write only after it has applied the event that brought it back; an
/// earlier message would be void.
@Suite struct AddedAgainTests {
    /// An admin whose log forks: one copy writes texts, the other removes a member and adds it again.
    private struct Admin {
        var remote: RemotePeer
        let other: PeerID
        let group: ConversationID
        let creation: StoredEvent

        init(of other: PeerID) throws {
            remote = try RemotePeer()
            self.other = other
            var body = WireCreateBody()
            body.nonce = Data(repeating: 7, count: 16)
            body.title = "Bridge"
            body.members = [Self.member(other)]
            let bytes = body.encodedBytes()
            group = ConversationID(creator: remote.identity, creation: bytes)
            creation = remote.append(bytes, in: group, kind: .create)
        }

        private static func member(_ peer: PeerID) -> WireMember {
            var member = WireMember()
            member.id = Data(peer.bytes)
            return member
        }

        mutating func say(_ text: String) {
            var body = WireMessageBody()
            body.text = text
            remote.append(body.encodedBytes(), in: group)
        }

        mutating func change(_ action: WireMemberAction, after: StoredEvent) -> StoredEvent {
            remote.change(action, [other], after: [after], in: group)
        }
    }

    private func send(_ bench: inout EngineBench) throws -> ErrorCode? {
        switch try bench.ask(.send(who: "Bridge", text: "back")) {
        case .success: nil
        case .failure(let error): error.code
        }
    }

    private func open(_ admin: Admin, _ bench: inout EngineBench, link: UInt64) {
        bench.opened(link, with: admin.remote)
        bench.received(admin.remote.hello("Ada"), on: link)
        bench.received(admin.remote.summary(of: [(admin.group, Clock())]), on: link)
        bench.received(admin.remote.invite(admin.group, [admin.creation]), on: link)
        bench.received(admin.remote.clock(admin.group, Clock()), on: link)
    }

    @Test func whatBringsSomebodyBackHasToBeAppliedInItsBranch() throws {
        var bench = try EngineBench(peers: [RemotePeer().record(name: "Ada")])
        let admin = try Admin(of: bench.identity)
        var (one, two) = (admin, admin)
        for number in 2...5 { one.say("\(number)") }
        let removal = two.change(.remove, after: admin.creation)
        let addition = two.change(.add, after: removal)
        for number in 4...6 { two.say("other \(number)") }
        open(admin, &bench, link: 1)
        bench.received(one.remote.events(admin.group, one.remote.log), on: 1)
        #expect(bench.disk.history(of: admin.group).count == 5)
        // The log is applied beyond the sequence of the addition, but the addition is in the other branch, of which
        // nothing is held.
        bench.received(one.remote.invite(admin.group, [removal, addition]), on: 1)
        #expect(try send(&bench) == .notMember)
        bench.restart()
        open(admin, &bench, link: 2)
        #expect(try send(&bench) == .notMember)
        bench.received(two.remote.events(admin.group, two.remote.log), on: 2)
        #expect(bench.closed.isEmpty && bench.disk.snapshot.branches.count == 2)
        #expect(try send(&bench) == nil)
        #expect(bench.disk.history(of: admin.group).last?.text == "back")
        bench.restart()
        #expect(try send(&bench) == nil)
        #expect(bench.disk.history(of: admin.group).count { $0.text == "back" } == 2)
    }
}
