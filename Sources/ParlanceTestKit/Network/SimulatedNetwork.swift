import ParlanceCore
import ParlanceWire

/// What the network is like at present, and where it is cut.
package struct SimulatedNetwork: Sendable {
    /// What becomes of links that cross a partition.
    package enum Style: String, Sendable, CaseIterable {
        /// Both ends are told at once.
        case cut
        /// Frames wait until the partition heals.
        case stalled
        /// Frames vanish; the ends find out by silence.
        case silent
    }

    /// Cut links at random: once in so many frames.
    package var cutOnceIn: Int64?
    /// The longest a frame takes, in milliseconds.
    package var slowest: Int64 = 10
    /// Of so many dials one dies within the handshake.
    package var handshakeDiesOnceIn: Int64?
    /// Of so many runs of others' events one loses its bodies.
    package var stripOnceIn: Int64?
    /// Whose frames are garbled, and once in how many.
    package var garbler: (node: Int, onceIn: Int64)?
    /// Whose program is an older one than the others': it passes frames over that came later, and sends none.
    package var older: Int?
    /// Whose program is a newer one: its frames have fields, and are of kinds, that no other knows.
    package var newer: Int?
    /// The part of the network each node is in.
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

/// One connection. Each end lives and dies by itself, as sockets do; within one, frames stay in order.
final class Pipe {
    struct End {
        let node: Int
        let life: Int
        let link: LinkID
        /// What is proved of it in the handshake, even if it has died since.
        let replica: ReplicaID
        let epoch: UInt64
        /// The engine has been told that it is open.
        var isOpen = false
        /// The engine has been told that it is closed, or never will be told anything.
        var isGone = false
        /// The engine has closed it: nothing is sent from it any more.
        var isShut = false
        /// When the last frame towards it arrives.
        var busyUntil: Int64
    }

    var ends: [End]
    /// What is sent vanishes.
    var isSilent = false
    /// What is sent waits until then.
    var stalledUntil: Int64 = 0
    let latency: Int64
    /// The workspace key that it was opened with; `nil` for an open link.
    let key: WorkspaceKey?

    init(_ a: End, _ b: End, key: WorkspaceKey?, latency: Int64) {
        ends = [a, b]
        self.key = key
        self.latency = latency
    }
}
