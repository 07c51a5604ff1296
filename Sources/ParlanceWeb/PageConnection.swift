import HTTPTypes
import NIOCore
import NIOHTTPTypes
import ParlanceControl

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Decides how long a connection lasts. It begins only for a process of this user or of root, who can read the store anyway;
/// where the owner is not known, nobody is let in. It ends after a response that says so, when the browser closes its end of
/// a stream of events, and a while after the daemon was told to stop, whether the client reads or not.
final class PageConnection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private enum State {
        /// Nothing that comes is read.
        case refused
        case serving
        /// A stream of events is being written: only the browser ends it.
        case streaming
        /// A response is being written after which the connection ends.
        case ending
        /// Everything was written. What still comes is dropped for a moment: closing at once would reset the connection, and
        /// the client could lose the response.
        case draining
    }

    private var state = State.refused
    private var isInputClosed = false

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { check(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        check(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch state {
        case .refused, .draining: break
        case .serving, .streaming, .ending: context.fireChannelRead(data)
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        context.fireChannelReadComplete()
        // Nobody behind this handler asks for more.
        if state == .draining { context.read() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(let head) where state == .serving: began(head, context)
        case .end where state == .streaming || state == .ending:
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.assumeIsolated().whenComplete { _ in self.drain(context) }
            return context.writeAndFlush(data, promise: written)
        default: break
        }
        context.write(data, promise: promise)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            isInputClosed = true
            if state == .streaming || state == .draining { context.close(promise: nil) }
        case is ChannelShouldQuiesceEvent: close(context, in: ControlLimits.stopSeconds)
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func check(_ context: ChannelHandlerContext) {
        // A client that is gone already has no address.
        if let client = context.channel.remoteAddress?.port.flatMap({ UInt16(exactly: $0) }),
            let server = context.channel.localAddress?.port.flatMap({ UInt16(exactly: $0) }),
            let user = ConnectionOwner.user(from: client, to: server), user == getuid() || user == 0
        {
            state = .serving
        } else {
            context.close(promise: nil)
        }
    }

    private func began(_ head: HTTPResponse, _ context: ChannelHandlerContext) {
        if head.headerFields[.contentType] == PageAnswer.eventStream {
            state = .streaming
            if isInputClosed { context.close(promise: nil) }
        } else if head.headerFields[.connection] == "close" {
            state = .ending
        }
    }

    private func drain(_ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        state = .draining
        guard !isInputClosed else { return context.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.read()
        close(context, in: PageLimits.drainSeconds)
    }

    private func close(_ context: ChannelHandlerContext, in seconds: Int64) {
        let channel = context.channel
        channel.eventLoop.scheduleTask(in: .seconds(seconds)) { channel.close(promise: nil) }
    }
}
