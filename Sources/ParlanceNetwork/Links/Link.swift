import NIOCore
import ParlanceCore
import ParlanceWire

/// An open link as other threads see it: an outbox, and access to its handler.
final class Link: Sendable {
    let id: LinkID
    let peer: PeerID
    let group: AddressGroup
    let outbox = LinkOutbox()
    let channel: any Channel
    private let handler: NIOLoopBound<LinkHandler>

    /// On the channel's event loop.
    init(id: LinkID, peer: PeerID, group: AddressGroup, channel: any Channel, handler: LinkHandler) {
        self.id = id
        self.peer = peer
        self.group = group
        self.channel = channel
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
    }

    /// Runs a closure with the handler, on its event loop.
    func run(_ body: @escaping @Sendable (LinkHandler) -> Void) {
        channel.eventLoop.execute { body(self.handler.value) }
    }
}

/// One attempt to reach a peer, with the workspace keys that have not been tried yet; none on an open node.
struct Dial: Sendable {
    let id: DialID
    let endpoint: Endpoint
    let expected: PeerID?
    var keys: ArraySlice<WorkspaceKey>
}
