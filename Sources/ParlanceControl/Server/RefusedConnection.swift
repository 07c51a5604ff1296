import NIOCore
import ParlanceErrorCode
import ParlanceWords

/// A connection that is not served: it gets one error and is closed; its input is ignored.
final class RefusedConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    enum Reason {
        case otherUser, tooMany
    }

    private let reason: Reason

    init(reason: Reason) {
        self.reason = reason
    }

    func channelActive(context: ChannelHandlerContext) {
        var buffer = ByteBuffer()
        let response: JSON = .object([
            JSON.Member("jsonrpc", .string("2.0")), JSON.Member("id", .null), JSON.Member("error", error.json()),
        ])
        JSONWriter.write(response, to: &buffer)
        buffer.writeStaticString("\n")
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(buffer)).whenComplete { _ in bound.value.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    private var error: RPCError {
        switch reason {
        case .otherUser:
            RPCError(
                number: ErrorCode.notPermitted.number,
                message: "This daemon belongs to another user.",
                code: ErrorCode.notPermitted.rawValue,
                advice: "Run parlance as the user who runs parlanced."
            )
        case .tooMany:
            RPCError(
                number: ErrorCode.busy.number,
                message: "The daemon already has \(ControlLimits.connections) connections, which is the most.",
                code: ErrorCode.busy.rawValue,
                advice: "End a program that holds connections, such as a forgotten 'parlance watch', and try again."
            )
        }
    }
}
