import NIOCore
import ParlanceWords

/// One connection to the control socket: splits lines, passes requests to the node, writes replies and events.
///
/// Everything here runs on the connection's event loop; other threads add to an `OutgoingQueue`.
final class ControlConnection: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A user event from the server: refuse new requests, and close once all earlier ones are answered.
    struct Stop: Sendable {}

    let node: any NodeControl
    let methods: ControlMethods
    let queue: OutgoingQueue
    var output = ByteBuffer()
    /// Requests that the node has not answered yet.
    var unanswered = 0
    var subscriptions: [Int: SubscriptionToken] = [:]
    var lastSubscription = 0
    /// Takes what the client tells as a face, once it has reported anything.
    var face: (@Sendable (ClientReport?) -> Void)?
    var batches: [Int: ResponseBatch] = [:]
    var lastBatch = 0
    /// The language of the texts for people in replies and events.
    var language = Language.english
    /// The options that commands in these texts get.
    var commandOptions = ""
    /// Schedules a drain of the queue, from any thread.
    var wake: @Sendable () -> Void = {}
    var isClosing = false
    /// True while the daemon stops: new requests are refused.
    private(set) var isStopping = false

    private var splitter = LineSplitter(limit: ControlLimits.requestLineBytes)
    private var isPaused = false
    private var hasInputEnded = false

    init(node: any NodeControl, methods: ControlMethods, eventLimit: Int) {
        self.node = node
        self.methods = methods
        queue = OutgoingQueue(eventLimit: eventLimit)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let eventLoop = context.eventLoop
        wake = { eventLoop.execute { bound.value.handler.drain(context: bound.value.context) } }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        splitter.append(&bytes)
        takeLines(context: context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        flush(context: context)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { drain(context: context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case ChannelEvent.inputClosed:
            hasInputEnded = true
            takeLines(context: context)
            flush(context: context)
        case is Stop:
            isStopping = true
            drain(context: context)
        default:
            context.fireUserInboundEventTriggered(event)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        isClosing = true
        queue.shut()
        wake = {}
        for token in subscriptions.values { node.unsubscribe(token) }
        subscriptions = [:]
        face?(nil)
        face = nil
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Writes what waits, then resumes reading requests if it had paused.
    private func drain(context: ChannelHandlerContext) {
        guard !isClosing else { return }
        guard context.channel.isWritable else { return queue.hold() }
        for item in queue.drain() { write(item) }
        if isPaused, unanswered <= ControlLimits.unansweredLowWater {
            isPaused = false
            takeLines(context: context)
            if !isPaused { context.channel.setOption(.autoRead, value: true).whenFailure { _ in } }
        }
        flush(context: context)
    }

    private func takeLines(context: ChannelHandlerContext) {
        do {
            while mayTakeMore(context: context) {
                guard let line = try splitter.next() ?? (hasInputEnded ? splitter.rest() : nil) else { return }
                take(line)
                // Error responses do not count as unanswered requests, so limit them by their bytes.
                if output.readableBytes >= ControlLimits.outputHighWater { sendOutput(context: context) }
            }
        } catch {
            let limit = ControlLimits.requestLineBytes
            writeResponse(.null, .failure(.invalidRequest("a line is longer than \(limit) bytes")))
            close(context: context)
        }
    }

    /// Whether there is room for another request; if not, the socket is not read until there is.
    private func mayTakeMore(context: ChannelHandlerContext) -> Bool {
        if isClosing || isPaused { return false }
        guard unanswered >= ControlLimits.unansweredHighWater || !context.channel.isWritable else { return true }
        isPaused = true
        context.channel.setOption(.autoRead, value: false).whenFailure { _ in }
        return false
    }

    /// Sends the collected output in one write, and closes the connection if it has nothing more to say.
    private func flush(context: ChannelHandlerContext) {
        sendOutput(context: context)
        let hasEnded = hasInputEnded && subscriptions.isEmpty && splitter.bufferedBytes == 0
        if unanswered == 0, isStopping || hasEnded { close(context: context) }
    }

    private func sendOutput(context: ChannelHandlerContext) {
        guard output.readableBytes > 0 else { return }
        let bytes = output
        output = context.channel.allocator.buffer(capacity: 4096)
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    /// Closes once all output has been sent.
    private func close(context: ChannelHandlerContext) {
        guard !isClosing else { return }
        isClosing = true
        let bytes = output
        output = ByteBuffer()
        let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(bytes)).whenComplete { _ in bound.value.close(promise: nil) }
    }
}
