import Logging
import NIOCore
import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// One connection: moves bytes between its socket and its codec, and reports what happened.
///
/// ```
///  added -> handshaking -> open -> closing -> ended
///                 \_________\________________/
/// ```
/// Confined to its event loop. It requests each read itself, and requests none while the node's inbox is full or the
/// peer has used up its buffers.
final class LinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Whether this node dialled the connection or accepted it.
    enum Origin {
        case dialled(Dial)
        case accepted(LinkQuota.Place)
    }

    private enum Phase {
        case added
        case handshaking(deadline: Scheduled<Void>)
        case open(Link)
        /// The closing record is on its way; bytes that still arrive are dropped.
        case closing(deadline: Scheduled<Void>)
        case ended
    }

    private let service: LinkService
    private let origin: Origin
    private var codec: LinkCodec
    private var phase = Phase.added
    private var stage = LinkStage.unauthenticated
    private var context: ChannelHandlerContext?
    /// The inbox was full; it will call back.
    private var isPaused = false
    private var inputEnded = false
    /// The next look at what the other machine has acknowledged; there is none while everything is.
    private var look: Scheduled<Void>?
    private var isStalled = false

    init(service: LinkService, origin: Origin) throws(LinkError) {
        self.service = service
        self.origin = origin
        let side: LinkCodec.Side
        var expected: PeerID?
        switch origin {
        case .dialled(let dial):
            side = .initiator(dial.keys.first)
            expected = dial.expected
        case .accepted:
            side = .responder(service.workspaceKeys)
        }
        codec = try LinkCodec(
            side,
            identity: service.identity,
            ephemeral: .generate(placement: .heap),
            expected: expected
        )
    }

    /// Bytes that have arrived and have not been handed on.
    var bufferedCount: Int { codec.bufferedCount }

    // MARK: What NIO tells

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        self.context = nil
        // If the inbox is full, what arrived before the end must still be handed on.
        if !(inputEnded && isPaused) { end(.cutOff) }
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch phase {
        case .handshaking, .open: break
        case .added, .closing, .ended: return
        }
        let buffer = unwrapInboundIn(data)
        guard codec.bufferedCount + buffer.readableBytes <= stage.hardLimit else { return end(.cutOff) }
        codec.receive(buffer.readableBytesView)
        pump()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        readMore()
    }

    func channelInactive(context: ChannelHandlerContext) {
        inputEnded = true
        if !isPaused { end(codec.endOfInput == .closed ? .closed : .cutOff) }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    // MARK: Reading

    private func start(_ context: ChannelHandlerContext) {
        guard case .added = phase else { return }
        let deadline = context.eventLoop.assumeIsolated().scheduleTask(in: service.handshakeTime) {
            self.failHandshake(.handshakeTimedOut)
        }
        phase = .handshaking(deadline: deadline)
        flushCodec()
        readMore()
    }

    /// Requests another read from the socket if there is room for it.
    private func readMore() {
        switch phase {
        case .closing:
            context?.read()
        case .handshaking, .open:
            if !isPaused, codec.bufferedCount + stage.readSize <= stage.limit { context?.read() }
        case .added, .ended:
            break
        }
    }

    /// Hands on the events in the received bytes, in batches, until there are no more or the inbox is full.
    private func pump() {
        var batch: [Input] = []
        do throws(LinkError) {
            while !isPaused, let event = try codec.next() {
                switch event {
                case .opened(let peer):
                    guard open(peer) else { return }
                    flushCodec()
                case .frame(let frame, let bytes):
                    guard case .open(let link) = phase else { return }
                    batch.append(.frameReceived(link.id, frame, bytes: bytes))
                    if batch.count == LinkService.batch { offer(&batch) }
                case .closed:
                    offer(&batch)
                    return end(.closed)
                }
            }
            flushCodec()
            offer(&batch)
        } catch {
            offer(&batch)
            refuse(error)
        }
    }

    private func offer(_ batch: inout [Input]) {
        guard !batch.isEmpty else { return }
        service.observer.offer(exchange(&batch, with: []))
        guard case .open(let link) = phase, service.observer.isFull(for: link.id) else { return }
        isPaused = true
        service.observer.whenDrained(link.id) { [service] in service.resume(link) }
    }

    /// The inbox has room again.
    func resume() {
        guard isPaused else { return }
        isPaused = false
        guard case .open = phase else { return }
        pump()
        guard !isPaused else { return }
        if inputEnded { return end(codec.endOfInput == .closed ? .closed : .cutOff) }
        readMore()
    }

    // MARK: Changes of phase

    /// Turns this connection into an open link, unless there is no room for one.
    private func open(_ peer: PeerCertificate) -> Bool {
        guard case .handshaking(let deadline) = phase, let context else { return false }
        var dial: DialID?
        switch origin {
        case .dialled(let attempt): dial = attempt.id
        case .accepted: break
        }
        let group = AddressGroup(context.remoteAddress, local: context.localAddress)
        guard let (link, accepted) = service.register(self, peer: peer.peer, group: group, on: context.channel) else {
            failHandshake(.tooManyUnaccepted)
            return false
        }
        deadline.cancel()
        if case .accepted(let place) = origin { service.endUnauthenticated(place) }
        phase = .open(link)
        setStage(accepted ? .accepted : .unaccepted)
        let remote = context.remoteAddress?.endpoint ?? Endpoint(host: "", port: 0)
        service.observer.offer([
            .linkOpened(
                LinkOpened(
                    link: link.id,
                    peer: peer.peer,
                    replica: peer.replica,
                    epoch: peer.epoch,
                    dial: dial,
                    remote: remote,
                    local: context.localAddress?.numeric,
                    workspaceTag: codec.workspaceTag
                )
            )
        ])
        return true
    }

    /// The acceptance of the peer changed, and with it how much it may buffer here.
    func setAccepted(_ accepted: Bool) {
        guard case .open = phase else { return }
        setStage(accepted ? .accepted : .unaccepted)
        readMore()
    }

    private func setStage(_ stage: LinkStage) {
        self.stage = stage
        try? context?.channel.syncOptions?.setOption(.recvAllocator, value: stage.allocator)
    }

    private func refuse(_ error: LinkError) {
        switch phase {
        case .handshaking:
            if case .accepted = origin, let place = context?.remoteAddress?.endpoint {
                service.noteRefused(error, from: place)
            }
            failHandshake(DialFailure(handshake: error))
        case .added, .open, .closing, .ended: end(.broken(error.breach))
        }
    }

    private func failHandshake(_ failure: DialFailure, mayTryOtherKey: Bool = false) {
        guard case .handshaking(let deadline) = phase else { return }
        deadline.cancel()
        phase = .ended
        switch origin {
        case .dialled(let dial): service.handshakeFailed(dial, failure, mayTryOtherKey: mayTryOtherKey)
        case .accepted(let place):
            service.endUnauthenticated(place)
            service.logger.debug("A handshake failed", metadata: ["reason": "\(failure.text)"])
        }
        context?.close(promise: nil)
    }

    /// The link has ended; reports that once.
    private func end(_ end: LinkEnd) {
        look?.cancel()
        switch phase {
        case .added:
            phase = .ended
            switch origin {
            case .dialled(let dial):
                service.handshakeFailed(dial, .notTaken, mayTryOtherKey: false)
            case .accepted(let place): service.endUnauthenticated(place)
            }
        case .handshaking:
            let isUnanswered = codec.awaitsHandshakeMessage
            failHandshake(isUnanswered ? .notTaken : .closedInHandshake, mayTryOtherKey: isUnanswered)
        case .open(let link):
            phase = .ended
            service.unregister(link)
            service.observer.offer([.linkClosed(link.id, end)])
        case .closing(let deadline):
            deadline.cancel()
            phase = .ended
        case .ended:
            return
        }
        context?.close(promise: nil)
    }

    // MARK: Writing

    /// Sends what waits in the outbox, with one flush for any number of frames.
    func drainOutbox() {
        guard case .open(let link) = phase, let context else { return }
        let stream = link.outbox.take()
        guard !stream.isEmpty else { return }
        do throws(LinkError) {
            try codec.seal(stream)
        } catch {
            return end(.cutOff)
        }
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.whenComplete { _ in link.outbox.sent(stream.count) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: codec.takeOutput())), promise: promise)
        if look == nil { lookLater(service.stallTime) }
    }

    private func flushCodec() {
        let output = codec.takeOutput()
        guard !output.isEmpty else { return }
        context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: output)), promise: nil)
    }

    /// The peer does not read what is sent to it.
    func overflow() {
        end(.congested)
    }

    // MARK: Acknowledgements

    /// Looks later at what the other machine has acknowledged by then.
    private func lookLater(_ time: TimeAmount) {
        look = context?.eventLoop.assumeIsolated().scheduleTask(in: time) { self.lookAtAcknowledgements() }
    }

    /// Reports when the link stalls and when it answers again. Looks again until everything is acknowledged.
    private func lookAtAcknowledgements() {
        look = nil
        guard case .open(let link) = phase, let progress = context?.channel.sendProgress else { return }
        progress.assumeIsolated().whenSuccess { progress in
            guard case .open = self.phase else { return }
            let isStalled = !progress.isComplete && progress.silence >= self.service.stallTime
            if isStalled != self.isStalled {
                self.isStalled = isStalled
                let silence = progress.silence.nanoseconds / 1_000_000
                self.service.observer.offer([
                    isStalled ? .linkStalled(link.id, milliseconds: silence) : .linkAnswers(link.id)
                ])
            }
            guard !progress.isComplete, self.look == nil else { return }
            self.lookLater(max(self.service.stallTime - progress.silence, self.service.stallLookTime))
        }
    }

    /// Sends what waits and the closing record, ends the stream, and waits briefly for the other side to end its
    /// stream.
    ///
    /// Closing at once would make the system reset the connection if the peer still sends, and a reset may overtake
    /// the closing record.
    func closeGracefully() {
        guard case .open(let link) = phase else { return }
        guard let context else { return end(.cutOff) }
        drainOutbox()
        look?.cancel()
        do throws(LinkError) {
            try codec.close()
        } catch {
            return end(.cutOff)
        }
        let loop = context.eventLoop.assumeIsolated()
        let deadline = loop.scheduleTask(in: service.closingTime) { self.end(.cutOff) }
        phase = .closing(deadline: deadline)
        service.unregister(link)
        let promise = context.eventLoop.makePromise(of: Void.self)
        promise.futureResult.assumeIsolated().whenSuccess { self.context?.close(mode: .output, promise: nil) }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: codec.takeOutput())), promise: promise)
        service.observer.offer([.linkClosed(link.id, .closed)])
        readMore()
    }
}
