import Foundation

/// The cost of both daemons, and of the bench, since a moment.
struct PairCounters {
    private let ada, bob: pid_t
    private let sender, receiver: ProcessCounters
    /// The bench's own processor seconds.
    private let client: Double

    init(_ nodes: NodePair) throws {
        ada = try nodes.ada.pid
        bob = try nodes.bob.pid
        sender = try ProcessCounters(ada)
        receiver = try ProcessCounters(bob)
        client = try ProcessCounters.processorSeconds(getpid())
    }

    /// Adds the cost of each of `count` messages since then to the results.
    func add(_ way: String, perMessageOf count: Int, to results: inout Results) throws {
        let spent = try ProcessCounters.processorSeconds(getpid()) - client
        results.add("\(way)_client_processor_us", spent / Double(count) * 1e6)
        let costs = [
            ("sender", try ProcessCounters(ada).since(sender)), ("receiver", try ProcessCounters(bob).since(receiver)),
        ]
        for (who, cost) in costs {
            for (name, value) in cost.named { results.add("\(way)_\(who)_\(name)", value / Double(count)) }
        }
    }
}
