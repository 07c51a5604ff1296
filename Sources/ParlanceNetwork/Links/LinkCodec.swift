package import ParlanceCore
import ParlanceNoise
package import ParlanceSodium
package import ParlanceWire

/// One link's bytes: preamble, handshake, certificates, records and frames, without sockets or clocks (link.md).
///
/// ```
///  initiator: awaitsSecond -> awaitsCertificate -> open -> ended
///  responder: awaitsPreamble -> awaitsFirst -> awaitsThird -> open -> ended
///  any error -> ended
/// ```
/// The shell passes the received bytes to it (`receive`), pulls events (`next`) as long as it can process more, and
/// sends the output (`takeOutput`). So a shell that stops pulling buffers no more than it has read.
package struct LinkCodec: ~Copyable {
    /// The data that only one of the two sides needs.
    package enum Side {
        /// This side dials; in a workspace, with this key.
        case initiator(WorkspaceKey?)
        /// This side is dialled. It accepts links with any of these keys, or open links if there are no keys.
        case responder([WorkspaceKey])
    }

    private enum State: ~Copyable {
        case awaitsPreamble([WorkspaceKey])
        case awaitsFirst(HandshakeState)
        case awaitsSecond(HandshakeState)
        case awaitsThird(HandshakeState)
        case awaitsCertificate(Transport, noiseStatic: [UInt8])
        case open(Transport)
        case ended

        /// Which unit of the stream comes next.
        var awaited: Awaited {
            switch self {
            case .awaitsPreamble: .preamble
            case .awaitsFirst: .handshakeMessage
            case .awaitsSecond: .handshakeMessage
            case .awaitsThird: .handshakeMessage
            case .awaitsCertificate: .certificate
            case .open: .record
            case .ended: .nothing
            }
        }
    }

    private enum Awaited {
        case preamble, handshakeMessage, certificate, record, nothing
    }

    /// The ciphers of a finished handshake, and the splitter for received frames.
    private struct Transport: ~Copyable {
        var sealer: RecordSealer
        var opener: RecordOpener
        var splitter = FrameSplitter()

        init(_ keys: consuming TransportKeys) {
            sealer = RecordSealer(keys.send)
            opener = RecordOpener(keys.receive)
        }
    }

    private enum Step {
        case needsMore
        case again
        case event(LinkEvent)
    }

    private var state: State
    private var input = ByteQueue()
    private var output: [UInt8] = []
    private let identity: LocalIdentity
    private let ephemeral: X25519KeyPair
    private let expected: PeerID?
    private var closingRecordCame = false
    /// The tag of the workspace key that the link uses; `nil` for an open one.
    private(set) var workspaceTag: UInt32?
    /// Kept outside the splitter, which cannot be accessed while the state is only borrowed.
    private var bytesOfUnfinishedFrame = 0

    /// Starts a link; the initiator has output at once.
    ///
    /// - Parameters:
    ///   - ephemeral: a new key pair, only for this link.
    ///   - expected: the only peer to accept, if given.
    package init(
        _ side: Side,
        identity: LocalIdentity,
        ephemeral: X25519KeyPair,
        expected: PeerID? = nil
    ) throws(LinkError) {
        self.identity = identity
        self.ephemeral = ephemeral
        self.expected = expected
        switch side {
        case .responder(let keys):
            state = .awaitsPreamble(keys)
        case .initiator(let key):
            state = .ended
            let preamble = LinkPreamble(key: key)
            workspaceTag = key?.tag
            var handshake = try Self.handshake(.initiator, preamble, identity: identity, ephemeral: ephemeral)
            output = preamble.bytes
            try write(&handshake, payload: [])
            state = .awaitsSecond(handshake)
        }
    }

    /// Bytes that have arrived and have not become events yet.
    package var bufferedCount: Int { input.count + bytesOfUnfinishedFrame }

    /// Whether the handshake is under way; for an initiator, whether there has been no answer yet.
    var awaitsHandshakeMessage: Bool { state.awaited == .handshakeMessage }

    /// How the link ended, if the stream ends here.
    package var endOfInput: LinkEnding { closingRecordCame ? .closed : .cutOff }

    /// Accepts received bytes, in any fragmentation.
    package mutating func receive(_ bytes: some Collection<UInt8>) {
        guard state.awaited != .nothing else { return }
        input.append(bytes)
    }

    /// Removes and returns the bytes to send.
    package mutating func takeOutput() -> [UInt8] { exchange(&output, with: []) }

    /// The next event in the received bytes; `nil` until more bytes have arrived. After an error the link is dead.
    package mutating func next() throws(LinkError) -> LinkEvent? {
        do throws(LinkError) {
            while true {
                switch try step() {
                case .needsMore: return nil
                case .again: continue
                case .event(let event): return event
                }
            }
        } catch {
            state = .ended
            input.removeAll()
            throw error
        }
    }

    private mutating func step() throws(LinkError) -> Step {
        switch state.awaited {
        case .preamble:
            guard let bytes = input.take(LinkPreamble.count) else { return .needsMore }
            return try received(preamble: bytes)
        case .handshakeMessage:
            guard let message = try takeHandshakeMessage() else { return .needsMore }
            return try received(message: message)
        case .certificate:
            return try readCertificate()
        case .record:
            return try readFrame()
        case .nothing:
            return .needsMore
        }
    }
}

// MARK: - Handshake

extension LinkCodec {
    private static func handshake(
        _ role: NoiseRole,
        _ preamble: LinkPreamble,
        identity: LocalIdentity,
        ephemeral: X25519KeyPair
    ) throws(LinkError) -> HandshakeState {
        do throws(NoiseError) {
            return try HandshakeState(
                role: role,
                pattern: preamble.pattern,
                prologue: preamble.bytes,
                staticKey: identity.noiseKey,
                ephemeralKey: ephemeral,
                psk: preamble.key?.secret
            )
        } catch {
            throw .noise(error)
        }
    }

    private mutating func received(preamble bytes: [UInt8]) throws(LinkError) -> Step {
        guard case .awaitsPreamble(let keys) = exchange(&state, with: .ended) else { return .needsMore }
        let preamble = try LinkPreamble(bytes, keys: keys)
        workspaceTag = preamble.key?.tag
        state = .awaitsFirst(
            try Self.handshake(.responder, preamble, identity: identity, ephemeral: ephemeral)
        )
        return .again
    }

    /// Reads a handshake message: a 16-bit big-endian length, at most 1 KiB, and the message.
    private mutating func takeHandshakeMessage() throws(LinkError) -> [UInt8]? {
        guard let length = input.leadingLength else { return nil }
        guard length <= Limits.handshakeBytes else { throw .messageTooLarge(bytes: length) }
        guard let framed = input.take(RecordSize.length + length) else { return nil }
        return Array(framed.dropFirst(RecordSize.length))
    }

    private mutating func received(message: [UInt8]) throws(LinkError) -> Step {
        switch exchange(&state, with: .ended) {
        case .awaitsFirst(var handshake):
            _ = try read(&handshake, message)
            try write(&handshake, payload: [])
            state = .awaitsThird(handshake)
            return .again
        case .awaitsSecond(var handshake):
            _ = try read(&handshake, message)
            let noiseStatic = handshake.remoteStatic ?? []
            // Detected here, because the responder detects it too and would close without a word.
            guard noiseStatic != identity.noiseKey.publicKey else { throw .certificate(.ownIdentity) }
            try write(&handshake, payload: identity.certificate)
            state = .awaitsCertificate(try split(handshake), noiseStatic: noiseStatic)
            return .again
        case .awaitsThird(var handshake):
            let certificate = try read(&handshake, message)
            let peer = try verify(certificate, noiseStatic: handshake.remoteStatic ?? [])
            var transport = try split(handshake)
            try transport.sealer.seal(.certificate, identity.certificate, into: &output)
            state = .open(transport)
            return .event(.opened(peer))
        default:
            return .needsMore
        }
    }

    private mutating func write(_ handshake: inout HandshakeState, payload: [UInt8]) throws(LinkError) {
        do throws(NoiseError) {
            let message = try handshake.writeMessage(payload: payload)
            output.append(UInt8(truncatingIfNeeded: message.count >> 8))
            output.append(UInt8(truncatingIfNeeded: message.count))
            output += message
        } catch {
            throw .noise(error)
        }
    }

    private func read(_ handshake: inout HandshakeState, _ message: [UInt8]) throws(LinkError) -> [UInt8] {
        do throws(NoiseError) {
            return try handshake.readMessage(message)
        } catch {
            throw .noise(error)
        }
    }

    private func split(_ handshake: consuming HandshakeState) throws(LinkError) -> Transport {
        do throws(NoiseError) {
            return Transport(try handshake.split())
        } catch {
            throw .noise(error)
        }
    }

    private func verify(_ certificate: [UInt8], noiseStatic: [UInt8]) throws(LinkError) -> PeerCertificate {
        do throws(CertificateError) {
            return try PeerCertificate(
                verifying: certificate,
                noiseStatic: noiseStatic,
                own: identity.peer,
                expected: expected
            )
        } catch {
            throw .certificate(error)
        }
    }
}

// MARK: - Records

extension LinkCodec {
    /// Seals a piece of the frame stream into records. Does nothing on a link that is not open.
    package mutating func seal(_ stream: [UInt8]) throws(LinkError) {
        guard state.awaited == .record else { return }
        guard case .open(var transport) = exchange(&state, with: .ended) else { return }
        let records = (stream.count + RecordSize.sentPayload - 1) / RecordSize.sentPayload
        output.reserveCapacity(output.count + stream.count + records * (RecordSize.length + RecordSize.smallest))
        for start in stride(from: 0, to: stream.count, by: RecordSize.sentPayload) {
            let end = min(start + RecordSize.sentPayload, stream.count)
            try transport.sealer.seal(.data, stream[start..<end], into: &output)
        }
        state = .open(transport)
    }

    /// Seals the closing record and ends the link. Does nothing on a link that is not open.
    package mutating func close() throws(LinkError) {
        guard state.awaited == .record else { return }
        guard case .open(var transport) = exchange(&state, with: .ended) else { return }
        try transport.sealer.seal(.close, [], into: &output)
        input.removeAll()
    }

    /// The length of the record at the start of the input; `nil` until the whole record is there.
    private func completeRecord(atMost limit: Int?) throws(LinkError) -> Int? {
        guard let length = input.leadingLength else { return nil }
        if let limit, length > limit { throw .messageTooLarge(bytes: length) }
        guard length >= RecordSize.smallest else { throw .record(.recordTooShort) }
        return input.count >= RecordSize.length + length ? length : nil
    }

    private mutating func readCertificate() throws(LinkError) -> Step {
        guard let length = try completeRecord(atMost: Limits.handshakeBytes) else { return .needsMore }
        guard case .awaitsCertificate(var transport, let noiseStatic) = exchange(&state, with: .ended) else {
            return .needsMore
        }
        var certificate: [UInt8] = []
        try input.consume(RecordSize.length + length) { framed throws(LinkError) in
            let record = UnsafeMutableRawBufferPointer(rebasing: framed[RecordSize.length...])
            guard try transport.opener.open(record) == .certificate else {
                throw .record(.firstRecord)
            }
            certificate = Array(RecordSize.payload(of: record))
        }
        let peer = try verify(certificate, noiseStatic: noiseStatic)
        state = .open(transport)
        return .event(.opened(peer))
    }

    /// The next frame: from records opened already, otherwise from the next record.
    private mutating func readFrame() throws(LinkError) -> Step {
        guard case .open(var transport) = exchange(&state, with: .ended) else { return .needsMore }
        if let frame = try nextFrame(&transport.splitter) {
            bytesOfUnfinishedFrame = transport.splitter.bufferedCount
            state = .open(transport)
            return .event(frame)
        }
        guard let length = try completeRecord(atMost: nil) else {
            state = .open(transport)
            return .needsMore
        }
        var type = RecordType.data
        try input.consume(RecordSize.length + length) { framed throws(LinkError) in
            let record = UnsafeMutableRawBufferPointer(rebasing: framed[RecordSize.length...])
            type = try transport.opener.open(record)
            if type == .data { transport.splitter.append(RecordSize.payload(of: record)) }
        }
        switch type {
        case .data:
            bytesOfUnfinishedFrame = transport.splitter.bufferedCount
            state = .open(transport)
            return .again
        case .close:
            guard transport.splitter.bufferedCount == 0 else { throw .record(.endWithinFrame) }
            closingRecordCame = true
            input.removeAll()
            return .event(.closed)
        case .certificate:
            throw .record(.secondCertificate)
        }
    }

    private func nextFrame(_ splitter: inout FrameSplitter) throws(LinkError) -> LinkEvent? {
        do throws(WireError) {
            guard let bytes = try splitter.next() else { return nil }
            guard let frame = WireFrame(decoding: bytes) else { throw .malformed("a frame") }
            return .frame(frame, bytes: bytes.count)
        } catch {
            throw .wire(error)
        }
    }
}
