import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Actions of people.
extension Office {
    func perform(_ act: Act) {
        let node = act.node % world.nodes.count
        let other = act.other % world.nodes.count
        if act.kind.isPeoples {
            guard node != other, world.nodes[node].isUp, !world.nodes[node].isStopping else { return }
            var random = SeededGenerator(seed: act.salt)
            doWhatPeopleDo(act.kind, node, other, &random)
        } else {
            var random = SeededGenerator(seed: act.salt)
            goWrong(act, node, other, &random)
        }
    }

    private func doWhatPeopleDo(_ kind: Act.Kind, _ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let who = name(other, for: node, &random)
        switch kind {
        case .send: write(1, from: node, to: other, who)
        case .burst: write(2 + random.below(random.below(4) == 0 ? 200 : 20), from: node, to: other, who)
        case .sendLong:
            // Sometimes more than fits into the window.
            let count = random.below(4) == 0 ? random.below(40) : 0
            write(1 + count, from: node, to: other, who, padding: Int(random.below(Int64(Limits.textBytes) - 64)))
        case .sendWrong:
            let text = random.below(2) == 0 ? " \n" : String(repeating: "x", count: Limits.textBytes + 1)
            checker.expectRefusal(of: give(.send(who: who, text: text), to: node))
        case .read: give(.read(who: who), to: node)
        case .typing:
            give(.typing(who: who), to: node)
            // Then typing goes on in another conversation, while it is still shown in this one.
            if random.below(2) == 0 {
                follow(
                    .typeElsewhere,
                    node,
                    after: Limits.typingSentMilliseconds + random.below(1_500),
                    salt: random.next()
                )
            }
        case .presence:
            let activity = Activity.allCases[Int(random.below(Int64(Activity.allCases.count)))]
            give(.setPresence(activity, text: random.below(2) == 0 ? "busy \(random.below(100))" : nil), to: node)
            setPreference(for: who, node, &random)
        case .rename:
            // Sometimes the name of somebody else.
            let name = random.below(4) == 0 ? world.nodes[other].name : "\(world.nodes[node].name)-\(random.below(100))"
            give(.setName(name), to: node)
        case .alias: giveAlias(to: who, node, &random)
        case .accept, .block, .forget, .decline, .unblock: think(kind, node, other)
        case .verify: give(.verify(who: identity(other), random.below(3) != 0), to: node)
        case .courier:
            // One carries for the other only if both say so.
            let isOne = random.below(5) != 0
            for (one, other) in [(node, other), (other, node)] where world.nodes[one].isUp {
                give(.setCourier(who: identity(other), isOne), to: one)
            }
        case .cancel: cancel(node, other, &random)
        case .retry: give(.retry(checker.conversation(node, other)), to: node)
        case .ask:
            let commands: [Command] = [.listPeers, .listDeliveries, .status, .find(who: who)]
            give(commands[Int(random.below(4))], to: node)
        case .reply, .edit, .delete, .react: doToMessage(kind, node, &random)
        case .joinWorkspace, .leaveWorkspace, .renewWorkspace, .rotateKey, .leaveOut, .changeSettings:
            doInWorkspace(kind, node, other, &random)
        case .userSeen: lookAtUser(of: node, &random)
        case .retain: setRetention(node, other, &random)
        case .clear: clear(node, &random)
        case .allow:
            give(.allow(who: identity(other)), to: node)
            checker.begunDay(at: node)
        case .choosePicture: choosePicture(node, &random)
        case .carryOut, .carryIn: carry(kind, node, &random)
        case .sendFile: sendFile(node, other, &random)
        case .wishFile: wishFile(node, &random)
        default: doInGroups(kind, node, other, &random)
        }
    }

    /// Chooses a picture, sometimes the same as before, or removes it.
    private func choosePicture(_ node: Int, _ random: inout SeededGenerator) {
        let sizes = [1, 900, 900, 20_000, Limits.pictureBytes]
        let size = sizes[Int(random.below(5))]
        let byte = UInt8(random.below(3))
        give(.setPicture(random.below(4) == 0 ? nil : [UInt8](repeating: byte, count: size)), to: node)
    }

    /// The desktop or one of two screens of a node sees its user, or is gone.
    private func lookAtUser(of node: Int, _ random: inout SeededGenerator) {
        let observer: IdleObserver = random.below(2) == 0 ? .session : .face(UInt64(random.below(2)))
        let now = world.instant(of: node)
        let ago = random.below(2) == 0 ? random.below(Limits.awayMilliseconds * 3 / 2) : 0
        let since = Instant(monotonic: now.monotonic - ago, wall: now.wall - ago)
        let sights: [UserSight?] = [.active, .idle(since: since), .idle(since: since), .locked(since: since), nil]
        let sight = sights[Int(random.below(Int64(sights.count)))]
        trace.add(world.now, "\(world.nodes[node].name)'s user seen by \(observer): \(sight, default: "gone")")
        world.tell(.userSeen(sight, by: observer), to: node)
    }

    /// Pins or mutes the conversation with somebody, or a group.
    func setPreference(for who: String, _ node: Int, _ random: inout SeededGenerator) {
        let groups = world.nodes[node].disk.groups.sorted()
        let isGroup = !groups.isEmpty && random.below(2) == 0
        let place = isGroup ? groups[Int(random.below(Int64(groups.count)))].text : who
        let changes: [PreferenceChange] = [
            .pin(true), .pin(false), .mute(milliseconds: nil), .mute(milliseconds: random.below(3_600_000)), .unmute,
        ]
        give(.setPreference(who: place, changes[Int(random.below(5))]), to: node)
    }

    /// Reads a conversation, and has its old texts removed from now on, or no more; sometimes for everybody.
    private func setRetention(_ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let groups = world.nodes[node].disk.groups
        let isGroup = !groups.isEmpty && random.below(2) == 0
        let somebody = (node + 1 + Int(random.below(Int64(world.nodes.count - 1)))) % world.nodes.count
        let place = isGroup ? groups[Int(random.below(Int64(groups.count)))].text : identity(somebody)
        if random.below(3) != 0 { give(.read(who: place), to: node) }
        let hours: [Int64?] = [1, 1, 1, 2, 20, 48, nil]
        let period = hours[Int(random.below(7))].map { $0 * Limits.leastRetentionMilliseconds }
        give(.setPreference(who: place, .retain(milliseconds: period)), to: node)
        guard random.below(3) == 0 else { return }
        let seconds: [UInt64] = [0, 3_600, 3_600, 7_200, 72_000]
        give(.setLifetime(who: place, seconds: seconds[Int(random.below(5))]), to: node)
    }

    /// Clears, deletes, hides or shows a conversation.
    private func clear(_ node: Int, _ random: inout SeededGenerator) {
        let groups = world.nodes[node].disk.groups.sorted()
        let isGroup = !groups.isEmpty && random.below(2) == 0
        let somebody = (node + 1 + Int(random.below(Int64(world.nodes.count - 1)))) % world.nodes.count
        let group = isGroup ? groups[Int(random.below(Int64(groups.count)))] : nil
        let place = group ?? checker.conversation(node, somebody)
        let who = group?.text ?? identity(somebody)
        guard world.nodes[node].disk.conversations.contains(where: { $0.id == place }) else { return }
        let choice = random.below(8)
        switch choice {
        case 0..<5:
            checker.noteClear(place, node)
            give(.clear(who: who, deletes: choice > 2), to: node)
        case 5: give(.setPreference(who: who, .unlist(nil)), to: node)
        default: give(.setPreference(who: who, .unlist(.hidden)), to: node)
        }
    }

    /// Gives an alias, sometimes the name of somebody else.
    private func giveAlias(to who: String, _ node: Int, _ random: inout SeededGenerator) {
        let someone = world.nodes[Int(random.below(Int64(world.nodes.count)))].name
        let alias = random.below(4) == 0 ? someone : "al\(random.below(30))"
        give(.setAlias(who: who, alias: random.below(3) == 0 ? "" : alias), to: node)
    }

    func think(_ kind: Act.Kind, _ node: Int, _ other: Int) {
        let who = identity(other)
        let command: Command =
            switch kind {
            case .accept: .accept(who: who)
            case .block: .block(who: who)
            case .decline: .decline(who: who)
            case .unblock: .unblock(who: who)
            default: .forget(who: who)
            }
        checker.expectOpinion(give(command, to: node), kind, of: other, by: node)
    }

    func identity(_ node: Int) -> String { world.nodes[node].identity.text }

    /// People type names, which can be wrong or ambiguous; then the answer is an error.
    private func name(_ other: Int, for node: Int, _ random: inout SeededGenerator) -> String {
        switch random.below(10) {
        case 0: world.nodes[other].name
        case 1: world.nodes[other].identity.prefix
        default: identity(other)
        }
    }

    func write(_ count: Int64, from node: Int, to other: Int, _ who: String, padding: Int = 0) {
        for _ in 0..<count {
            let text = checker.nextText(from: node) + String(repeating: ".", count: padding)
            let command = give(.send(who: who, text: text), to: node)
            checker.expectMessage(command, text: text, from: node, in: checker.conversation(node, other))
            if who != identity(other), who != world.nodes[other].identity.prefix {
                checker.noteTypedName(command, who, node)
                checker.texts[text]?.isByName = true
            }
        }
    }

    /// Withdraws one of the last messages, if it has not left.
    private func cancel(_ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let groups = world.nodes[node].disk.groups.sorted()
        let isInGroup = !groups.isEmpty && random.below(3) == 0
        let conversation =
            isInGroup ? groups[Int(random.below(Int64(groups.count)))] : checker.conversation(node, other)
        guard let message = checker.latest(in: conversation, by: node, back: Int(random.below(3))) else { return }
        let log = message.key.log
        let command = give(.cancel(log, conversation: conversation, sequence: message.sequence), to: node)
        checker.expectWithdrawal(command, of: message.id, by: node)
    }
}
