import NIOCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Closes a connection before anything of it is read unless it comes from a process of this user or of root, who can read
/// the store anyway. Where the owner is not known, nobody is let in.
final class SameUserHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny
    typealias InboundOut = NIOAny

    private var isLetIn = false

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { check(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        check(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isLetIn { context.fireChannelRead(data) }
    }

    private func check(_ context: ChannelHandlerContext) {
        // A client that is gone already has no address.
        if let client = context.channel.remoteAddress?.port.flatMap({ UInt16(exactly: $0) }),
            let server = context.channel.localAddress?.port.flatMap({ UInt16(exactly: $0) }),
            let user = ConnectionOwner.user(from: client, to: server)
        {
            isLetIn = user == getuid() || user == 0
        }
        if !isLetIn { context.close(promise: nil) }
    }
}
