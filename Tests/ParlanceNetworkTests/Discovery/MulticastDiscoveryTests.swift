import Logging
import ParlanceWords
import Testing

@testable import ParlanceNetwork

/// Tests of discovery that need no network: none opens an mDNS socket or uses a bus.
@Suite struct MulticastDiscoveryTests {
    private func discovery(_ options: DiscoveryOptions) throws -> MulticastDiscovery {
        let instance = try ServiceInstance(
            name: ServiceInstance.randomName(),
            port: 4747,
            peerIDPrefix: nil,
            workspaceTags: []
        )
        return MulticastDiscovery(instance: instance, options: options, logger: Logger(label: "test"))
    }

    /// Runs discovery until its first event, cancels it, and returns that event after it has ended.
    private func firstEvent(_ discovery: MulticastDiscovery) async -> DiscoveryEvent? {
        let (events, continuation) = AsyncStream.makeStream(of: DiscoveryEvent.self)
        return await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await discovery.run { continuation.yield($0) }
                continuation.finish()
            }
            var iterator = events.makeAsyncIterator()
            let first = await iterator.next()
            group.cancelAll()
            while await iterator.next() != nil {}
            return first
        }
    }

    @Test(.timeLimit(.minutes(30))) func switchedOffItSaysSoAndEndsWhenCancelled() async throws {
        guard case .state(let state) = await firstEvent(try discovery(DiscoveryOptions(mode: .off))) else {
            Issue.record("no state was told")
            return
        }
        #expect(state.backend == .none && !state.isWorking)
        #expect(state.explanation.english.contains("switched off"))
    }

    @Test(.timeLimit(.minutes(30))) func theSystemsServiceCannotBeLimitedToInterfaces() async throws {
        let options = DiscoveryOptions(mode: .system, interfaces: ["lo"])
        guard case .state(let state) = await firstEvent(try discovery(options)) else {
            Issue.record("no state was told")
            return
        }
        #expect(state.backend == .none && !state.isWorking)
        #expect(state.explanation.english.contains("`embedded`"))
    }

    @Test func interfacesDecideTheBackend() {
        #expect(MulticastDiscovery.effectiveMode(DiscoveryOptions(mode: .auto)) == .auto)
        #expect(MulticastDiscovery.effectiveMode(DiscoveryOptions(mode: .auto, interfaces: ["lo"])) == .embedded)
        #expect(MulticastDiscovery.effectiveMode(DiscoveryOptions(mode: .embedded, interfaces: ["lo"])) == .embedded)
    }

    @Test(.timeLimit(.minutes(30))) func cancelledBeforeItBeginsItReturns() async throws {
        let discovery = try discovery(DiscoveryOptions(mode: .off))
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await discovery.run { _ in } }
        }
    }
}
