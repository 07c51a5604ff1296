import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// The number of a workspace key is learnt once and stays: nobody can make an old key the newest again.
@Suite struct WorkspaceNumberTests {
    private func key(_ byte: UInt8, number: UInt64 = 1) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: byte, count: 32)), number: number)
    }

    private func told(_ byte: UInt8, number: UInt64, without removed: [PeerID] = []) -> WireFrame.OneOf_Kind {
        var frame = WireWorkspaceKey()
        frame.key = key(byte).secret.withBytes { Data($0) }
        frame.number = number
        frame.removed = removed.map { Data($0.bytes) }
        return .workspaceKey(frame)
    }

    private func keys(_ bench: EngineBench) -> [WorkspaceKey] { bench.disk.snapshot.workspace?.keys ?? [] }

    /// Mallory was left out and has the old key. Ada was away, so she still accepts him, and meets him first.
    @Test func whoWasLeftOutKeepsNobodyBehind() throws {
        let (bob, mallory) = (try RemotePeer(), try RemotePeer(6, replica: 0x46))
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        bench.opened(1, with: mallory, workspaceTag: key(1).tag)
        bench.received(mallory.hello("Mallory"), on: 1)
        bench.received(told(1, number: 1 + Limits.workspaceRotations), on: 1)
        bench.opened(2, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 2)
        bench.received(told(2, number: 2, without: [mallory.identity]), on: 2)
        #expect(keys(bench).map(\.hash) == [key(2).hash, key(1).hash])
        #expect(bench.disk.snapshot.workspace?.removed == [mallory.identity])
        #expect(bench.closed == [LinkID(1)])
    }

    /// An accepted peer raises the number of a key that was superseded.
    @Test(arguments: [2, 3, 1 + Limits.workspaceRotations]) func aSupersededKeyStaysSo(_ number: UInt64) throws {
        let (bob, mallory) = (try RemotePeer(), try RemotePeer(6, replica: 0x46))
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        _ = try bench.ask(.workspace(.rotate(key(2), without: [])))
        bench.opened(1, with: bob, workspaceTag: key(2).tag)
        bench.received(bob.hello(), on: 1)
        bench.received(told(1, number: number), on: 1)
        #expect(keys(bench).map(\.hash) == [key(2).hash, key(1).hash])
        #expect(keys(bench).map { $0.superseded == nil } == [true, false])
        bench.opened(2, with: mallory, workspaceTag: key(1).tag)
        bench.received(mallory.hello("Mallory"), on: 2)
        #expect(try bench.view(of: mallory.identity).record.trust == .unknown)
    }

    // By code.

    /// A node that joined by the invitation code of a key, and a member that it accepts.
    private func joined(_ byte: UInt8) throws -> (bench: EngineBench, bob: RemotePeer) {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        let code = InvitationCode(name: "Ship", secret: key(byte).secret)
        _ = try bench.ask(.workspace(.join(name: code.name, code.key)))
        bench.opened(1, with: bob, workspaceTag: key(byte).tag)
        bench.received(bob.hello(), on: 1)
        return (bench, bob)
    }

    private func rotate(_ bench: inout EngineBench, to byte: UInt8) throws -> ErrorCode? {
        if case .failure(let error) = try bench.ask(.workspace(.rotate(key(byte), without: []))) {
            error.code
        } else {
            nil
        }
    }

    private func toldKeys(_ bench: inout EngineBench, on link: UInt64) -> [UInt64] {
        bench.takeFrames(on: link).compactMap { if case .workspaceKey(let frame) = $0 { frame.number } else { nil } }
    }

    @Test(arguments: [1, 3]) func aKeyThatCameByCodeIsRotatedOnceItsNumberIsKnown(_ number: UInt64) throws {
        var (bench, _) = try joined(1)
        #expect(toldKeys(&bench, on: 1).isEmpty)
        #expect(try rotate(&bench, to: 2) == .notYet)
        bench.restart()
        #expect(keys(bench).map(\.number) == [0])
        let bob = try RemotePeer()
        bench.opened(2, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 2)
        bench.received(told(1, number: number), on: 2)
        #expect(keys(bench).map(\.number) == [number])
        // A number that a peer tells later is ignored.
        bench.received(told(1, number: number + 1), on: 2)
        #expect(keys(bench).map(\.number) == [number])
        #expect(try rotate(&bench, to: 2) == nil)
        #expect(keys(bench).map(\.number) == [number + 1, number])
        #expect(toldKeys(&bench, on: 2) == [number + 1])
    }

    @Test func aNumberThatComesAfterTheNextKeyIsNotTaken() throws {
        var (bench, bob) = try joined(1)
        bench.received(told(2, number: 4), on: 1)
        bench.received(told(1, number: 4 + Limits.workspaceRotations), on: 1)
        #expect(keys(bench).map(\.hash) == [key(2).hash, key(1).hash] && bench.closed.isEmpty)
        #expect(keys(bench).map(\.number) == [4, 0])
        bob.replica = EngineBench.replica(0x47)
        bench.opened(2, with: bob, workspaceTag: key(2).tag)
        #expect(toldKeys(&bench, on: 2) == [4])
    }

    /// The node that made the key tells on each link that it is the first.
    @Test func theFirstKeyIsToldOnceALink() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        bench.received(told(1, number: 1), on: 1)
        bench.received(bob.summary(of: []), on: 1)
        #expect(toldKeys(&bench, on: 1) == [1])
    }

    /// A peer ignores the key of somebody whom it has not accepted. The link shows later that it has.
    @Test(arguments: LateAcceptance.allCases)
    func whoAcceptsLateIsToldTheKeyAgain(_ acceptance: LateAcceptance) throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        #expect(try rotate(&bench, to: 2) == nil)
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.summary(of: []), on: 1)
        #expect(toldKeys(&bench, on: 1) == [2])
        for _ in 0..<2 {
            switch acceptance {
            case .summary: bench.received(bob.summary(of: [(bob.conversation(with: bench.identity), Clock())]), on: 1)
            case .request: bench.received(bob.request(), on: 1)
            case .answer: bench.received(bob.answer(to: bench.identity), on: 1)
            }
            bench.settle()
        }
        #expect(toldKeys(&bench, on: 1) == [2], "again, and once")
    }

    enum LateAcceptance: CaseIterable { case summary, request, answer }
}
