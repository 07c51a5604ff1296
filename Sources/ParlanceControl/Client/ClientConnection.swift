import NIOCore
import ParlanceWords

/// The client's end of a connection: splits lines and passes them on.
final class ClientConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let calls: PendingCalls
    private var splitter = LineSplitter(limit: ControlLimits.replyLineBytes)

    init(calls: PendingCalls) {
        self.calls = calls
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        splitter.append(&bytes)
        do {
            while let line = try splitter.next() { calls.received(line) }
        } catch {
            calls.fail(.badReply(Phrase("a line of it is longer than \(error.limit) bytes")))
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        calls.fail(.connectionLost)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
