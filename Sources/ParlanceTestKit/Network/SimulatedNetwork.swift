import ParlanceCore
import ParlanceWire

/// The present state of the network, and where it is cut.
package struct SimulatedNetwork: Sendable {
    /// What happens to links that cross a partition.
    package enum Style: String, Sendable, CaseIterable {
        /// Both ends are told at once.
        case cut
        /// Frames wait until the partition heals.
        case stalled
        /// Frames vanish; the ends notice by the silence.
        case silent
    }

    /// Links are cut at random: at one in this many frames.
    package var cutOnceIn: Int64?
    /// The longest time that a frame takes, in milliseconds.
    package var slowest: Int64 = 10
    /// One in this many dials fails during the handshake.
    package var handshakeDiesOnceIn: Int64?
    /// One in this many runs of others' events loses its bodies.
    package var stripOnceIn: Int64?
    /// The node whose frames are garbled, and one in how many of them.
    package var garbler: (node: Int, onceIn: Int64)?
    /// The node whose program is older: it ignores frames of later versions, and sends none.
    package var older: Int?
    /// The node whose program is newer: its frames have unknown fields and kinds.
    package var newer: Int?
    /// The node that gives wrong bytes of files to others.
    package var liar: Int?
    /// The part of the network in which each node is.
    package var part: [Int]
    /// Dials that fail although frames pass, as (from, to).
    package var deaf: Set<Direction> = []

    package struct Direction: Hashable, Sendable {
        package var from: Int
        package var to: Int

        package init(from: Int, to: Int) {
            self.from = from
            self.to = to
        }
    }

    init(nodes: Int) {
        part = Array(repeating: 0, count: nodes)
    }

    func canDial(from: Int, to: Int) -> Bool {
        part[from] == part[to] && !deaf.contains(Direction(from: from, to: to))
    }

    package mutating func heal() {
        part = part.map { _ in 0 }
        deaf = []
    }

    package mutating func calm() {
        cutOnceIn = nil
        slowest = 10
        handshakeDiesOnceIn = nil
        stripOnceIn = nil
    }
}

/// One connection. Each end opens and ends separately, as sockets do; within a connection frames stay in order.
final class Pipe {
    struct End {
        let node: Int
        let life: Int
        let link: LinkID
        /// What the handshake proved about this end, even if it has died since.
        let replica: ReplicaID
        let epoch: UInt64
        /// The engine has been told that it is open.
        var isOpen = false
        /// The engine has been told that it is closed, or will never be told anything.
        var isGone = false
        /// The engine has closed it: nothing more is sent from it.
        var isShut = false
        /// The time at which the last frame to it arrives.
        var busyUntil: Int64
    }

    var ends: [End]
    /// Everything that is sent vanishes.
    var isSilent = false
    /// Everything that is sent waits until then.
    var stalledUntil: Int64 = 0
    let latency: Int64
    /// The workspace key with which it was opened; `nil` for an open link.
    let key: WorkspaceKey?

    init(_ a: End, _ b: End, key: WorkspaceKey?, latency: Int64) {
        ends = [a, b]
        self.key = key
        self.latency = latency
    }

    /// Whether it is between these two nodes.
    func isBetween(_ a: Int, _ b: Int) -> Bool {
        let (one, other) = (ends[0].node, ends[1].node)
        return one == a && other == b || one == b && other == a
    }
}
