import ParlanceCore
import ParlanceWire

// Faults of links.
extension SimulatedWorld {
    /// The existing pipes, in a fixed order.
    private var allPipes: [Pipe] {
        pipes.keys.sorted().compactMap { link in
            guard let pipe = pipes[link], link == pipe.ends[0].link || pipes[pipe.ends[0].link] == nil else {
                return nil
            }
            return pipe
        }
    }

    /// Both ends learn of it at once, and nothing more arrives.
    func cutNow(_ pipe: Pipe) {
        pipe.isSilent = true
        for end in 0...1 { finish(pipe, end, .cutOff) }
    }

    /// The ends learn of it one after the other, and frames on the way may still arrive. Now and then one end never
    /// learns of it.
    func lose(_ pipe: Pipe) {
        for end in 0...1 where random.below(8) != 0 {
            schedule(.end(pipe, end: end, .cutOff), after: random.below(60))
        }
        pipe.isSilent = true
    }

    /// Cuts every link that is up.
    package func cutAll() {
        for pipe in allPipes { cutNow(pipe) }
    }

    /// Loses the links between two nodes.
    package func loseLinks(_ a: Int, _ b: Int) {
        for pipe in allPipes where pipe.isBetween(a, b) { lose(pipe) }
    }

    /// The parts of the network no longer reach each other.
    package func partition(_ part: [Int], _ style: SimulatedNetwork.Style, until healed: Int64) {
        network.part = part
        for pipe in allPipes where part[pipe.ends[0].node] != part[pipe.ends[1].node] {
            switch style {
            case .cut: cutNow(pipe)
            case .stalled: pipe.stalledUntil = max(pipe.stalledUntil, healed)
            case .silent: pipe.isSilent = true
            }
        }
    }

    /// The sender's system notices that what is sent now is not acknowledged, and when it is after all.
    func noteStall(_ pipe: Pipe, from end: Int) {
        let (own, wait) = (pipe.ends[end], pipe.stalledUntil - now)
        guard pipe.isSilent || wait > Limits.stallMilliseconds else { return }
        let stalls = Input.linkStalled(own.link, milliseconds: Limits.stallMilliseconds)
        schedule(.input(own.node, life: own.life, stalls), after: Limits.stallMilliseconds)
        guard !pipe.isSilent else { return }
        schedule(.input(own.node, life: own.life, .linkAnswers(own.link)), after: wait)
    }

    /// A process is gone: the system closes its sockets, or nobody does if the power failed.
    func dropPipes(of node: Int, silently: Bool) {
        for pipe in allPipes {
            guard let end = pipe.ends.firstIndex(where: { $0.node == node && $0.life < nodes[node].life }) else {
                continue
            }
            pipe.ends[end].isGone = true
            pipes[pipe.ends[end].link] = nil
            if silently {
                pipe.isSilent = true
            } else if !pipe.isSilent {
                let arrival = max(pipe.ends[1 - end].busyUntil, pipe.stalledUntil)
                schedule(.end(pipe, end: 1 - end, .cutOff), after: max(arrival - now, 0) + random.below(20))
            }
        }
    }

    /// What a node that is down has sent and nobody has received is lost, and so are its sockets.
    func dropFrames(of node: Int) {
        for pipe in allPipes where pipe.ends.contains(where: { $0.node == node }) { cutNow(pipe) }
    }

    /// A relay passes on others' messages without their bodies.
    func strip(_ frame: inout WireFrame, _ relay: Int) {
        guard case .events(var run) = frame.kind else { return }
        for index in run.events.indices {
            guard let header = try? EventHeader(decoding: [UInt8](run.events[index].header)),
                header.kind == .message, header.log.author != nodes[relay].identity
            else { return }
            run.events[index].clearBody()
        }
        frame.kind = .events(run)
        observer?.happened("\(nodes[relay].name) strips bodies", kind: "bodies stripped")
    }

    /// Garbles the bytes of a frame, as a faulty or hostile peer would.
    func garble(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        for _ in 0...random.below(3) {
            let place = Int(random.below(Int64(bytes.count)))
            switch random.below(4) {
            case 0: bytes[place] ^= 1 << UInt8(random.below(8))
            case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
            case 2: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
            default: bytes.remove(at: place)
            }
            if bytes.isEmpty { break }
        }
        observer?.happened("a frame is garbled", kind: "frame garbled")
    }

    /// How many links two nodes both have open with each other.
    package func links(between a: Int, _ b: Int) -> Int {
        allPipes.count { pipe in
            pipe.isBetween(a, b) && !pipe.isSilent
                && pipe.ends.allSatisfy { $0.isOpen && !$0.isGone && !$0.isShut && nodes[$0.node].life == $0.life }
        }
    }

    /// The most links that an engine can have: the ends that it has been told are open and not told are closed.
    package func openEnds(of node: Int) -> Int {
        pipes.keys.count { link in
            pipes[link]?.ends.contains {
                $0.link == link && $0.node == node && $0.isOpen && !$0.isGone && $0.life == nodes[node].life
            } == true
        }
    }
}
