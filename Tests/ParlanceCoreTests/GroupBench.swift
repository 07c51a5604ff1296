import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire

/// A bench that has created a group with peers that it knows.
struct GroupBench {
    var bench: EngineBench
    let group: ConversationID
    /// The other members.
    var peers: [RemotePeer]

    init(_ count: Int) throws {
        peers = try (0..<count).map { try RemotePeer(UInt8(2 + $0)) }
        bench = try EngineBench(peers: peers.enumerated().map { $1.record(name: "Peer \($0)") })
        let who = peers.map(\.identity.grouped)
        let nonce = [UInt8](repeating: 7, count: 16)
        guard case .success(.group(let view)) = try bench.ask(.createGroup(title: "Crew", who: who, nonce: nonce))
        else { throw EngineBench.Unexpected(what: "no group") }
        group = view.conversation
    }

    /// Opens a link with a member and the group on it; the link has the member's number.
    mutating func open(_ peer: Int, theirs: Clock = Clock()) {
        let link = UInt64(peer)
        bench.opened(link, with: peers[peer])
        bench.received(peers[peer].hello(), on: link)
        bench.received(peers[peer].summary(of: [(group, theirs)]), on: link)
        bench.received(peers[peer].clock(group, theirs), on: link)
        _ = bench.takeFrames(on: link)
    }

    mutating func close(_ peer: Int) {
        bench.feed(.linkClosed(LinkID(UInt64(peer)), .closed))
        _ = bench.takeEffects()
    }

    @discardableResult
    mutating func write(_ text: String, by peer: Int) -> StoredEvent {
        peers[peer].write(text, to: bench.identity, in: group)
    }

    /// A member sends events that it or another member wrote.
    mutating func send(_ events: some Sequence<StoredEvent>, by peer: Int) {
        bench.received(peers[peer].events(group, events), on: UInt64(peer))
    }

    /// A member says that it holds an event and everything before it in that log.
    mutating func tellHave(_ event: StoredEvent, by peer: Int) {
        let clock = Clock(entries: [event.header.log: Clock.Entry(position: event.position)])
        bench.received(peers[peer].have(group, clock), on: UInt64(peer))
    }

    /// The frames of one kind that were sent to each member since the last call.
    mutating func take<Frame>(_ kind: (WireFrame.OneOf_Kind) -> Frame?) -> [Int: [Frame]] {
        var taken: [Int: [Frame]] = [:]
        for peer in peers.indices {
            let frames = bench.takeFrames(on: UInt64(peer)).compactMap(kind)
            if !frames.isEmpty { taken[peer] = frames }
        }
        return taken
    }
}

extension WireFrame.OneOf_Kind {
    var asInvite: WireInvite? { if case .invite(let frame) = self { frame } else { nil } }
    var asHave: WireHave? { if case .have(let frame) = self { frame } else { nil } }
    var asWant: WireWant? { if case .want(let frame) = self { frame } else { nil } }
    var asWatermarks: WireWatermarks? { if case .watermarks(let frame) = self { frame } else { nil } }
}
