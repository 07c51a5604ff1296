import ParlanceControl
import ParlanceErrorCode
import ParlanceWords

/// The test node's answers about people: who is present, who asks to talk, and safety numbers.
enum TestPeers {
    static let code = "PARLANCE:1:" + String(repeating: "A", count: 56) + ":" + String(repeating: "B", count: 56)
    static let number = Array(repeating: "01234", count: 12).joined(separator: " ")

    private static let request = RequestEvent(
        peer: TestNode.bob.id,
        name: "Bob~bobb \u{2714}\u{FE0F}",
        preview: "may I\u{1B}[2J",
        time: ControlTime(milliseconds: 1_763_689_260_000),
        warning: "somebody else you know goes by \"Bob\"; this is not them"
    )

    static func preference(pinned: Bool = false, muted: Bool = false, until end: ControlTime? = nil)
        -> PreferenceInfo
    {
        PreferenceInfo(
            conversation: "c1",
            title: "Bob",
            trust: .accepted,
            pinned: pinned,
            muted: muted,
            mutedUntil: end
        )
    }

    private static let face = PictureInfo(id: "face", chosen: ControlTime(milliseconds: 1_763_689_260_000))

    private static let seen = SeenReply(
        peer: Person(id: TestNode.bob.id, displayName: "Bob", trust: .accepted),
        from: ControlTime(milliseconds: 1_763_596_800_000),
        hours: [9, 10, 11, 23, 24, 40].map { ControlTime(milliseconds: 1_763_596_800_000 + $0 * 3_600_000) }
    )

    private static func people(_ who: [String]?, _ named: Set<String>) -> PeersReply {
        guard let who else { return PeersReply(peers: [TestNode.bob]) }
        let found = who.filter(named.contains).map { name in
            var peer = TestNode.bob
            peer.displayName = name
            return peer
        }
        return PeersReply(peers: found, unknown: who.filter { !named.contains($0) })
    }

    static func add(to methods: inout ControlMethods, of node: TestNode) {
        node.add(PeersOperation.self, to: &methods) { asked, state in people(asked.who, state.named) }
        node.add(AliasOperation.self, to: &methods) { _, _ in TestNode.bob }
        node.add(ForgetOperation.self, to: &methods) { _, _ in DoneReply() }
        node.add(AllowOperation.self, to: &methods) { _, _ in DoneReply() }
        node.add(PictureOperation.self, to: &methods) { asked, _ in
            PictureReply(picture: face, content: asked.content == true ? "AQI=" : nil)
        }
        node.add(SeenOperation.self, to: &methods) { _, _ in seen }
        node.add(CourierOperation.self, to: &methods) { _, _ in TestNode.bob }
        node.add(CarryFilesOperation.self, to: &methods) { _, _ in
            let peer = Person(id: TestNode.bob.id, displayName: "Bob", trust: .accepted)
            return CarryFilesReply(
                peer: peer,
                outgoing: ["parlance-a", "parlance-b"],
                incoming: ["parlance-a"],
                bytes: 4,
                sealed: ["parlance-c"]
            )
        }
        node.add(CarryChooseOperation.self, to: &methods) { choose, _ in
            let left = LeftFile(file: "a", name: "film.mp4", size: 5_000, why: .beyondLimit)
            return CarryChooseReply(files: [], left: choose.limit == nil ? [] : [left], sealed: true)
        }
        node.add(CarryPackOperation.self, to: &methods) { pack, _ in
            let isFirst = pack.after == nil
            return CarryPackReply(
                action: isFirst ? .write : .remove,
                file: isFirst ? "2a" : nil,
                next: "end",
                messages: isFirst ? 2 : 0,
                sealed: true
            )
        }
        node.add(CarryTakeOperation.self, to: &methods) { take, _ in
            take.file == "2a" ? CarryTakeReply(outcome: .taken, messages: 0) : CarryTakeReply(outcome: .damaged)
        }
        node.add(RequestsOperation.self, to: &methods) { _, _ in RequestsReply(requests: [request]) }
        node.add(AcceptOperation.self, to: &methods) { _, _ in TestNode.bob }
        node.add(DeclineOperation.self, to: &methods) { _, _ in TestNode.bob }
        node.add(BlockOperation.self, to: &methods) { _, _ in TestNode.bob }
        node.add(UnblockOperation.self, to: &methods) { _, _ in TestNode.bob }
        node.add(PinOperation.self, to: &methods) { _, _ in preference(pinned: true) }
        node.add(UnpinOperation.self, to: &methods) { _, _ in preference() }
        node.add(MuteOperation.self, to: &methods) { mute, _ in
            // An hour of 1970 that has not changed since.
            preference(muted: true, until: mute.seconds.map { ControlTime(milliseconds: Int64($0) * 1_000) })
        }
        node.add(UnmuteOperation.self, to: &methods) { _, _ in preference() }
        node.add(RetainOperation.self, to: &methods) { retain, _ in
            var info = preference()
            info.retain = retain.seconds
            return info
        }
        node.add(DisappearOperation.self, to: &methods) { disappear, _ in
            var info = ConversationInfo(id: "b", title: "Bob", peer: TestNode.bob.id)
            info.disappear = DisappearInfo(you: disappear.seconds, others: 604_800)
            if disappear.seconds ?? 0 > 0 { info.disappear?.after = 604_800 }
            return info
        }
        node.add(VerifyOperation.self, to: &methods) { verify, _ throws(ControlError) in
            if verify.scanned == "wrong" {
                throw ControlError(.notTheSame, "The identities are not the same.", advice: "Beware.")
            }
            var peer = TestNode.bob
            if verify.scanned != nil || verify.confirm == true { peer.trust = .verified }
            return VerificationInfo(peer: peer, number: number, code: code)
        }
    }
}
