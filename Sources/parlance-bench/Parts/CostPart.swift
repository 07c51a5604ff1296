import Foundation

/// Single messages with pauses: the bytes that both daemons write to disk for each, and the bytes on loopback.
enum CostPart: Part {
    static let name = "cost"
    static let about = "bytes of one short message, on both disks and on the wire"

    private static let size = 38
    /// The first messages are not counted: they also write the conversation's one-time records.
    private static let warm = 20
    /// Milliseconds after each message, so that delayed writes of two messages are not combined.
    private static let pause: Int32 = 60

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let (ada, bob) = (try nodes.ada.pid, try nodes.bob.pid)
        let writer = try nodes.writer()
        let count = bench.amounts.costed
        Progress.note("Bytes of a message: \(count) messages")
        var progress = Progress(of: count, "messages")
        func write(_ number: Int) throws {
            _ = try writer.deliverOne(number, size: size)
            poll(nil, 0, pause)
            progress.reached(number)
        }
        for number in 0..<warm { try write(number) }
        let before = (try ProcessCounters(ada), try ProcessCounters(bob), ProcessFiles.loopbackBytes())
        for number in 0..<count { try write(number) }
        let sender = try ProcessCounters(ada).since(before.0)
        let receiver = try ProcessCounters(bob).since(before.1)
        bench.results.add("sender_disk_bytes_per_message", sender.diskBytes / Double(count))
        bench.results.add("receiver_disk_bytes_per_message", receiver.diskBytes / Double(count))
        // On the loopback of this host other programs send bytes too.
        if bench.neighbour.neighbour != nil, let wire = before.2, let now = ProcessFiles.loopbackBytes() {
            bench.results.add("wire_bytes_per_message", (now - wire) / Double(count))
        }
        bench.wrote(warm + count)
    }
}
