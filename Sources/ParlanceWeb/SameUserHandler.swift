import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Closes a connection of another user of this machine before anything of it is read. root is let in: it can read the store
/// anyway. Where the owner is not known (no `/proc`), the cookie alone decides.
final class SameUserHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private var isRefused = false

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { check(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        check(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isRefused { context.fireChannelRead(data) }
    }

    private func check(_ context: ChannelHandlerContext) {
        guard let client = context.channel.remoteAddress?.port, let server = context.channel.localAddress?.port,
            !isLetIn(ConnectionOwner.find(from: UInt16(clamping: client), to: UInt16(clamping: server)))
        else { return }
        isRefused = true
        context.close(promise: nil)
    }

    private func isLetIn(_ owner: ConnectionOwner) -> Bool {
        switch owner {
        case .user(let user): user == getuid() || user == 0
        case .gone: false
        case .unknown: true
        }
    }
}
