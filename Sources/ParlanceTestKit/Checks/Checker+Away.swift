import ParlanceCore
import ParlanceWire

// Checks that others are told that a user is away exactly while nobody sees the user active, and at once.
extension Checker {
    /// What a node was told about its user in the life of its process, and what follows from it.
    struct Desk {
        private var lastInput: [IdleObserver: Int64] = [:]
        /// Those that see the user active, and those that see a locked screen.
        private var active: Set<IdleObserver> = []
        private var locked: Set<IdleObserver> = []
        /// When the user last said to be online, and the commands that say so and are not answered yet.
        private var online = Int64.min
        private var asked: [CommandID: Int64] = [:]
        /// When the last of this changed, or the profile on disk.
        private(set) var changed: Int64 = 0

        mutating func saw(_ sight: UserSight?, by observer: IdleObserver, at now: Int64) {
            lastInput[observer] = nil
            active.remove(observer)
            locked.remove(observer)
            changed = now
            switch sight {
            case .active: active.insert(observer)
            case .idle(let since) where since.monotonic > online: lastInput[observer] = min(now, since.monotonic)
            case .locked(let since) where since.monotonic > online:
                lastInput[observer] = min(now, since.monotonic)
                locked.insert(observer)
            default: break
            }
        }

        mutating func saysOnline(_ command: CommandID, at now: Int64) { asked[command] = now }

        /// The user has said to be online, and it is durable: what was seen until then does not count any more.
        mutating func answered(_ command: CommandID, isDone: Bool, at now: Int64) {
            guard let said = asked.removeValue(forKey: command), isDone else { return }
            lastInput = lastInput.filter { $0.value > said }
            locked.formIntersection(lastInput.keys)
            (online, changed) = (said, now)
        }

        mutating func profileChanged(at now: Int64) { changed = now }

        /// When the user counts as away; `nil` if not while nothing changes.
        var awayFrom: Int64? {
            guard active.isEmpty, let last = lastInput.values.max() else { return nil }
            return locked.isEmpty ? last + Limits.awayMilliseconds : last
        }
    }

    func noteDesk(_ input: Input, _ node: Int) {
        switch input {
        case .userSeen(let sight, let observer): watches[node].desks.saw(sight, by: observer, at: world.now)
        case .commandGiven(let command, .setPresence(.online, _)):
            watches[node].desks.saysOnline(command, at: world.now)
        default: break
        }
    }

    /// What others are told about a user; `nil` if that has just changed.
    private func activity(of node: Int, steadyFor time: Int64) -> Activity? {
        let (desk, set) = (watches[node].desks, world.nodes[node].disk.profile.activity)
        // A disk that breaks may hold a profile that it could not confirm.
        guard world.nodes[node].engine?.isSettled == true, !world.nodes[node].trouble.breaks,
            world.now - desk.changed >= time
        else { return nil }
        guard set == .online, let from = desk.awayFrom else { return set }
        if from > world.now { return .online }
        return world.now - from >= time ? .away : nil
    }

    /// What is told about a user is true.
    func checkAway(_ presence: WirePresence, on link: LinkID, _ node: Int) {
        let told: Activity =
            switch presence.activity {
            case .away: .away
            case .busy: .busy
            default: .online
            }
        watches[node].links.say(told, on: link)
        // What changes at this moment may be told a moment later.
        let isDue = watches[node].desks.awayFrom == world.now
        guard !isDue, let activity = activity(of: node, steadyFor: 0), activity != told else { return }
        violate("\(name(node)) says that it is \(told), and it is \(activity)")
    }

    /// What was told last on each link is still true.
    func checkToldAway(_ node: Int) {
        guard let activity = activity(of: node, steadyFor: Self.prompt) else { return }
        for link in watches[node].links.links.values where !link.isClosing && !link.isForKeys {
            guard let said = link.said, said != activity else { continue }
            return violate("\(name(node)) told \(name(link.peer)) that it is \(said), and it is \(activity)")
        }
    }

    /// In the end, others show about each node what it says about itself.
    func checkAnnounced(_ view: PeerView, _ peer: Int, at node: Int) {
        let text = world.nodes[peer].disk.profile.statusText
        guard let activity = activity(of: peer, steadyFor: Self.travel) else { return }
        if view.presence.activity != activity || view.presence.statusText != text {
            let shown = String(describing: view.presence.activity)
            violate("\(name(node)) shows \(name(peer)) as \(shown), not \(activity)")
        }
    }

    /// How long an announcement may be on its way once the faults have stopped, in milliseconds.
    private static let travel: Int64 = 5_000
}
