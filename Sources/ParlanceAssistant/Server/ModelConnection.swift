import NIOCore
import NIOHTTP1
import NIOPosix

/// One request to the model server on a connection of its own, which is closed after the answer.
struct ModelConnection: Sendable {
    let server: ModelServer
    let lookup: HostResolver.Lookup
    let group: any EventLoopGroup

    private typealias HTTPChannel = NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>

    /// Sends a request and reads the answer. The task can be cancelled, which closes the connection at once.
    ///
    /// The name of the host is looked up once, and the connection goes to an address that was checked.
    func answer<Reader: ResponseReader>(_ call: ModelCall, _ reader: Reader) async throws -> Reader.Answer {
        try await Watchdog.run(server.timeLimits) { watchdog in
            let addresses = try await checkedAddresses()
            // Fulfilled when the request is over or cancelled. It closes the connection, in whatever state that is.
            let stop = group.any().makePromise(of: Void.self)
            defer { stop.succeed() }
            return try await withTaskCancellationHandler {
                let channel = try await connect(addresses, stop: stop.futureResult)
                await watchdog.enter(.firstByte)
                guard let channel = try await Self.opened(channel) else {
                    try Task.checkCancellation()
                    throw ModelServerError.cut(text: "")
                }
                return try await channel.executeThenClose { inbound, outbound in
                    try await Self.exchange(call, reader, inbound, outbound, watchdog)
                }
            } onCancel: {
                stop.succeed()
            }
        }
    }

    private func checkedAddresses() async throws -> [SocketAddress] {
        let addresses = try await lookup(server.address.host, server.address.port)
        guard !addresses.isEmpty else { throw ModelServerError.unresolvable(host: server.address.host) }
        if !server.allowsPublic, let stranger = addresses.first(where: { !LocalNetwork.contains($0) }) {
            throw ModelServerError.publicAddress(stranger.ipAddress ?? stranger.description)
        }
        return addresses
    }

    /// Tries one address after the other. Each has an equal share of the time, so that one that is silent leaves some
    /// for the next.
    private func connect(_ addresses: [SocketAddress], stop: EventLoopFuture<Void>) async throws -> any Channel {
        let share = TimeAmount(server.timeLimits.connecting / addresses.count)
        var failure = ModelServerError.unresolvable(host: server.address.host)
        for address in addresses {
            do {
                return try await ClientBootstrap(group: group)
                    .connectTimeout(share)
                    .channelOption(.socketOption(.tcp_nodelay), value: 1)
                    // What comes before anyone reads it must not be lost.
                    .channelOption(.autoRead, value: false)
                    .connect(to: address) { channel in
                        stop.whenComplete { _ in channel.close(promise: nil) }
                        return channel.eventLoop.makeCompletedFuture {
                            try Self.configure(channel)
                            return channel
                        }
                    }
            } catch {
                try Task.checkCancellation()
                if case ChannelError.connectTimeout = error {
                    failure = .timedOut(.connecting)
                } else {
                    failure = .unreachable(Self.text(of: address))
                }
            }
        }
        throw failure
    }

    private static func text(of address: SocketAddress) -> String {
        let host = address.ipAddress ?? ""
        return "\(host.contains(":") ? "[\(host)]" : host):\(address.port ?? 0)"
    }

    private static func configure(_ channel: any Channel) throws {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderFieldSize = ModelServerLimits.headBytes
        limits.maxHeaderListSize = ModelServerLimits.headBytes
        limits.maxHeaderFieldCount = ModelServerLimits.headFields
        try channel.pipeline.syncOperations.addHandlers(
            HTTPRequestEncoder(),
            ByteToMessageHandler(HTTPResponseDecoder(limitConfiguration: limits))
        )
    }

    /// The connection as two streams, or nil if it has been closed already. Only an open one may be wrapped: the
    /// streams of one that is closed would never end, which NIO takes for a programming error.
    ///
    /// The bootstrap cannot do this: it drops the streams if the connection does not come about.
    private static func opened(_ channel: any Channel) async throws -> HTTPChannel? {
        try await channel.eventLoop.submit {
            guard channel.isActive else { return nil }
            let streams = try HTTPChannel(wrappingChannelSynchronously: channel)
            _ = channel.setOption(.autoRead, value: true)
            return streams
        }.get()
    }

    private static func exchange<Reader: ResponseReader>(
        _ call: ModelCall,
        _ reader: Reader,
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ outbound: NIOAsyncChannelOutboundWriter<HTTPClientRequestPart>,
        _ watchdog: Watchdog
    ) async throws -> Reader.Answer {
        var reader = reader
        var failure: FailureReader?
        var isWhole = false
        do {
            try await outbound.write(contentsOf: call.parts)
            isWhole = try await read(inbound, &reader, &failure, watchdog)
        } catch let error as ModelServerError {
            throw error
        } catch HTTPParserError.headerOverflow {
            throw ModelServerError.tooLarge(.head)
        } catch let error as HTTPParserError where error != .invalidEOFState {
            throw ModelServerError.malformed(.http)
        } catch {
            // The connection broke. What has come may be enough.
        }
        try Task.checkCancellation()
        if let failure { throw failure.error }
        return try reader.finish(isWhole: isWhole)
    }

    /// Whether the answer ended as it should.
    private static func read<Reader: ResponseReader>(
        _ inbound: NIOAsyncChannelInboundStream<HTTPClientResponsePart>,
        _ reader: inout Reader,
        _ failure: inout FailureReader?,
        _ watchdog: Watchdog
    ) async throws -> Bool {
        for try await part in inbound {
            switch part {
            case .head(let head) where head.status == .ok:
                reader.begin(head.headers)
            case .head(let head):
                failure = try FailureReader(head)
                await watchdog.enter(.idle)
            case .body(let bytes) where failure != nil:
                guard failure?.read(bytes.readableBytesView) == true else { return false }
            case .body(let bytes):
                switch try reader.read(bytes.readableBytesView) {
                case .waiting: break
                case .alive: await watchdog.enter(.idle)
                case .complete: return true
                }
            case .end:
                return true
            }
        }
        return false
    }
}
