import ParlanceCore
import ParlanceWire

// People carry messages by stick, between islands too; the sticks are bad now and then.
extension Office {
    /// The islands that no link connects until the end; before that people may meet for a moment.
    func goToIslands() {
        guard let islands = script.islands else { return }
        happened("islands \(islands)", kind: "islands")
        world.partition(islands, .cut, until: script.length)
    }

    /// Somebody carries out or in, unless it does just that. An older program knows no sticks.
    func carry(_ kind: Act.Kind, _ node: Int, _ random: inout SeededGenerator) {
        guard node != world.network.older else { return }
        let stick = Int(random.below(Int64(sticks.count)))
        var people = friends(of: node)
        // For everybody, or for some.
        if random.below(3) == 0 { people = people.filter { _ in random.below(2) == 0 } }
        errands = errands.filter { world.nodes[$0.value.node].life == $0.value.life }
        guard !errands.values.contains(where: { $0.node == node }) else { return }
        if kind == .carryIn {
            run(Errand(.take, node, life: world.nodes[node].life, stick: stick, people: people))
        } else {
            let writes = random.below(5) == 0 ? Int(random.below(3)) : Int.max
            run(Errand(.out, node, life: world.nodes[node].life, stick: stick, people: people, writesLeft: writes))
        }
    }

    func tamper(_ random: inout SeededGenerator) {
        let stick = Int(random.below(Int64(sticks.count)))
        let what = sticks[stick].tamper(people: world.nodes.count, &random)
        happened("stick \(stick) \(what)", kind: "stick \(what)")
    }

    private func friends(of node: Int) -> [Int] {
        world.nodes.indices.filter {
            $0 != world.network.older && world.nodes[node].disk.peers[world.nodes[$0].identity]?.isFriend == true
        }
    }

    /// Gives the next command of an errand.
    private func run(_ errand: Errand) {
        var errand = errand
        while true {
            guard let peer = errand.left.first else {
                guard errand.again() else { return }
                continue
            }
            guard errand.slot < Limits.parcelSlots else {
                errand.next()
                continue
            }
            if let command = command(of: errand, peer) {
                let id = give(command, to: errand.node)
                errands[id] = errand
                return
            }
            errand.goOn()
        }
    }

    private func command(of errand: Errand, _ peer: Int) -> Command? {
        switch errand.kind {
        case .take:
            guard let bytes = sticks[errand.stick][place(of: errand, peer)] else { return nil }
            return .takeParcel(bytes, slot: errand.slot, from: identity(peer))
        case .out:
            let existing = sticks[errand.stick][place(of: errand, peer)]
            if errand.start == .end && existing == nil { return nil }
            let request = ParcelRequest(
                who: identity(peer),
                slot: errand.slot,
                start: errand.start,
                existing: existing
            )
            return .pack(request)
        }
    }

    private func place(of errand: Errand, _ peer: Int) -> Stick.Place {
        errand.kind == .take
            ? Stick.Place(author: peer, recipient: errand.node, slot: errand.slot)
            : Stick.Place(author: errand.node, recipient: peer, slot: errand.slot)
    }

    /// A command was answered: if it belongs to an errand, this goes on. An error ends it.
    func answered(_ command: CommandID, _ result: Result<Answer, Refusal>) {
        guard var errand = errands.removeValue(forKey: command), let peer = errand.left.first,
            world.nodes[errand.node].life == errand.life, case .success(let answer) = result
        else { return }
        switch answer {
        case .taken(let taken):
            coverage.count("parcel \(taken.outcome.rawValue)")
            for problem in taken.problems { coverage.count("parcel taken in part: \(problem.rawValue)") }
            errand.isNew = errand.isNew || taken.isNew
        case .packed(let packed):
            let place = place(of: errand, peer)
            coverage.count("parcel: \(packed.action.kindName)")
            switch packed.action {
            case .write(let bytes):
                guard errand.writesLeft > 0 else { return happened("a stick is pulled out", kind: "stick pulled out") }
                errand.writesLeft -= 1
                sticks[errand.stick][place] = bytes
            case .remove: sticks[errand.stick][place] = nil
            case .keep, .leave, .none: break
            }
            errand.start = packed.next
        default: return
        }
        errand.goOn()
        run(errand)
    }
}

extension PackedParcel.Action {
    fileprivate var kindName: String {
        switch self {
        case .write: "written"
        case .keep: "kept"
        case .leave: "left to another replica"
        case .remove: "removed"
        case .none: "nothing"
        }
    }
}
