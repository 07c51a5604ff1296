import Foundation
import ParlanceCore
import ParlanceWire

// Frames of the kinds that an office in good order seldom sends.
extension FrameFuzz {
    static func crafted(_ stage: Stage) -> [(peer: Int, frame: [UInt8])] {
        let log = LogID(author: stage.identities[0], replica: stage.replicas[0]).wire
        let group = Data(stage.group.bytes)
        var want = WireWant()
        want.conversation = group
        want.log = log
        want.after = 1
        var wanted = WireBodiesWanted()
        wanted.conversation = group
        wanted.log = log
        wanted.sequences = [1, 2, 3]
        var bodies = WireBodies()
        bodies.conversation = group
        bodies.log = LogID(author: stage.identities[2], replica: stage.replicas[2]).wire
        bodies.entries = ([1, 2] as [UInt64]).map { number in
            var entry = WireBodies.Entry()
            entry.sequence = number
            entry.body = Data([10, 1, 97])
            return entry
        }
        var refuse = WireRefuse()
        refuse.conversation = group
        refuse.code = .notMember
        var bye = WireBye()
        bye.reason = .stale
        var fork = WireFork()
        fork.conversation = group
        fork.log = bodies.log
        fork.branches = [branch(stage, time: 1), branch(stage, time: 2)]
        let kinds: [WireFrame.OneOf_Kind] = [
            .want(want), .bodiesWanted(wanted), .bodies(bodies), .refuse(refuse), .bye(bye), .fork(fork),
        ]
        return kinds.map { kind in
            var frame = WireFrame()
            frame.kind = kind
            return (2, frame.encodedBytes())
        }
    }

    /// One event of a log, to be signed by who sends it.
    private static func branch(_ stage: Stage, time: UInt64) -> WireFork.Branch {
        var header = WireEventHeader()
        header.conversation = Data(stage.group.bytes)
        header.log = LogID(author: stage.identities[2], replica: stage.replicas[2]).wire
        header.sequence = 2
        header.time = time
        header.kind = .message
        var event = WireEvent()
        event.header = Data(header.encodedBytes())
        var branch = WireFork.Branch()
        branch.events = [event]
        return branch
    }
}
